/** Finds gaps of number and string keywords. */
import { listOf } from "../../openapi/document.ts";
import { formatRange } from "../../openapi/schema/format-ranges.ts";
import { isMultiple } from "../../openapi/schema/keyword-checks.ts";
import type { SchemaPart } from "../../openapi/schema/schema-view.ts";
import { type Facts, isIntegral, numberOf, onlyIntegers } from "../facts.ts";
import { looseFormats } from "./admits.ts";
import { boundsOf, isStricter, lengthOf, numberRange, strictestBound } from "./bounds.ts";
import { type Gap, gapAt, opaqueGaps } from "./gaps.ts";
import { patternsImply } from "./patterns.ts";

/** For a format, the formats for which all its strings are valid too (RFC 3986, 3987, 5321, 6531, 1123, 5890). */
const widerFormats: { readonly [format: string]: readonly string[] } = {
  uri: ["uri-reference", "iri", "iri-reference"],
  "uri-reference": ["iri-reference"],
  iri: ["iri-reference"],
  email: ["idn-email"],
  hostname: ["idn-hostname"],
};

export function numberGaps(facts: Facts, part: SchemaPart): Gap[] {
  const gaps: Gap[] = [];
  const integral = isIntegral(facts);
  if (onlyIntegers(part.value) && !integral)
    gaps.push(
      gapAt(facts, part, part.value.multipleOf === undefined ? "type" : "multipleOf", {
        subject: "number",
      }),
    );
  for (const end of ["lower", "upper"] as const) {
    const own = strictestBound(facts, end);
    for (const bound of boundsOf(part.value, end, integral))
      if (isStricter(bound, own)) gaps.push(gapAt(facts, part, bound.keyword));
  }
  const step = numberOf(part.value.multipleOf);
  if (step !== undefined) {
    const steps = facts.parts
      .map(({ value }) => numberOf(value.multipleOf))
      .filter((own) => own !== undefined);
    if (integral) steps.push(1);
    const whole = steps.filter(Number.isInteger);
    if (whole.length > 1) steps.push(whole.reduce(leastCommonMultiple));
    if (!steps.some((own) => isMultiple(own, step))) gaps.push(gapAt(facts, part, "multipleOf"));
  }
  return [...gaps, ...formatGaps(facts, part)];
}

/** A short range of integers or a pattern may allow only values of the `enum`. */
export function enumGaps(facts: Facts, part: SchemaPart): Gap[] {
  const wanted = listOf(part.value.enum);
  const { least, most } = numberRange(facts);
  if (facts.only === "number" && isIntegral(facts) && most - least < wanted.length) {
    const integers = Array.from({ length: most - least + 1 }, (_, index) => least + index);
    if (integers.every((each) => wanted.includes(each))) return [];
  }
  const texts = wanted.filter((value) => typeof value === "string");
  const escaped = texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const isOnly =
    facts.only === "string" && patternsImply(patternsOf(facts), `^(?:${escaped.join("|")})$`) === true;
  return isOnly ? [] : [gapAt(facts, part, "enum", { subject: facts.only })];
}

function patternsOf({ parts }: Facts): string[] {
  return parts.map(({ value }) => value.pattern).filter((own) => typeof own === "string");
}

function leastCommonMultiple(a: number, b: number): number {
  const divisor = (x: number, y: number): number => (y === 0 ? x : divisor(y, x % y));
  return (a * b) / divisor(a, b);
}

function formatGaps(facts: Facts, part: SchemaPart): Gap[] {
  const { format } = part.value;
  if (typeof format !== "string" || looseFormats.has(format) || formatRange(format) !== undefined) return [];
  const isKept = facts.parts.some(({ value: { format: own } }) => {
    if (typeof own !== "string") return false;
    const wider = Object.hasOwn(widerFormats, own) ? widerFormats[own] : undefined;
    return own === format || wider?.includes(format) === true;
  });
  return isKept ? [] : [gapAt(facts, part, "format", { isCertain: false })];
}

export function stringGaps(facts: Facts, part: SchemaPart): Gap[] {
  const gaps = formatGaps(facts, part);
  const { minLength, maxLength, pattern } = part.value;
  const length = lengthOf(facts);
  const patterns = patternsOf(facts);
  const least = numberOf(minLength) ?? 0;
  const most = numberOf(maxLength) ?? Infinity;
  if (length.least < least && !impliesLength(patterns, least, Infinity))
    gaps.push(gapAt(facts, part, "minLength"));
  if (length.most > most && !impliesLength(patterns, 0, most)) gaps.push(gapAt(facts, part, "maxLength"));
  if (typeof pattern === "string" && !patterns.includes(pattern)) {
    const verdict = patternsImply([...patterns, ...lengthPatterns(length.least, length.most)], pattern);
    if (verdict !== true) {
      const isCertain = verdict === false && facts.parts.every(({ value }) => value.format === undefined);
      gaps.push(gapAt(facts, part, "pattern", { isCertain }));
    }
  }
  const ofDecoding = ["contentEncoding", "contentMediaType", "contentSchema"];
  return [...gaps, ...opaqueGaps(facts, part, ofDecoding)];
}

const maxCountedLength = 300;

function lengthPatterns(least: number, most: number): string[] {
  const patterns: string[] = [];
  if (least > 0 && least <= maxCountedLength) patterns.push(`^[\\s\\S]{${least},}$`);
  if (most <= maxCountedLength) patterns.push(`^[\\s\\S]{0,${most}}$`);
  return patterns;
}

function impliesLength(patterns: readonly string[], least: number, most: number): boolean {
  const wanted = lengthPatterns(least, most);
  const isCounted =
    (least === 0 || least <= maxCountedLength) && (most === Infinity || most <= maxCountedLength);
  return patterns.length > 0 && isCounted && wanted.every((each) => patternsImply(patterns, each) === true);
}
