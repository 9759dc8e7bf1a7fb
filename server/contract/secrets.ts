/** Finds the secrets that a request carries, by what the spec marks as sensitive, so that no log repeats them. */

/** Where a request's values stand, as far as they are known. */
export interface SecretSource {
  header(name: string): string | undefined;
  /** The decoded values of a name. */
  query(name: string): readonly string[];
  /** The parsed content; undefined where there is none, or none yet. */
  readonly body: unknown;
  readonly path: { readonly [name: string]: string };
}

/**
 * The texts of all values that stand under a sensitive name, wherever that is: what somebody has put in a wrong place is
 * as secret as in the right one.
 *
 * @param names of parameters, headers, and properties at any depth; "" for the whole content
 */
export function secretsIn(source: SecretSource, names: readonly string[]): string[] {
  const sensitive = new Set(names.map((name) => name.toLowerCase()));
  const secrets = new Set<string>();
  const take = (value: unknown): void => {
    if (typeof value === "string" || typeof value === "number") secrets.add(String(value));
  };
  for (const name of sensitive) {
    if (name === "") continue;
    const header = source.header(name);
    take(header);
    // The credential of a scheme: `Bearer …`, `Basic …`.
    take(header?.split(" ").at(-1));
  }
  for (const name of names) {
    for (const value of source.query(name)) take(value);
    take(Object.hasOwn(source.path, name) ? source.path[name] : undefined);
  }
  // Walks without recursion: the nesting is the caller's choice.
  const pending: { readonly value: unknown; readonly isSecret: boolean }[] = [
    { value: source.body, isSecret: sensitive.has("") },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, isSecret } = next;
    if (typeof value === "object" && value !== null) {
      const isList = Array.isArray(value);
      for (const [key, item] of Object.entries(value))
        pending.push({ value: item, isSecret: isSecret || (!isList && sensitive.has(key.toLowerCase())) });
    } else if (isSecret) take(value);
  }
  secrets.delete("");
  return [...secrets];
}
