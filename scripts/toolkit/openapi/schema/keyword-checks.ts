/**
 * Checks a value against one keyword of JSON Schema 2020-12. A value is valid if its type is not that of the keyword.
 * `evaluate.ts` has the keywords that apply to other places, such as `properties` and `oneOf`.
 */
import { isDeepStrictEqual } from "node:util";
import { entriesOf, isObject, type Json, type JsonObject, listOf } from "../document.ts";
import { slownessOf } from "./slow-patterns.ts";

/** Whether a value is valid, or undefined if this cannot be decided. */
export type Verdict = boolean | undefined;

/** The things that the check of a keyword needs in addition to the keyword's value. */
export interface Context {
  readonly part: JsonObject;
  fits(value: Json, schema: Json | undefined): Verdict;
  hasFormat(format: string, value: Json): Verdict;
  /** Whether the keyword's schema accepts all properties and items that no other keyword evaluates. */
  acceptsRest(keyword: string): Verdict;
}

type KeywordCheck = (value: Json, limit: Json, context: Context) => Verdict;

/** False if any verdict is false, else undefined if any is undefined, else true. */
export function allOf(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

function negated(verdict: Verdict): Verdict {
  return verdict === undefined ? undefined : !verdict;
}

type SizeOf = (value: Json) => number | undefined;
type Comparison = (size: number, limit: number) => boolean;

function compared(sizeOf: SizeOf, holds: Comparison): KeywordCheck {
  return (value, limit) => {
    const size = sizeOf(value);
    return size === undefined || typeof limit !== "number" || holds(size, limit);
  };
}

function ofObjects(check: (value: JsonObject, limit: Json, context: Context) => Verdict): KeywordCheck {
  return (value, limit, context) => !isObject(value) || check(value, limit, context);
}

const number: SizeOf = (value) => (typeof value === "number" ? value : undefined);
/** The length in code points (JSON Schema validation, 6.3). */
const length: SizeOf = (value) => (typeof value === "string" ? [...value].length : undefined);
const items: SizeOf = (value) => (Array.isArray(value) ? value.length : undefined);
const properties: SizeOf = (value) => (isObject(value) ? Object.keys(value).length : undefined);
const atLeast: Comparison = (size, limit) => size >= limit;
const atMost: Comparison = (size, limit) => size <= limit;
/** Undefined for strings, because their content is not decoded. */
const isNoString: KeywordCheck = (value) => (typeof value === "string" ? undefined : true);

/** Undefined if the pattern is invalid, or if matching could take years. */
export function matches(pattern: string, text: string): Verdict {
  if (slownessOf(pattern) === "exponentially") return undefined;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return undefined;
  }
}

export const keywordChecks: { readonly [keyword: string]: KeywordCheck } = {
  enum: (value, values) => Array.isArray(values) && values.some((each) => isDeepStrictEqual(each, value)),
  const: (value, only) => isDeepStrictEqual(value, only),
  not: (value, schema, { fits }) => negated(fits(value, schema)),
  minimum: compared(number, atLeast),
  maximum: compared(number, atMost),
  exclusiveMinimum: compared(number, (value, limit) => value > limit),
  exclusiveMaximum: compared(number, (value, limit) => value < limit),
  multipleOf: compared(number, isMultiple),
  minLength: compared(length, atLeast),
  maxLength: compared(length, atMost),
  pattern: (value, pattern) => typeof value !== "string" || matches(String(pattern), value),
  format: (value, format, { hasFormat }) => typeof format !== "string" || hasFormat(format, value),
  contentEncoding: isNoString,
  contentMediaType: isNoString,
  minItems: compared(items, atLeast),
  maxItems: compared(items, atMost),
  uniqueItems: (value, isAsked) =>
    isAsked !== true ||
    !Array.isArray(value) ||
    value.every((item, index) => !value.slice(0, index).some((each) => isDeepStrictEqual(each, item))),
  contains: (value, _, context) =>
    contained(value, context, (count) => count >= Number(context.part.minContains ?? 1)),
  maxContains: (value, limit, context) => contained(value, context, (count) => count <= Number(limit)),
  unevaluatedItems: (value, _, { acceptsRest }) => !Array.isArray(value) || acceptsRest("unevaluatedItems"),
  minProperties: compared(properties, atLeast),
  maxProperties: compared(properties, atMost),
  patternProperties: ofObjects((value, patterns) =>
    allOf(
      entriesOf(patterns).map(
        ([pattern]) => matches(pattern, "") !== undefined || Object.keys(value).length === 0 || undefined,
      ),
    ),
  ),
  propertyNames: ofObjects((value, schema, { fits }) =>
    allOf(Object.keys(value).map((name) => fits(name, schema))),
  ),
  dependentRequired: ofObjects((value, dependencies) =>
    entriesOf(dependencies).every(
      ([name, others]) =>
        !Object.hasOwn(value, name) || listOf(others).every((other) => Object.hasOwn(value, String(other))),
    ),
  ),
  dependentSchemas: ofObjects((value, schemas, { fits }) =>
    allOf(entriesOf(schemas).map(([name, schema]) => !Object.hasOwn(value, name) || fits(value, schema))),
  ),
  unevaluatedProperties: ofObjects((_, __, { acceptsRest }) => acceptsRest("unevaluatedProperties")),
};

/** Whether the number of items that are valid against `contains` satisfies the condition. */
function contained(
  value: Json,
  { part: { contains }, fits }: Context,
  holds: (count: number) => boolean,
): Verdict {
  if (!Array.isArray(value) || contains === undefined) return true;
  const verdicts = value.map((item) => fits(item, contains));
  const sure = verdicts.filter((verdict) => verdict === true).length;
  const possible = verdicts.filter((verdict) => verdict !== false).length;
  return holds(sure) === holds(possible) ? holds(sure) : undefined;
}

/** Allows for rounding: 0.3 is a multiple of 0.1. */
export function isMultiple(value: number, step: number): boolean {
  const count = value / step;
  return Math.abs(count - Math.round(count)) < 1e-9 * Math.max(1, Math.abs(count));
}
