import { BlockList, isIP, SocketAddress } from "node:net";

/**
 * Finds the caller's address in X-Forwarded-For. Each proxy appends the address of its peer. So the header is read from
 * the end, until an address is not a trusted proxy. The caller can forge all addresses before that one.
 *
 * The Forwarded header (RFC 7239) is not read. A proxy that sets only X-Forwarded-For passes on a Forwarded header that
 * the caller may have forged.
 *
 * The address is returned in canonical form. An IPv4-mapped address is returned as IPv4.
 *
 * @param trustedProxies addresses and ranges (CIDR) of either family
 */
export function callerAddressBehind(
  trustedProxies: readonly string[],
): (peer: string | undefined, forwardedFor: () => string | undefined) => string | undefined {
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
      // If the text is not an address, such as `unknown`, the proxy's address is used.
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
