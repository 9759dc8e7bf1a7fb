/** The body properties and headers that responses may contain. A shared declaration counts once. */
import { isValid } from "../conformance/evaluate.ts";
import type { NodeOf } from "../conformance/schema-node.ts";
import {
  entriesOf,
  follow,
  isObject,
  type Json,
  listOf,
  pointerTo,
  referenceTarget,
  valueAt,
} from "../openapi/document.ts";

export interface ResponsePlace {
  /** A JSON pointer (RFC 6901) to the schema or response that declares it. */
  readonly at: string;
  readonly name: string;
}

/** Returns each property of a body. @param nodeOf for responses. @param at a pointer to the body's schema */
export function propertiesAt(document: unknown, nodeOf: NodeOf, at: string): ResponsePlace[] {
  const places: ResponsePlace[] = [];
  walk({ document, nodeOf, places, walked: new Set() }, at, undefined);
  return places;
}

/** Returns each property of the value. In a union, only branches that the value matches count. */
export function propertiesIn(document: unknown, nodeOf: NodeOf, at: string, value: Json): ResponsePlace[] {
  const places: ResponsePlace[] = [];
  walk({ document, nodeOf, places }, at, value);
  return places;
}

interface Walk {
  readonly document: unknown;
  readonly nodeOf: NodeOf;
  readonly places: ResponsePlace[];
  /** Prevents endless recursion in recursive schemas. Not needed with a value, which is finite. */
  readonly walked?: Set<string>;
}

/** Keywords whose schemas apply to the same value. */
const besides = ["then", "else"];
const listsBesides = ["allOf", "oneOf", "anyOf"];

function walk(on: Walk, at: string, value: Json | undefined): void {
  const schema = valueAt(on.document, at);
  if (!isObject(schema) || on.walked?.has(at)) return;
  on.walked?.add(at);
  const target = referenceTarget(schema);
  if (target !== undefined) walk(on, target, value);
  for (const keyword of listsBesides)
    for (const [index, branch] of listOf(schema[keyword]).entries()) {
      const isMeant = keyword === "allOf" || value === undefined || isValid(on.nodeOf(branch), value);
      if (isMeant) walk(on, pointerTo(at, keyword, index), value);
    }
  for (const keyword of besides) walk(on, pointerTo(at, keyword), value);
  for (const [name] of entriesOf(schema.dependentSchemas))
    walk(on, pointerTo(at, "dependentSchemas", name), value);

  const named = on.nodeOf(schema).properties;
  for (const [name, property] of entriesOf(schema.properties)) {
    const held = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    const mayBeHeld = property !== false && named.get(name)?.barredBy === undefined;
    if (!mayBeHeld || (value !== undefined && held === undefined)) continue;
    on.places.push({ at, name });
    walk(on, pointerTo(at, "properties", name), held);
  }
  const unnamed = entriesOf(value).flatMap(([name, held]) => (named.has(name) ? [] : [held]));
  walkEach(on, pointerTo(at, "additionalProperties"), value, unnamed);
  walkEach(on, pointerTo(at, "items"), value, listOf(value));
  for (const index of listOf(schema.prefixItems).keys())
    walkEach(on, pointerTo(at, "prefixItems", index), value, listOf(value).slice(index, index + 1));
  for (const [pattern] of entriesOf(schema.patternProperties)) {
    const matching = entriesOf(value).filter(([name]) => new RegExp(pattern, "u").test(name));
    const held = matching.map(([, each]) => each);
    walkEach(on, pointerTo(at, "patternProperties", pattern), value, held);
  }
}

function walkEach(on: Walk, at: string, value: Json | undefined, held: readonly Json[]): void {
  if (value === undefined) walk(on, at, undefined);
  else for (const each of held) walk(on, at, each);
}

export function headersAt(document: unknown, response: string): ResponsePlace[] {
  const { pointer: at, value } = follow(document, response);
  return entriesOf(isObject(value) ? value.headers : undefined).map(([name]) => ({ at, name }));
}
