/** Values at the limits of each keyword of JSON Schema 2020-12: values that violate only it, and the last valid ones. */
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  valueTypeOf,
} from "../../openapi/document.ts";
import { formatRange } from "../../openapi/schema/format-ranges.ts";
import type { HasFormat } from "../../openapi/schema/schema-node.ts";
import { formats } from "./formats.ts";

type Values<Held> = (held: Held, limit: number, part: JsonObject) => readonly Json[];

interface Keyword<Held> {
  /** Returns true if the keyword forbids no value. */
  readonly isIdle?: (limit: Json) => boolean;
  /** Values that may violate the keyword, made from a valid value. Values of different kinds are first. */
  readonly wrong?: Values<Held>;
  /** The schema of values that may violate the keyword. Without this or `wrong`, no request violates the keyword. */
  readonly opposite?: (part: JsonObject) => Json;
  /** Values at the limit, which the keyword allows. */
  readonly right?: Values<Held>;
  /** True if the values inside have constraints of their own, and the keyword has none. */
  readonly isInner?: true;
  /** The schema of values at the limit, which the keyword allows. */
  readonly edge?: (part: JsonObject) => Json;
}

type Keywords<Held> = { readonly [keyword: string]: Keyword<Held> };

/** Values that violate a larger limit by their length are not made. */
const mostLength = 100_000;
/** No valid list or object of a larger size is made. */
const mostParts = 100;

/** The name of the property that is sent if a schema allows any name. */
export const otherName = "other";
/** Values of which most schemas forbid some. */
const ofAnyType: readonly Json[] = ["outside", -1, 1_000_003, null, true, 0, 0.5, "text", [], {}];

const isZero = (limit: Json): boolean => limit === 0;

const ofNumbers: Keywords<number> = {
  minimum: {
    wrong: (held, limit) => [limit - 1, limit - 0.5, -1, -held, -1e12],
    right: (_, limit) => [limit],
  },
  maximum: {
    wrong: (_, limit) => [limit + 1, limit + 0.5, limit * 2 + 2, 1e15],
    right: (_, limit) => [limit],
  },
  exclusiveMinimum: {
    wrong: (held, limit) => [limit, limit - 1, -held],
    right: (_, limit) => [limit + 1, limit + 0.25],
  },
  exclusiveMaximum: {
    wrong: (_, limit) => [limit, limit + 1],
    right: (_, limit) => [limit - 1, limit - 0.25],
  },
  multipleOf: {
    wrong: (held, limit) => [held + limit / 2, held + limit / 3],
    right: (_, limit) => [limit, limit * 3],
  },
};

/** Cuts or extends a string to a number of characters. */
function resized(text: string, length: number, filling: string): string {
  const characters = [...text];
  const missing = Math.max(0, length - characters.length);
  return [...characters, ...Array.from({ length: missing }, () => filling)].slice(0, length).join("");
}

/** A character outside of the Basic Multilingual Plane has two UTF-16 units and four bytes. */
const wideCharacter = "\u{1f600}";

const swapped = (text: string): string =>
  text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();

const ofTexts: Keywords<string> = {
  minLength: {
    isIdle: isZero,
    wrong: (held, limit) => [
      resized(held, limit - 1, "a"),
      "",
      resized("", Math.min(limit - 1, mostLength), wideCharacter),
    ],
    right: (held, limit) =>
      limit > mostLength ? [] : [resized(held, limit, "a"), resized("", limit, wideCharacter)],
  },
  maxLength: {
    wrong: (held, limit) =>
      limit > mostLength ? [] : ["a", "1"].map((filling) => resized(held, limit + 1, filling)),
    right: (held, limit) =>
      limit > mostLength ? [] : ["a", "1", wideCharacter].map((filling) => resized(held, limit, filling)),
  },
  pattern: {
    wrong: (held) => [
      ...[`${held}!`, `!${held}`, `${held}\n`, swapped(held), `${held}${held.slice(-1)}`, held.slice(0, -1)],
      // Digits of another script match `\d` in some languages. `$` also matches before a line break in some.
      ...[held.replaceAll(/\d/g, "\u0663"), `x\n${held}\nx`, "", held.slice(1), `${held}${held}`],
      ...["\u{e9}", ` ${held}`, `${held}\0`],
    ],
    opposite: () => true,
  },
  format: {
    isIdle: (format) => formats[String(format)] === undefined,
    wrong: (_, __, { format }) => ["no such thing", ...(formats[String(format)]?.wrong ?? []), "1", ""],
    right: (_, __, { format }) => formats[String(format)]?.right ?? [],
    opposite: () => true,
  },
  contentEncoding: {},
  contentMediaType: {},
  contentSchema: {},
};

const ofLists: Keywords<readonly Json[]> = {
  minItems: {
    isIdle: isZero,
    wrong: (held, limit) => [held.slice(0, limit - 1), []],
    edge: ({ minItems = 0 }) => ({ maxItems: minItems }),
  },
  maxItems: {
    wrong: (held, limit) =>
      limit > mostLength ? [] : [Array.from({ length: limit + 1 }, (_, at) => held[at] ?? held[0] ?? null)],
    // Its items differ, so it does not also violate `uniqueItems`.
    opposite: ({ maxItems }) => Number(maxItems) <= mostParts && { minItems: Number(maxItems) + 1 },
    edge: ({ maxItems }) => Number(maxItems) <= mostParts && { minItems: Number(maxItems) },
  },
  uniqueItems: {
    isIdle: (isAsked) => !isAsked,
    // Equal items at both ends, next to each other, and in place of others if the list is full.
    wrong: (held) => [
      [...held, ...held.slice(0, 1)],
      [...held.slice(0, 1), ...held],
      [...held.slice(0, -1), ...held.slice(0, 1)],
      [...held.slice(0, 1), ...held.slice(0, -1)],
    ],
  },
  contains: {
    wrong: () => [[]],
    opposite: ({ contains = true }) => ({ items: { not: contains } }),
  },
  maxContains: {
    opposite: ({ contains = true, maxContains }) => ({ items: contains, minItems: Number(maxContains) + 1 }),
  },
  prefixItems: { isInner: true },
  unevaluatedItems: { wrong: (held) => ["outside", 1, null].map((item) => [...held, item]) },
};

/** Names of unlisted properties. They have only letters, because `propertyNames` may forbid others. */
export function otherNames(count: number): string[] {
  return Array.from({ length: count }, (_, at) => otherName + at.toString(26).replace(/./g, letterOf));
}

function letterOf(digit: string): string {
  return String.fromCharCode(97 + Number.parseInt(digit, 26));
}

/** Objects with an unknown property. */
const unknownProperty: Keyword<JsonObject> = {
  isIdle: (others) => others !== false,
  wrong: (held) => [
    { ...held, undeclared: 1 },
    // Names that objects inherit. The computed name makes an own property.
    { ...held, ["__proto__"]: {} },
    { ...held, constructor: 1 },
    ...Object.keys(held)
      .slice(0, 1)
      .map((name) => ({ ...held, [swapped(name)]: held[name] ?? null })),
  ],
};

const ofObjects: Keywords<JsonObject> = {
  minProperties: {
    isIdle: isZero,
    wrong: () => [{}],
    edge: ({ minProperties = 0 }) => ({ maxProperties: minProperties }),
  },
  maxProperties: {
    wrong: (held, limit) => {
      if (limit > mostLength) return [];
      const more = otherNames(limit + 1).map((name) => [name, Object.values(held)[0] ?? "x"] as const);
      return [{ ...held, ...Object.fromEntries(more) }, Object.fromEntries(more)];
    },
    edge: ({ maxProperties }) =>
      Number(maxProperties) <= mostParts && { minProperties: Number(maxProperties) },
  },
  additionalProperties: unknownProperty,
  unevaluatedProperties: unknownProperty,
  propertyNames: {
    wrong: (held) =>
      ["", "No such name!", "0", `${otherName}\n`, "x".repeat(300)].flatMap((name) => {
        const [[taken = otherName, value = "x"] = []] = Object.entries(held);
        const { [taken]: _, ...others } = held;
        return [
          { ...held, [name]: value },
          { ...others, [name]: value },
        ];
      }),
  },
  patternProperties: { isInner: true },
  dependentRequired: {
    opposite: ({ dependentRequired }) => ({
      anyOf: entriesOf(dependentRequired).flatMap(([name, others]) =>
        listOf(others).map((other) => ({ required: [name], properties: { [String(other)]: false } })),
      ),
    }),
  },
  dependentSchemas: {
    opposite: ({ dependentSchemas }) => ({
      anyOf: entriesOf(dependentSchemas).map(([name, schema]) => ({ required: [name], not: schema })),
    }),
  },
};

/** Values that resemble the valid value. */
function similarTo(held: Json): readonly Json[] {
  if (typeof held === "number")
    return [String(held), held + 0.5, "", `${held}x`, [held], `${held}e0`, "0x1", held + 1, -held, null];
  if (typeof held === "boolean")
    return [String(held), "TRUE", "False", Number(held), Number(!held), null, [held], ""];
  if (Array.isArray(held)) return [held[0] ?? null, { ...held }, null, held.join(",")];
  if (isObject(held)) return [[held], [], null, "text", JSON.stringify(held), true];
  if (held === null) return ["", "null", 0, false];
  const numeric = held.trim() === "" || Number.isNaN(Number(held)) ? [] : [Number(held)];
  return [...numeric, swapped(held), [held], null, `${held} `, ` ${held}`, held.slice(0, -1), `${held}x`, ""];
}

/** Values of the same type that a service may reject or change. The texts have the least length. */
function typicalOf(held: Json, minLength: number): readonly Json[] {
  if (typeof held === "boolean") return [!held];
  if (typeof held === "number") return [0, 1, 0.5, 1_000_000];
  if (Array.isArray(held)) return [[]];
  // A schema without `additionalProperties` allows any others.
  if (isObject(held)) return [{ ...held, undeclared: 1 }, {}];
  return held === null
    ? []
    : typicalTexts.map((text) => resized(text, Math.max(text.length, minLength), "a"));
}

/** A service may trim texts, read them as numbers, decode them twice, or read them as patterns or markup. */
const typicalTexts = ["", " ", " a\nb ", "100%", "(a[*+?", "\u00e9<&\"'\\\u{1f600}", "0", "null"];

const ofAll: Keywords<Json> = {
  type: { wrong: similarTo },
  tag: { wrong: similarTo },
  enum: {
    // A service may split a text at commas.
    wrong: (held, _, part) => {
      const other = [part.enum].flat().find((each) => each !== held);
      return [...similarTo(held), `${held},${other}`];
    },
    right: (_, __, part) => (Array.isArray(part.enum) ? part.enum : []),
  },
  const: { wrong: similarTo },
  not: { opposite: ({ not = true }) => not },
};

/** Adds the bounds of the part's format, unless integers beyond them are too large for a double. */
export function bounded(part: JsonObject): JsonObject {
  const range = [part.type].flat().includes("integer") ? formatRange(part.format) : undefined;
  if (range === undefined) return part;
  const { minimum = range.least, maximum = range.most } = part;
  return {
    ...part,
    ...(Number.isSafeInteger(range.least) && { minimum: Math.max(Number(minimum), range.least) }),
    ...(Number.isSafeInteger(range.most) && { maximum: Math.min(Number(maximum), range.most) }),
  };
}

/** Formats that are not in the table accept every string. */
export const hasFormat: HasFormat = (format, value) =>
  typeof value !== "string" || formats[format]?.isValid(value) !== false;

const byType = { any: ofAll, number: ofNumbers, string: ofTexts, array: ofLists, object: ofObjects };
/** The cast is safe because a function gets only values of its own type. */
const keywords = new Map(
  Object.entries(byType as { [type: string]: Keywords<unknown> }).flatMap(([type, own]) =>
    Object.entries(own).map(([name, keyword]) => [name, { ...keyword, type }] as const),
  ),
);

function isAbout({ type }: { readonly type: string }, value: Json): boolean {
  return type === "any" || type === valueTypeOf(value);
}

/** The keywords that a schema has, and whether requests violate each of them. Undefined if their inside is violated. */
export function keywordsIn(
  parts: readonly JsonObject[],
): { name: string; type: string; isSent: boolean | undefined }[] {
  return [...keywords].flatMap(([name, { type, isIdle, wrong, opposite, isInner }]) => {
    // Schemas have no keyword for a discriminator's value, and `type` is listed elsewhere.
    if (name === "type" || name === "tag") return [];
    const isThere = parts.some(({ [name]: limit }) => limit !== undefined && isIdle?.(limit) !== true);
    const isSent = isInner ? undefined : (wrong ?? opposite) !== undefined;
    return isThere ? [{ name, type, isSent }] : [];
  });
}

/** The strictest bound of a keyword that starts with `min`, `max`, `exclusiveMin` or `exclusiveMax`. */
export function boundOf(parts: readonly JsonObject[], keyword: string, otherwise: number): number {
  const bounds = parts.map((part) => part[keyword]).filter((bound) => typeof bound === "number");
  const narrowest = /^max|^exclusiveMax/.test(keyword) ? Math.min : Math.max;
  return bounds.length === 0 ? otherwise : narrowest(...bounds);
}

/** Values that may have the verdict, made from valid values. */
export function wrongValues(
  parts: readonly JsonObject[],
  verdict: string,
  held: readonly Json[],
): readonly Json[] {
  return [...held.flatMap((each) => valuesBy("wrong", parts, verdict, each)), ...ofAnyType];
}

/** Valid values at the limits of the keywords, made from valid values. The caller checks them. */
export function rightValues(parts: readonly JsonObject[], held: readonly Json[]): readonly Json[] {
  const isNullable = parts.some(({ type }) => Array.isArray(type) && type.includes("null"));
  return [
    ...(isNullable ? [null] : []),
    ...keywordsIn(parts).flatMap(({ name }) => held.flatMap((each) => valuesBy("right", parts, name, each))),
    ...held.flatMap((each) => typicalOf(each, boundOf(parts, "minLength", 0))),
  ];
}

function valuesBy(
  side: "wrong" | "right",
  parts: readonly JsonObject[],
  verdict: string,
  held: Json,
): readonly Json[] {
  const keyword = keywords.get(verdict);
  if (keyword === undefined || !isAbout(keyword, held)) return [];
  const part = parts.find((each) => each[verdict] !== undefined) ?? {};
  return keyword[side]?.(held, boundOf(parts, verdict, 0), part) ?? [];
}

/** The schemas of values that may violate the keyword, or that are valid and at its limit. */
export function schemasBy(side: "opposite" | "edge", parts: readonly JsonObject[], verdict: string): Json[] {
  const make = keywords.get(verdict)?.[side];
  return make === undefined ? [] : parts.filter((part) => part[verdict] !== undefined).map(make);
}
