/** The keywords of JSON Schema 2020-12 that need no other schema. Values of other types pass. */
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject } from "./document.ts";

type KeywordCheck = (value: Json, limit: Json) => boolean;

type SizeOf = (value: Json) => number | undefined;
type Comparison = (size: number, limit: number) => boolean;

function compared(sizeOf: SizeOf, holds: Comparison): KeywordCheck {
  return (value, limit) => {
    const size = sizeOf(value);
    return size === undefined || typeof limit !== "number" || holds(size, limit);
  };
}

const number: SizeOf = (value) => (typeof value === "number" ? value : undefined);
/** In code points (JSON Schema validation, 6.3). */
const length: SizeOf = (value) => (typeof value === "string" ? [...value].length : undefined);
const items: SizeOf = (value) => (Array.isArray(value) ? value.length : undefined);
const properties: SizeOf = (value) => (isObject(value) ? Object.keys(value).length : undefined);
const atLeast: Comparison = (size, limit) => size >= limit;
const atMost: Comparison = (size, limit) => size <= limit;

/** Undefined if the pattern is invalid. */
export function matches(pattern: string, text: string): boolean | undefined {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return undefined;
  }
}

export const keywordChecks: { readonly [keyword: string]: KeywordCheck } = {
  enum: (value, values) => Array.isArray(values) && values.some((each) => isDeepStrictEqual(each, value)),
  const: (value, only) => isDeepStrictEqual(value, only),
  minimum: compared(number, atLeast),
  maximum: compared(number, atMost),
  exclusiveMinimum: compared(number, (value, limit) => value > limit),
  exclusiveMaximum: compared(number, (value, limit) => value < limit),
  multipleOf: compared(number, isMultiple),
  minLength: compared(length, atLeast),
  maxLength: compared(length, atMost),
  pattern: (value, pattern) => typeof value !== "string" || matches(String(pattern), value) !== false,
  minItems: compared(items, atLeast),
  maxItems: compared(items, atMost),
  uniqueItems: (value, isAsked) =>
    isAsked !== true ||
    !Array.isArray(value) ||
    value.every((item, index) => !value.slice(0, index).some((each) => isDeepStrictEqual(each, item))),
  minProperties: compared(properties, atLeast),
  maxProperties: compared(properties, atMost),
};

/** Allows for rounding: 0.3 is a multiple of 0.1. */
export function isMultiple(value: number, step: number): boolean {
  const count = value / step;
  return Math.abs(count - Math.round(count)) < 1e-9 * Math.max(1, Math.abs(count));
}

export function violates(schema: JsonObject, keyword: string, value: Json): boolean {
  const limit = schema[keyword];
  return limit !== undefined && keywordChecks[keyword]?.(value, limit) === false;
}
