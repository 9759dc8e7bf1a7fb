/**
 * Returns the network whose attempts are counted together. For IPv4 it is the address itself, even if it is
 * mapped into IPv6 (RFC 4291, section 2.5.5.2). For IPv6 it is the first 64 bits, because a caller usually has
 * all addresses of such a network (RFC 6177).
 * @param address as the system or a proxy writes it; other text is returned unchanged
 */
export function networkOf(address: string): string {
  const [text = ""] = address.toLowerCase().split("%", 1);
  if (!text.includes(":")) return text;
  const [head = [], tail] = text.split("::").map(groupsOf);
  const zeros = tail === undefined ? [] : Array<number>(Math.max(0, 8 - head.length - tail.length)).fill(0);
  const groups = [...head, ...zeros, ...(tail ?? [])];
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 6).join() === "0,0,0,0,0,65535") {
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** An IPv4 address at the end stands for two groups. */
function groupsOf(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    const [a, b, c, d] = group.split(".").map(Number);
    if (a === undefined || b === undefined || c === undefined || d === undefined) {
      return [Number.parseInt(group, 16)];
    }
    return [a * 256 + b, c * 256 + d];
  });
}
