/** Finds the body properties and headers that responses may contain. A shared declaration is counted once. */
import {
  entriesOf,
  follow,
  isObject,
  type Json,
  listOf,
  referenceTarget,
  valueAt,
} from "../openapi/document.ts";
import { isValid } from "../openapi/schema/evaluate.ts";
import { isCondition, subschemas } from "../openapi/schema/keywords.ts";
import type { NodeOf } from "../openapi/schema/schema-node.ts";

export interface ResponsePlace {
  /** A JSON pointer (RFC 6901) to the schema or response that declares it. */
  readonly at: string;
  readonly name: string;
}

/** Returns each property of a body. @param at a pointer to the body's schema */
export function propertiesAt(document: unknown, nodeOf: NodeOf, at: string): ResponsePlace[] {
  const places: ResponsePlace[] = [];
  walk({ document, nodeOf, places, walked: new Set() }, at, undefined);
  return places;
}

/** Returns each property of the value. Of a union, only branches that the value matches are used. */
export function propertiesIn(document: unknown, nodeOf: NodeOf, at: string, value: Json): ResponsePlace[] {
  const places: ResponsePlace[] = [];
  walk({ document, nodeOf, places }, at, value);
  return places;
}

interface Walk {
  readonly document: unknown;
  readonly nodeOf: NodeOf;
  readonly places: ResponsePlace[];
  /** Prevents endless recursion in recursive schemas. A value needs no such limit, because it is finite. */
  readonly walked?: Set<string>;
}

function walk(on: Walk, at: string, value: Json | undefined): void {
  const schema = valueAt(on.document, at);
  if (!isObject(schema) || on.walked?.has(at)) return;
  on.walked?.add(at);
  const target = referenceTarget(schema);
  if (target !== undefined) walk(on, target, value);
  const named = on.nodeOf(schema).properties;
  for (const part of subschemas(schema, at)) {
    const { keyword, appliesTo, key } = part;
    if (appliesTo === "nothing" || isCondition(keyword)) continue;
    if (appliesTo === "value") {
      const isChoice = keyword === "anyOf" || keyword === "oneOf";
      if (!isChoice || value === undefined || isValid(on.nodeOf(part.schema), value))
        walk(on, part.pointer, value);
      continue;
    }
    const isDeclared = keyword === "properties";
    if (isDeclared && (part.schema === false || named.get(key)?.barredBy !== undefined)) continue;
    const held = value === undefined ? [undefined] : partsOf(value, part, named);
    if (isDeclared && held.length > 0) on.places.push({ at, name: key });
    for (const each of held) walk(on, part.pointer, each);
  }
}

/** Returns the parts of the value to which the schema applies. */
function partsOf(
  value: Json,
  { keyword, key }: { readonly keyword: string; readonly key: string },
  named: ReadonlyMap<string, unknown>,
): Json[] {
  if (keyword === "prefixItems") return listOf(value).slice(Number(key), Number(key) + 1);
  if (Array.isArray(value)) return keyword === "items" ? value : [];
  const isMeant = (name: string): boolean => {
    if (keyword === "properties") return name === key;
    if (keyword === "patternProperties") return new RegExp(key, "u").test(name);
    return keyword === "additionalProperties" && !named.has(name);
  };
  return entriesOf(value).flatMap(([name, part]) => (isMeant(name) ? [part] : []));
}

export function headersAt(document: unknown, response: string): ResponsePlace[] {
  const { pointer: at, value } = follow(document, response);
  return entriesOf(isObject(value) ? value.headers : undefined).map(([name]) => ({ at, name }));
}
