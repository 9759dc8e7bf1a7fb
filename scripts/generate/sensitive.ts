/** Which names of a spec stand for secrets: those that `x-sensitive` marks, at a schema, a parameter or a header. */
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  localPointer,
  pointerTo,
  valueAt,
} from "./document.ts";

/** A schema and what its value is called; "" where it is the whole content. */
export interface NamedSchema {
  readonly name: string;
  readonly pointer: string;
}

/** Anything but `false` counts: a mark that is mistyped must not show a secret. */
export function isSensitive(value: Json | undefined): boolean {
  return isObject(value) && value["x-sensitive"] !== undefined && value["x-sensitive"] !== false;
}

const alike = [
  "items",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contains",
].concat(["if", "then", "else"]);
const lists = ["allOf", "anyOf", "oneOf", "prefixItems"];
const maps = ["patternProperties", "dependentSchemas"];

/**
 * The names of the marked properties at any depth. What has no name of its own, such as an item of a list, gives that of
 * what holds it.
 */
export function sensitiveNames(document: JsonObject, schemas: readonly NamedSchema[]): Set<string> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const pending = [...schemas];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { name, pointer } = next;
    const schema = valueAt(document, pointer);
    const visit = JSON.stringify([name, pointer]);
    if (!isObject(schema) || seen.has(visit)) continue;
    seen.add(visit);
    if (isSensitive(schema)) names.add(name);
    const target = typeof schema.$ref === "string" ? localPointer(schema.$ref) : undefined;
    if (target !== undefined) pending.push({ name, pointer: target });
    for (const [property] of entriesOf(schema.properties))
      pending.push({ name: property, pointer: pointerTo(pointer, "properties", property) });
    for (const keyword of alike) pending.push({ name, pointer: pointerTo(pointer, keyword) });
    for (const keyword of lists) {
      const list = schema[keyword];
      if (!Array.isArray(list)) continue;
      for (const index of list.keys()) pending.push({ name, pointer: pointerTo(pointer, keyword, index) });
    }
    for (const keyword of maps)
      for (const [key] of entriesOf(schema[keyword]))
        pending.push({ name, pointer: pointerTo(pointer, keyword, key) });
  }
  return names;
}
