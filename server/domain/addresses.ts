/**
 * Returns the network whose attempts are counted together. For IPv4 it is the address itself, even if it is
 * mapped into IPv6 (RFC 4291, section 2.5.5.2). For IPv6 it is the first 64 bits, because a caller usually has
 * all addresses of such a network (RFC 6177).
 * @param address as the system or a proxy writes it; other text is returned unchanged
 */
export function networkOf(address: string): string {
  const [text = ""] = address.toLowerCase().split("%", 1);
  if (!text.includes(":")) return text;
  // URLs have one form of each address, with an IPv4 address at the end as two groups (WHATWG URL, section 3.5).
  const canonical = URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) ?? text;
  const [head = [], tail = []] = canonical
    .split("::")
    .map((part) => part.split(":").map((group) => Number.parseInt(group || "0", 16)));
  const groups = [...head, ...Array<number>(Math.max(0, 8 - head.length - tail.length)).fill(0), ...tail];
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 6).join() === "0,0,0,0,0,65535") {
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}
