/** Which names of a spec stand for secrets: those that `x-sensitive` marks, at a schema, a parameter or a header. */
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  localPointer,
  valueAt,
} from "../openapi/document.ts";

/** A schema and what its value is called; "" where it is the whole content. */
export interface NamedSchema {
  readonly name: string;
  readonly pointer: string;
}

/** Anything but `false` counts: a mark that is mistyped must not show a secret. */
export function isSensitive(value: Json | undefined): boolean {
  return isObject(value) && value["x-sensitive"] !== undefined && value["x-sensitive"] !== false;
}

const alike = new Set(
  ["items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties", "contains"].concat([
    "if",
    "then",
    "else",
  ]),
);
const lists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const maps = new Set(["patternProperties", "dependentSchemas"]);

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
    for (const [keyword, value] of Object.entries(schema)) {
      const parts = lists.has(keyword) && Array.isArray(value) ? value : [];
      for (const part of parts) pending.push({ name, schema: part });
      if (alike.has(keyword)) pending.push({ name, schema: value });
      if (maps.has(keyword)) for (const [, part] of entriesOf(value)) pending.push({ name, schema: part });
      if (keyword !== "properties") continue;
      for (const [property, part] of entriesOf(value)) pending.push({ name: property, schema: part });
    }
    const target = typeof schema.$ref === "string" ? localPointer(schema.$ref) : undefined;
    if (target !== undefined) pending.push({ name, schema: valueAt(document, target) });
  }
  return names;
}
