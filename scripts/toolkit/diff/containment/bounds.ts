/** The bounds that a schema sets for lengths, counts and numbers. */
import type { JsonObject } from "../../openapi/document.ts";
import { formatRange, type Range } from "../../openapi/schema/format-ranges.ts";
import { admitsAll, type Direction } from "../../openapi/schema/schema-view.ts";
import { type Facts, isIntegral, numberOf } from "../facts.ts";
import { elementOf, onlyNames, prefixLength, requiredNames } from "./members.ts";

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
  const { least: stated, most } = rangeOf(facts, "minItems", "maxItems");
  // Every item matches a `contains` that allows all values.
  const counted = facts.parts.filter(({ value }) => admitsAll(value.contains));
  const least = Math.max(stated, ...counted.map(({ value }) => numberOf(value.minContains) ?? 1));
  const prefix = prefixLength(facts);
  let end = most;
  for (let index = 0; index <= prefix; index += 1)
    if (elementOf(facts, index).isNever) end = Math.min(end, index);
  return { least, most: end };
}

export function propertyCount(facts: Facts, side: Direction): Range {
  const { least, most } = rangeOf(facts, "minProperties", "maxProperties");
  return {
    least: Math.max(least, requiredNames(facts, side).size),
    most: Math.min(most, onlyNames(facts, side)?.length ?? Infinity),
  };
}

const ends = {
  lower: { keywords: ["minimum", "exclusiveMinimum"], sign: 1, ofRange: "least" },
  upper: { keywords: ["maximum", "exclusiveMaximum"], sign: -1, ofRange: "most" },
} as const;

/** A lower bound. An upper bound is expressed as the lower bound of the negated number. */
interface Bound {
  readonly keyword: string;
  readonly value: number;
  readonly exclusive: boolean;
}

export function boundsOf(schema: JsonObject, end: keyof typeof ends, isIntegral: boolean): Bound[] {
  const { keywords, sign, ofRange } = ends[end];
  const values = [...keywords.map((keyword) => schema[keyword]), formatRange(schema.format)?.[ofRange]];
  return [...keywords, "format"].flatMap((keyword, index) => {
    const value = values[index];
    if (typeof value !== "number") return [];
    const bound = { keyword, value: sign * value, exclusive: keyword.startsWith("exclusive") };
    if (!isIntegral) return [bound];
    const least = bound.exclusive ? Math.floor(bound.value) + 1 : Math.ceil(bound.value);
    return [{ keyword, value: least, exclusive: false }];
  });
}

/** The strictest bound of all parts. */
export function strictestBound(facts: Facts, end: keyof typeof ends): Bound {
  const bounds = facts.parts.flatMap(({ value }) => boundsOf(value, end, isIntegral(facts)));
  const none = { keyword: "", value: -Infinity, exclusive: false };
  return bounds.reduce((strictest, each) => (isStricter(each, strictest) ? each : strictest), none);
}

export function isStricter(a: Bound, b: Bound): boolean {
  return a.value > b.value || (a.value === b.value && a.exclusive && !b.exclusive);
}

export function numberRange(facts: Facts): Range {
  return { least: strictestBound(facts, "lower").value, most: -strictestBound(facts, "upper").value };
}
