/** The bounds that a schema sets for lengths, counts and numbers. */
import type { Json, JsonObject } from "../openapi/document.ts";
import type { Direction } from "../openapi/schema-view.ts";
import { type Facts, isIntegral, numberOf } from "./facts.ts";
import { elementOf, onlyNames, prefixLength, requiredNames } from "./members.ts";

interface Range {
  readonly least: number;
  readonly most: number;
}

function rangeOf({ parts }: Facts, least: string, most: string): Range {
  return {
    least: Math.max(0, ...parts.map(({ value }) => numberOf(value[least]) ?? 0)),
    most: Math.min(Infinity, ...parts.map(({ value }) => numberOf(value[most]) ?? Infinity)),
  };
}

export function lengthOf(facts: Facts): Range {
  return rangeOf(facts, "minLength", "maxLength");
}

export function itemCount(facts: Facts): Range {
  const { least, most } = rangeOf(facts, "minItems", "maxItems");
  const contained = facts.parts.map(({ value }) =>
    value.contains === undefined ? 0 : (numberOf(value.minContains) ?? 1),
  );
  const prefix = prefixLength(facts);
  let end = most;
  for (let index = 0; index <= prefix; index += 1)
    if (elementOf(facts, index).isNever) end = Math.min(end, index);
  return { least: Math.max(least, ...contained), most: end };
}

export function propertyCount(facts: Facts, side: Direction): Range {
  const { least, most } = rangeOf(facts, "minProperties", "maxProperties");
  return {
    least: Math.max(least, requiredNames(facts, side).size),
    most: Math.min(most, onlyNames(facts, side)?.length ?? Infinity),
  };
}

/** OpenAPI format registry. */
const formatBounds: { readonly [format: string]: Range } = {
  int8: { least: -(2 ** 7), most: 2 ** 7 - 1 },
  uint8: { least: 0, most: 2 ** 8 - 1 },
  int16: { least: -(2 ** 15), most: 2 ** 15 - 1 },
  uint16: { least: 0, most: 2 ** 16 - 1 },
  int32: { least: -(2 ** 31), most: 2 ** 31 - 1 },
  uint32: { least: 0, most: 2 ** 32 - 1 },
  int64: { least: -(2 ** 63), most: 2 ** 63 },
  uint64: { least: 0, most: 2 ** 64 },
};

interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

/** By the keyword that sets each bound. */
export function boundsOf(schema: JsonObject): { lower: [string, Bound][]; upper: [string, Bound][] } {
  const format = typeof schema.format === "string" ? schema.format : "";
  const ofFormat = isBoundFormat(format) ? formatBounds[format] : undefined;
  const listed = (...bounds: [keyword: string, value: Json | undefined][]): [string, Bound][] =>
    bounds.flatMap(([keyword, value]): [string, Bound][] =>
      typeof value === "number" ? [[keyword, { value, exclusive: keyword.startsWith("exclusive") }]] : [],
    );
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
  return {
    lower: listed(["minimum", minimum], ["exclusiveMinimum", exclusiveMinimum], ["format", ofFormat?.least]),
    upper: listed(["maximum", maximum], ["exclusiveMaximum", exclusiveMaximum], ["format", ofFormat?.most]),
  };
}

export function isBoundFormat(format: string): boolean {
  return Object.hasOwn(formatBounds, format);
}

/** The strictest bounds of all parts. */
export function numberRange(facts: Facts): { lower: Bound; upper: Bound } {
  const integral = isIntegral(facts);
  let lower: Bound = { value: -Infinity, exclusive: false };
  let upper: Bound = { value: Infinity, exclusive: false };
  for (const { value } of facts.parts) {
    const bounds = boundsOf(value);
    for (const [, bound] of bounds.lower) {
      const tight = integral ? atLeast(bound) : bound;
      if (tight.value > lower.value || (tight.value === lower.value && tight.exclusive)) lower = tight;
    }
    for (const [, bound] of bounds.upper) {
      const tight = integral ? atMost(bound) : bound;
      if (tight.value < upper.value || (tight.value === upper.value && tight.exclusive)) upper = tight;
    }
  }
  return { lower, upper };
}

function atLeast({ value, exclusive }: Bound): Bound {
  return { value: exclusive ? Math.floor(value) + 1 : Math.ceil(value), exclusive: false };
}

function atMost({ value, exclusive }: Bound): Bound {
  return { value: exclusive ? Math.ceil(value) - 1 : Math.floor(value), exclusive: false };
}
