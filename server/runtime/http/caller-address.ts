/** What a proxy says about its caller. */
import { X509Certificate } from "node:crypto";
import { BlockList, isIP, SocketAddress } from "node:net";
import type { RequestView } from "../contract/request.ts";

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
  const isTrusted = proxyCheck(trustedProxies);
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

/**
 * Finds the certificate of a caller in the header Client-Cert (RFC 9440), if the request comes from a trusted proxy. The
 * proxy must check the certificate, and remove the header from the requests of its callers. The proxy's own certificate is
 * not the caller's.
 *
 * @param trustedProxies addresses and ranges (CIDR) of either family
 */
export function callerCertificateBehind(
  trustedProxies: readonly string[],
): (request: RequestView) => string | undefined {
  const isTrusted = proxyCheck(trustedProxies);
  return (request) => {
    const peer = canonicalAddress(request.peer ?? "");
    if (peer === undefined || !isTrusted(peer)) return request.certificate?.();
    const header = request.header("client-cert");
    return header === undefined ? undefined : certificateIn(header);
  };
}

/** Returns "" unless the text is one byte sequence (RFC 8941, section 3.3.5) with a certificate in DER format. */
function certificateIn(header: string): string {
  const [, text = ""] = /^:([A-Za-z0-9+/]+={0,2}):$/.exec(header.trim()) ?? [];
  try {
    return new X509Certificate(Buffer.from(text, "base64")).toString();
  } catch {
    return "";
  }
}

/** Returns a function that is true for the canonical addresses in the ranges. */
function proxyCheck(ranges: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix] = range.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  return (address) => trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
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
