/**
 * The address that a request comes from. Behind proxies that is what the nearest untrusted peer is called in
 * X-Forwarded-For; the standard Forwarded (RFC 7239) is not read, for a proxy that sets the one passes the other on as
 * its caller wrote it.
 */
import { BlockList, isIP, SocketAddress } from "node:net";

/**
 * @param peer the address at the other end of the connection
 * @param forwardedFor looks X-Forwarded-For up, several of them joined in their order
 */
export type CallerAddress = (
  peer: string | undefined,
  forwardedFor: () => string | undefined,
) => string | undefined;

/**
 * Every proxy adds the address of its own peer at the end of X-Forwarded-For. So the header is read from there for as
 * long as a trusted proxy vouches for the next address; what stands further left anyone may have written. An address is
 * answered in its one canonical form, an IPv4-mapped one as IPv4, so that nobody has two names.
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
      // What is no address, such as `unknown`, hides who is behind it: the proxy that said so stands for them.
      if (next === undefined) break;
      nearest = next;
    }
    return nearest;
  };
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
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
