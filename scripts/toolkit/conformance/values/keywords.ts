/** Values for requests that violate a keyword, for each keyword of JSON Schema 2020-12. */
import { type Json, type JsonObject, valueTypeOf } from "../../openapi/document.ts";
import { formatRange } from "../../openapi/schema/format-ranges.ts";
import type { HasFormat } from "../../openapi/schema/schema-node.ts";

interface Keyword<Held> {
  /** Returns true if the keyword forbids no value. */
  readonly isIdle?: (limit: Json) => boolean;
  /** Values that may violate the keyword. */
  readonly wrong?: (held: Held, limit: number) => readonly Json[];
  /** The schema of values that may violate the keyword. Without this or `wrong`, no request violates the keyword. */
  readonly opposite?: (part: JsonObject) => Json;
}

type Keywords<Held> = { readonly [keyword: string]: Keyword<Held> };

/** Values that violate a larger limit by their length are not made. */
const mostLength = 100_000;

/** The name of the property that is sent if a schema allows any name. */
export const otherName = "other";
/** Values of which most schemas forbid some. */
const ofAnyType: readonly Json[] = ["outside", -1, 1_000_003, null, true, 0, 0.5, "text", [], {}];

const isZero = (limit: Json): boolean => limit === 0;

const ofNumbers: Keywords<number> = {
  minimum: { wrong: (_, limit) => [limit - 1, limit - 0.5, -1e12] },
  maximum: { wrong: (_, limit) => [limit + 1, limit + 0.5, limit * 2 + 2] },
  exclusiveMinimum: { wrong: (_, limit) => [limit, limit - 1] },
  exclusiveMaximum: { wrong: (_, limit) => [limit, limit + 1] },
  multipleOf: { wrong: (held, limit) => [held + limit / 2, held + limit / 3] },
};

const ofTexts: Keywords<string> = {
  minLength: { isIdle: isZero, wrong: (held, limit) => [[...held].slice(0, limit - 1).join("")] },
  maxLength: {
    wrong: (held, limit) =>
      limit > mostLength
        ? []
        : ["a", "1"].map((each) => [...held.padEnd(limit + held.length, each)].slice(0, limit + 1).join("")),
  },
  pattern: {
    wrong: (held) => [
      ...[`${held}!`, `!${held}`, `${held}\n`, "", held.slice(1), `${held}${held}`, "\u{e9}"],
      ...[held.toUpperCase(), `${held}\0`],
    ],
    opposite: () => true,
  },
  format: {
    isIdle: (format) => formats[String(format)] === undefined,
    wrong: () => ["no such thing", "1", ""],
    opposite: () => true,
  },
  contentEncoding: {},
  contentMediaType: {},
  contentSchema: {},
};

const ofLists: Keywords<readonly Json[]> = {
  minItems: { isIdle: isZero, wrong: (held, limit) => [held.slice(0, limit - 1)] },
  maxItems: {
    wrong: (held, limit) =>
      limit > mostLength ? [] : [Array.from({ length: limit + 1 }, (_, at) => held[at] ?? held[0] ?? null)],
  },
  uniqueItems: { isIdle: (isAsked) => !isAsked, wrong: (held) => [[...held, ...held.slice(0, 1)]] },
  contains: {
    opposite: ({ contains = true }) => ({ items: { not: contains } }),
  },
  maxContains: {
    opposite: ({ contains = true, maxContains }) => ({ items: contains, minItems: Number(maxContains) + 1 }),
  },
  prefixItems: {},
  unevaluatedItems: {},
};

const ofObjects: Keywords<JsonObject> = {
  minProperties: { isIdle: isZero, wrong: () => [{}] },
  maxProperties: {
    wrong: (held, limit) => {
      if (limit > mostLength) return [];
      const more = Array.from({ length: limit + 1 }, (_, at) => [`${otherName}${at}`, "x"]);
      return [{ ...held, ...Object.fromEntries(more) }];
    },
  },
  additionalProperties: {
    isIdle: (others) => others !== false,
    wrong: (held) => [{ ...held, undeclared: 1 }],
  },
  patternProperties: {},
  propertyNames: {},
  dependentRequired: {},
  dependentSchemas: {},
  unevaluatedProperties: {},
};

const ofAll: Keywords<Json> = {
  enum: { wrong: () => ofAnyType },
  const: { wrong: () => ofAnyType },
  not: { opposite: ({ not = true }) => not },
  $dynamicRef: {},
};

/** For each format, the strings that it allows, and the strings that requests contain. Both are approximate. */
export const formats: { readonly [format: string]: readonly [allowed: RegExp, sent: RegExp] } = {
  date: [/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-[01][1-9]$/],
  "date-time": [
    /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/i,
    /^20\d\d-0[1-9]-[01][1-9]T[01]\d:[0-5]\d:[0-5]\dZ$/,
  ],
  time: [/^\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i, /^[01]\d:[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/],
  uuid: [
    /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
    /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/,
  ],
  email: [/^[^\s@]+@[^\s@]+$/, /^[a-z]{1,9}@[a-z]{1,9}\.test$/],
  uri: [
    /^[a-z][a-z\d+.-]*:(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})*$/i,
    /^https?:\/\/[a-z]{1,9}\.test(?:\/[\w.~-]{1,9}){0,3}(?:\?[a-z]{1,3}=\w{0,5})?$/,
  ],
  "uri-reference": [/^[^\s<>"{}|\\^`]*$/, /^(?:\/[\w.~-]{1,9}){1,3}$/],
  hostname: [/^[a-z\d.-]+$/i, /^[a-z]{1,9}\.test$/],
  duration: [/^P[\dTYMWDHS.]+$/, /^P[1-9]DT[1-9]H$/],
  ipv4: [/^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/, /^1\d\d(?:\.[1-9]?\d){3}$/],
  ipv6: [/^(?=.*:.*:)[\da-f:.]+$/i, /^(?:[\da-f]{1,4}:){7}[\da-f]{1,4}$/],
};

export const looseFormats = ["password", "binary", "float", "double", "int64", "byte"];

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
  typeof value !== "string" || formats[format]?.[0].test(value) !== false;

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

/** The keywords that a schema has, and whether requests violate each of them. */
export function keywordsIn(parts: readonly JsonObject[]): { name: string; type: string; isSent: boolean }[] {
  return [...keywords].flatMap(([name, { type, isIdle, wrong, opposite }]) => {
    const isThere = parts.some(({ [name]: limit }) => limit !== undefined && isIdle?.(limit) !== true);
    return isThere ? [{ name, type, isSent: (wrong ?? opposite) !== undefined }] : [];
  });
}

/** The strictest bound of a keyword that starts with `min`, `max`, `exclusiveMin` or `exclusiveMax`. */
export function boundOf(parts: readonly JsonObject[], keyword: string, otherwise: number): number {
  const bounds = parts.map((part) => part[keyword]).filter((bound) => typeof bound === "number");
  const narrowest = /^max|^exclusiveMax/.test(keyword) ? Math.min : Math.max;
  return bounds.length === 0 ? otherwise : narrowest(...bounds);
}

/** Values that may have the verdict, made from a valid value. */
export function wrongValues(parts: readonly JsonObject[], verdict: string, held: Json): readonly Json[] {
  const keyword = keywords.get(verdict);
  const isMeant = keyword !== undefined && isAbout(keyword, held);
  return (isMeant && keyword.wrong?.(held, boundOf(parts, verdict, 0))) || ofAnyType;
}

/** The schemas of values that may violate the keyword. */
export function oppositesOf(parts: readonly JsonObject[], verdict: string): Json[] {
  const { opposite } = keywords.get(verdict) ?? {};
  return opposite === undefined ? [] : parts.filter((part) => part[verdict] !== undefined).map(opposite);
}
