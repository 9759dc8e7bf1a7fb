/** Makes numbers and strings from schemas. */
import fc from "fast-check";
import type { Json, JsonObject } from "../../openapi/document.ts";
import { bounded, type JsonArbitrary, sample } from "./arbitraries.ts";
import { formats } from "./formats.ts";
import { boundOf } from "./keywords.ts";

/** The maximum number of characters above the minimum. */
const mostExtraCharacters = 12;
/** No longer strings are made. */
export const mostCharacters = 100_000;
/** The characters above this number are all the same, because random characters need much memory. */
const mostRandomCharacters = 1000;
/** Without a bound, numbers are at most this far from zero. */
const usualDistance = 1e15;

export function numbers(parts: readonly JsonObject[], isWhole: boolean): JsonArbitrary | undefined {
  const step = boundOf(parts, "multipleOf", isWhole ? 1 : 0);
  const above = boundOf(parts, "exclusiveMinimum", -Infinity);
  const below = boundOf(parts, "exclusiveMaximum", Infinity);
  const reach = Math.max(usualDistance, step);
  const lowest = Math.max(boundOf(parts, "minimum", -Infinity), above);
  const highest = Math.min(boundOf(parts, "maximum", Infinity), below);
  const least = finite(lowest, highest > -reach ? -reach : highest * 2);
  const most = finite(highest, lowest < reach ? reach : lowest * 2);
  if (step > 0) return multiples({ step, least, most, above, below });
  const [minExcluded, maxExcluded] = [least === above, most === below];
  if (least > most || (least === most && (minExcluded || maxExcluded))) return undefined;
  // Adding 0 turns -0, which JSON cannot represent, into 0.
  return fc
    .double({ min: least, max: most, minExcluded, maxExcluded, noNaN: true })
    .map((value) => value + 0);
}

/** The bound, or the other number if there is no bound. */
function finite(bound: number, otherwise: number): number {
  const chosen = Number.isFinite(bound) ? bound : otherwise;
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, chosen));
}

function multiples({
  step,
  least,
  most,
  above,
  below,
}: Record<"step" | "least" | "most" | "above" | "below", number>): JsonArbitrary | undefined {
  const [from, to] = [Math.ceil(least / step), Math.floor(most / step)];
  const [first, last] = [from * step > above ? from : from + 1, to * step < below ? to : to - 1];
  // fast-check never ends if an integer bound is not exact.
  const min = Math.max(first, Number.MIN_SAFE_INTEGER) + 0;
  const max = Math.min(last, Number.MAX_SAFE_INTEGER) + 0;
  if (min <= max) return fc.integer({ min, max }).map((count) => count * step + 0);
  const inexact = [least, most, first * step, last * step].filter(
    (value) => Number.isFinite(value) && value >= least && value <= most && value > above && value < below,
  );
  return inexact.length === 0 ? undefined : fc.constantFrom(...inexact);
}

export function texts(parts: readonly JsonObject[]): JsonArbitrary | undefined {
  const minLength = boundOf(parts, "minLength", 0);
  const maxLength = Math.min(boundOf(parts, "maxLength", Infinity), minLength + mostExtraCharacters);
  if (minLength > maxLength || minLength > mostCharacters) return undefined;
  const pattern = parts.find((part) => typeof part.pattern === "string")?.pattern;
  const format = parts.find((part) => typeof part.format === "string")?.format;
  const { sent } = formats[String(format)] ?? {};
  if (pattern !== undefined) return matching(String(pattern), sent, boundOf(parts, "maxLength", Infinity));
  if (sent !== undefined) return stringsOf(sent);
  const isLong = minLength > mostRandomCharacters;
  const lengths = isLong ? { maxLength: mostExtraCharacters } : { minLength, maxLength };
  const made = fc.oneof(
    fc.string({ ...lengths, unit: "grapheme-ascii" }),
    fc.string({ ...lengths, unit: character }),
  );
  return isLong ? made.map((text) => "a".repeat(minLength - [...text].length) + text) : made;
}

/** The number of random choices after which a pattern has no string. */
const mostDrawsOfPattern = 20_000;

/** fast-check needs milliseconds for each pattern, and documents repeat them. */
const knownPatterns = new Map<string, JsonArbitrary | undefined>();

/** @param sent strings of the format, if there is one */
function matching(pattern: string, sent: RegExp | undefined, longest: number): JsonArbitrary | undefined {
  const key = `${longest} ${sent?.source} ${pattern}`;
  if (!knownPatterns.has(key)) knownPatterns.set(key, newMatching(pattern, sent, longest));
  return knownPatterns.get(key);
}

function newMatching(pattern: string, sent: RegExp | undefined, longest: number): JsonArbitrary | undefined {
  if (leastRepetitions(pattern) > mostCharacters) return undefined;
  try {
    const form = new RegExp(pattern, "u");
    // Few strings that match a pattern have a format, so the strings of the format are tried first.
    const formatted = sent && stringsOf(sent);
    if (formatted && fc.sample(formatted, { seed: 1, numRuns: 20 }).some((text) => form.test(String(text))))
      return formatted;
    // If the pattern has no anchors, the matched part alone may be short enough.
    const shortened = (text: string): Json =>
      [...text].length > longest ? (form.exec(text)?.[0] ?? text) : text;
    const plain = withoutAssertions(withoutProperties(pattern));
    const strings = fc.stringMatching(new RegExp(plain, "u"));
    const made = (
      plain === withoutProperties(pattern) ? strings : strings.filter((text) => form.test(text))
    ).map(shortened);
    // The class of a pattern may have no character that fast-check chooses.
    return sample(bounded(made, mostDrawsOfPattern), { seed: 1, numRuns: 1 }).length > 0 ? made : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces classes such as `\p{L}` by some of their characters, because fast-check lists all characters of a class. */
export function withoutProperties(pattern: string): string {
  let isInClass = false;
  return pattern.replaceAll(/\\p\{[^}]*\}|\\.|[[\]]/giu, (token) => {
    if (token === "[" || token === "]") isInClass = token === "[";
    if (!/^\\p\{/i.test(token)) return token;
    const characters = charactersOf(token);
    return isInClass || characters === token ? characters : `[${characters}]`;
  });
}

/** Removes what fast-check rejects: look-aheads and look-behinds. */
function withoutAssertions(pattern: string): string {
  let kept = "";
  let isInClass = false;
  /** For each open group, whether it is removed. */
  const groups: boolean[] = [];
  for (const [token] of pattern.matchAll(/\\.|\(\?<?[=!]|./gsu)) {
    const isGroup = !isInClass && token.startsWith("(");
    if (isGroup) groups.push(groups.at(-1) === true || token.length > 1);
    if (groups.at(-1) !== true) kept += token;
    if (token === "[" || token === "]") isInClass = token === "[";
    if (!isInClass && token === ")") groups.pop();
  }
  return kept;
}

/** The ASCII characters that are searched, others, and others that JavaScript stores as two units. */
const searched = [
  { from: 0x20, to: 0x7f, most: Infinity },
  { from: 0xa0, to: 0xd800, most: 32 },
  { from: 0x10000, to: 0x20000, most: 8 },
];

const knownClasses = new Map<string, string>();

/** Some characters of a Unicode property as ranges of a class. The property itself if none is found. */
function charactersOf(property: string): string {
  const known = knownClasses.get(property);
  if (known !== undefined) return known;
  const form = new RegExp(property, "u");
  const ranges: [number, number][] = [];
  for (const { from, to, most } of searched)
    for (let code = from, count = 0; code < to && count < most; code += 1) {
      if (!form.test(String.fromCodePoint(code))) continue;
      count += 1;
      const last = ranges.at(-1);
      if (last?.[1] === code - 1) last[1] = code;
      else ranges.push([code, code]);
    }
  const shown = ranges.map((range) => range.map((code) => `\\u{${code.toString(16)}}`).join("-")).join("");
  const characters = shown || property;
  knownClasses.set(property, characters);
  return characters;
}

const knownFormats = new Map<RegExp, JsonArbitrary>();

function stringsOf(format: RegExp): JsonArbitrary {
  const strings = knownFormats.get(format) ?? fc.stringMatching(format);
  knownFormats.set(format, strings);
  return strings;
}

/** How often the nested `{n}` and `{n,m}` of a pattern repeat what is in them, at least. */
export function leastRepetitions(pattern: string): number {
  const plain = pattern.replaceAll(/\\./g, "x").replaceAll(/\[[^\]]*\]/g, "x");
  const around: number[] = [1];
  let most = 1;
  // From the end, because the quantifier comes after its group.
  for (const [token, least] of [...plain.matchAll(/\)?\{(\d+)(?:,\d*)?\}|\)[*+?]?|\(/g)].reverse()) {
    const repeated = (around.at(-1) ?? 1) * Number(least ?? 1);
    most = Math.max(most, repeated);
    if (token.startsWith(")")) around.push(repeated);
    else if (token === "(") around.pop();
  }
  return most;
}

/** Any character except surrogates. fast-check's own arbitrary for characters takes a second to load. */
const character = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));
