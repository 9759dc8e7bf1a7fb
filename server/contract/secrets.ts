/** Finds the values of a request that the spec marks as sensitive, so that no log contains them. */
import { formDecoded, rawPairs } from "./forms.ts";
import { pathReader } from "./parameters.ts";
import type { RequestView } from "./request.ts";
import { percentDecoded, readJson } from "./texts.ts";

/** @param template the path of the operation */
export function secretReader(
  template: string,
  names: readonly string[],
): (request: RequestView, body: unknown) => string[] {
  const readPath = pathReader(template);
  return (request, body) => {
    const pairs = rawPairs(request.query);
    const source: SecretSource = {
      header: (name) => request.header(name),
      query: (name) => pairs.flatMap(([each, text]) => (each === name ? [formDecoded(text)] : [])),
      path: readPath(request.path),
      // The query may be JSON.
      body: [body, jsonIn(percentDecoded(request.query))],
    };
    return secretsIn(source, names);
  };
}

function jsonIn(text: string): unknown {
  const read = readJson(text);
  return "value" in read ? read.value : undefined;
}

export interface SecretSource {
  header(name: string): string | undefined;
  query(name: string): readonly string[];
  readonly body: unknown;
  readonly path: { readonly [name: string]: string };
}

/**
 * A value below a sensitive name is secret in any location, even where the spec does not declare the name.
 *
 * @param names of parameters, headers, and properties at any depth; "" for the whole body
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
  // Recursion could exhaust the stack, because the caller chooses the depth.
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
