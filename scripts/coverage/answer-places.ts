/**
 * What answers may hold, by where it is declared in the document: the properties of their content and their headers. What
 * several answers share is declared once, and is one place.
 */

import { isValid } from "../conformance/evaluate.ts";
import type { NodeOf } from "../conformance/schema-node.ts";
import {
  entriesOf,
  follow,
  isObject,
  type Json,
  pointerTo,
  referenceTarget,
  valueAt,
} from "../openapi/document.ts";

export interface AnswerPlace {
  /** Of the schema, or of the response, that declares it: a JSON pointer (RFC 6901) into the document. */
  readonly at: string;
  readonly name: string;
}

/**
 * Each property that content of a schema may have.
 *
 * @param nodeOf of answers
 * @param at where the schema stands
 */
export function propertiesAt(document: unknown, nodeOf: NodeOf, at: string): AnswerPlace[] {
  const places: AnswerPlace[] = [];
  walk({ document, nodeOf, places, walked: new Set() }, at, undefined);
  return places;
}

/** Those that a value has which the schema admits; one as often as it has it. Of a union, only what the value fits counts. */
export function propertiesIn(document: unknown, nodeOf: NodeOf, at: string, value: Json): AnswerPlace[] {
  const places: AnswerPlace[] = [];
  walk({ document, nodeOf, places }, at, value);
  return places;
}

interface Walk {
  readonly document: unknown;
  readonly nodeOf: NodeOf;
  readonly places: AnswerPlace[];
  /** Where schemas have been walked already: one may hold itself. A value ends by itself. */
  readonly walked?: Set<string>;
}

/** Keywords whose schema holds for the same value, wholly or in some cases. */
const besides = ["then", "else"];
const listsBesides = ["allOf", "oneOf", "anyOf"];

function walk(on: Walk, at: string, value: Json | undefined): void {
  const schema = valueAt(on.document, at);
  if (!isObject(schema) || on.walked?.has(at)) return;
  on.walked?.add(at);
  const target = referenceTarget(schema);
  if (target !== undefined) walk(on, target, value);
  for (const keyword of listsBesides)
    for (const [index, branch] of entriesIn(schema[keyword])) {
      const isMeant = keyword === "allOf" || value === undefined || isValid(on.nodeOf, branch, value);
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
  walkEach(on, pointerTo(at, "items"), value, Array.isArray(value) ? value : []);
  for (const [index] of entriesIn(schema.prefixItems))
    walkEach(
      on,
      pointerTo(at, "prefixItems", index),
      value,
      Array.isArray(value) ? value.slice(index, index + 1) : [],
    );
  for (const [pattern] of entriesOf(schema.patternProperties))
    walkEach(
      on,
      pointerTo(at, "patternProperties", pattern),
      value,
      entriesOf(value).flatMap(([name, held]) => (new RegExp(pattern, "u").test(name) ? [held] : [])),
    );
}

/** Whatever there may be at the place; where there is a value, what it holds of it. */
function walkEach(on: Walk, at: string, value: Json | undefined, held: readonly Json[]): void {
  if (value === undefined) walk(on, at, undefined);
  else for (const each of held) walk(on, at, each);
}

function entriesIn(list: Json | undefined): [number, Json][] {
  return Array.isArray(list) ? [...list.entries()] : [];
}

/** Each header that a response declares. */
export function headersAt(document: unknown, response: string): AnswerPlace[] {
  const { pointer: at, value } = follow(document, response);
  return entriesOf(isObject(value) ? value.headers : undefined).map(([name]) => ({ at, name }));
}
