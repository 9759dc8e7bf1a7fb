import { isObject, type Json, type JsonObject, referredValue, valueAt } from "../openapi/document.ts";
import { subschemas } from "../openapi/schema/keywords.ts";

/** A schema and the name of its value. The name of a whole body is "". */
export interface NamedSchema {
  readonly name: string;
  readonly pointer: string;
}

/** True for every value except `false`, so that a mistyped mark does not expose a secret. */
export function isSensitive(value: Json | undefined): boolean {
  return isObject(value) && value["x-sensitive"] !== undefined && value["x-sensitive"] !== false;
}

/** The names of marked properties at any depth. The items of a list have the list's name. */
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
    for (const { keyword, appliesTo, key, schema: part } of subschemas(schema))
      if (appliesTo !== "nothing")
        pending.push({ name: keyword === "properties" ? key : name, schema: part });
    pending.push({ name, schema: referredValue(document, schema) });
  }
  return names;
}
