/** Returns a copy of the value that counts how often a check reads one of its parts. */
export function counting(value: unknown, reads: { count: number }): unknown {
  if (typeof value !== "object" || value === null) return value;
  const parts = Object.entries(value).map(([key, part]) => [key, counting(part, reads)]);
  const copy: object = Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
  const get = (target: object, key: string | symbol): unknown => {
    reads.count += 1;
    if (reads.count > 20_000) throw new Error("the checks read more than 20,000 parts");
    return Reflect.get(target, key);
  };
  return new Proxy(copy, { get });
}
