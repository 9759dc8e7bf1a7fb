/** Which names of a spec stand for secrets: those that `x-sensitive` marks, at a schema, a parameter or a header. */
import { isObject, type Json, type JsonObject, referredValue, valueAt } from "../openapi/document.ts";
import { subschemas } from "../openapi/grammar.ts";

/** A schema and what its value is called; "" where it is the whole content. */
export interface NamedSchema {
  readonly name: string;
  readonly pointer: string;
}

/** Anything but `false` counts: a mark that is mistyped must not show a secret. */
export function isSensitive(value: Json | undefined): boolean {
  return isObject(value) && value["x-sensitive"] !== undefined && value["x-sensitive"] !== false;
}

/**
 * The names of the marked properties at any depth. What has no name of its own, such as an item of a list, gives that of
 * what holds it.
 */
export function sensitiveNames(document: JsonObject, schemas: readonly NamedSchema[]): Set<string> {
  const names = new Set<string>();
  const seen = new Map<JsonObject, Set<string>>();
  const pending: { name: string; schema: Json | undefined }[] = schemas.map(({ name, pointer }) => ({
    name,
    schema: valueAt(document, pointer),
  }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { name, schema } = next;
    if (!isObject(schema)) continue;
    const seenAs = seen.get(schema) ?? new Set();
    if (seenAs.has(name)) continue;
    seen.set(schema, seenAs.add(name));
    if (isSensitive(schema)) names.add(name);
    // Definitions hold for a value only where a reference leads to them.
    for (const { keyword, key, schema: part } of subschemas(schema))
      if (keyword !== "$defs" && keyword !== "definitions")
        pending.push({ name: keyword === "properties" ? key : name, schema: part });
    pending.push({ name, schema: referredValue(document, schema) });
  }
  return names;
}
