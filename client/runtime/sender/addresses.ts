/**
 * Protects a sender from URLs that lead to hosts inside its own network (OWASP, Server Side Request Forgery Prevention).
 */
import { type LookupAddress, lookup } from "node:dns";
import { lookup as lookUp } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";

export class AddressNotAllowedError extends Error {
  constructor(host: string, address: string) {
    const resolves = host === address ? "" : `resolves to ${address}, which `;
    super(`${resolves}is not allowed by \`allowAddress\`: a sender connects only to public addresses`);
  }
}

/** Not global according to IANA's registries of special-purpose addresses (RFC 6890), or multicast. */
const special = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  special.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  special.addSubnet(network, prefix, "ipv6");
/** All public addresses of IPv6 are in here. Outside are, for example, ::1, mapped, link-local and private addresses. */
const global = new BlockList();
global.addSubnet("2000::", 3, "ipv6");

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, "ipv4");
  return isIP(address) === 6 && global.check(address, "ipv6") && !special.check(address, "ipv6");
}

/** The host of a URL, without the brackets of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** With a proxy, the connection goes to the proxy, and the proxy resolves the name of the receiver. */
function proxyHosts(): Set<string> {
  const urls = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"].map(
    (name) => process.env[name] ?? "",
  );
  return new Set(urls.flatMap((url) => (URL.canParse(url) ? hostOf(new URL(url)) : [])));
}

/**
 * Checks what a connection does not look up: a host that is an address, and all hosts if there is a proxy. A name that only
 * the proxy can resolve is left to the proxy.
 *
 * @throws AddressNotAllowedError
 */
export async function assertHostAllowed(url: URL, isAllowed: (address: string) => boolean): Promise<void> {
  const host = hostOf(url);
  const proxies = proxyHosts();
  if (isIP(host) === 0 && proxies.size === 0) return;
  const found = await lookUp(host, { all: true }).catch(() => []);
  const refused = proxies.has(host)
    ? host
    : found.map(({ address }) => address).find((each) => !isAllowed(each));
  if (refused !== undefined) throw new AddressNotAllowedError(host, refused);
}

/** The connection goes to the addresses that are checked here, so a second look-up cannot return others. */
export function checkedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (host, options, callback) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      let refused: LookupAddress | undefined;
      try {
        refused = proxyHosts().has(host) ? undefined : found?.find(({ address }) => !isAllowed(address));
      } catch (reason) {
        // Nothing catches what a callback of the look-up throws, so it would end the process.
        return callback(reason as Error, "");
      }
      if (refused !== undefined) callback(new AddressNotAllowedError(host, refused.address), "");
      else if (error !== null || first === undefined || options.all) callback(error, found);
      else callback(null, first.address, first.family);
    });
}
