/**
 * Finds the caller's address behind proxies, by X-Forwarded-For. Forwarded (RFC 7239) is not read: proxies
 * that set only one of the headers pass on the other, which the caller may have forged.
 */
import { BlockList, isIP, SocketAddress } from "node:net";

export type CallerAddress = (
  peer: string | undefined,
  forwardedFor: () => string | undefined,
) => string | undefined;

/**
 * Each proxy appends the address of its peer, so the header is read from the end while the address is a
 * trusted proxy. A caller can forge everything before that. Returns the canonical form, with an IPv4-mapped
 * address as IPv4.
 *
 * @param trustedProxies addresses and ranges (CIDR) of either family
 */
export function createCallerAddress(trustedProxies: readonly string[]): CallerAddress {
  const trusted = new BlockList();
  for (const range of trustedProxies) {
    const [address = "", prefix] = range.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  const isTrusted = (address: string): boolean =>
    trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

  return (peer, forwardedFor) => {
    let nearest = canonicalAddress(peer ?? "");
    if (nearest === undefined || trustedProxies.length === 0) return nearest;
    const hops = forwardedFor()?.split(",") ?? [];
    for (let hop = hops.pop(); hop !== undefined && isTrusted(nearest); hop = hops.pop()) {
      const next = canonicalAddress(withoutPort(hop.trim()));
      // A text that is no address, such as `unknown`, hides the caller: the proxy's address is used.
      if (next === undefined) break;
      nearest = next;
    }
    return nearest;
  };
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

function canonicalAddress(text: string): string | undefined {
  switch (isIP(text)) {
    case 4:
      return text;
    case 6: {
      const { address } = new SocketAddress({ address: text, family: "ipv6" });
      return /^::ffff:([\d.]+)$/.exec(address)?.[1] ?? address;
    }
    default:
      return undefined;
  }
}
