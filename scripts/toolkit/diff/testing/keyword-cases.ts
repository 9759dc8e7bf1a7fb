/** Changes of schemas in which keywords act together. */
import type { Json, JsonObject } from "../../openapi/document.ts";
import type { Impact } from "../changes.ts";
import {
  type Row as Case,
  closed,
  documentWith,
  inRequest,
  inResponse,
  integer,
  list,
  matching,
  number,
  object,
  open,
  ref,
  schemas,
  string,
  text,
} from "./notation.ts";

/** Not written as a literal key, because the linter rejects objects with a key `then`, which look like promises. */
const consequence = "then";
const nil = { type: "null" };
const ab = { a: text, b: text };
const a = open({ a: text });
const kind = (value: string, more: JsonObject = {}): JsonObject =>
  open({ kind: { const: value }, ...more }, ["kind"]);
const ifKind = (value: string, more: JsonObject): JsonObject => ({
  type: "object",
  if: { properties: { kind: { const: value } }, required: ["kind"] },
  [consequence]: more,
});
const eitherOf = (...names: string[]): JsonObject =>
  open(ab, [], { anyOf: names.map((name) => ({ required: [name] })) });
const int = (format: string): JsonObject => ({ ...integer, format });
const names = (propertyNames: JsonObject): JsonObject => object({ propertyNames });
const patterned = (patternProperties: JsonObject, more: JsonObject = {}): JsonObject =>
  object({ patternProperties, ...more });
const deep = (leaf: Json): JsonObject => open({ a: open({ b: list({ items: open({ c: leaf }) }) }) });
const x = { a: text, b: integer };

/** A wide schema, and a narrow one that allows fewer values. */
const narrowings: readonly [title: string, wide: Json, narrow: Json][] = [
  ["format int64 or int32", int("int64"), int("int32")],
  ["a list's union", list({ items: { oneOf: [text, integer] } }), list({ items: text })],
  [
    "a tuple's length",
    list({ prefixItems: [text], items: false }),
    list({ prefixItems: [text], maxItems: 1, minItems: 1 }),
  ],
  ["an object or a constant", open(x), { const: { a: "x", b: 1 } }],
  ["constants or an enum", { anyOf: [{ const: "a" }, { const: "b" }, { const: "c" }] }, { enum: ["a", "b"] }],
  ["two types or one", { type: ["string", "integer"] }, text],
  ["number or integer, with null", { type: ["number", "null"] }, { type: ["integer", "null"] }],
  ["a component with or without null", { anyOf: [ref("Thing"), nil] }, ref("Thing")],
  ["one or two forbidden values", string({ not: { enum: ["a"] } }), string({ not: { enum: ["a", "b"] } })],
  ["two names or one", names({ enum: ["a", "b"] }), names({ enum: ["a"] })],
  [
    "the length of other properties",
    object({ additionalProperties: text }),
    object({ additionalProperties: string({ maxLength: 5 }) }),
  ],
  [
    "the length of matching properties",
    patterned({ "^x-": text }),
    patterned({ "^x-": string({ maxLength: 3 }) }),
  ],
  ["the pattern of restricted names", patterned({ "^xy": integer }), patterned({ "^x": integer })],
  [
    "a closed object with or without matching properties",
    patterned({ "^x-": text }, { properties: { a: text }, additionalProperties: false }),
    closed({ a: text }),
  ],
  [
    "unevaluatedItems",
    list({ prefixItems: [text], unevaluatedItems: number }),
    list({ prefixItems: [text], unevaluatedItems: integer }),
  ],
  [
    "unevaluatedProperties",
    { allOf: [a], unevaluatedProperties: number },
    { allOf: [a], unevaluatedProperties: integer },
  ],
  ["decimals or whole numbers", { ...number, multipleOf: 0.01 }, { ...number, multipleOf: 1 }],
  ["a keyword next to a reference", ref("Name"), ref("Name", { maxLength: 3 })],
  ["a condition on a constant", object(), ifKind("a", { required: ["b"] })],
  ["the consequence of a condition", ifKind("a", { required: ["b"] }), ifKind("a", { required: ["b", "c"] })],
  ["a deep property", deep(number), deep(integer)],
  ["required inside allOf", { allOf: [a, open({ b: text })] }, { allOf: [a, open({ b: text }, ["b"])] }],
  ["a pattern's prefix", matching("^a"), matching("^ab")],
  ["an anchored pattern", matching("a"), matching("^a")],
  ["the length of a pattern", matching("^[a-z]{1,10}$"), matching("^[a-z]{1,5}$")],
  ["one of two required properties", eitherOf("a", "b"), eitherOf("a")],
  ["minProperties", object({ minProperties: 1 }), object({ minProperties: 2 })],
  ["the values of a list", list({ items: { enum: ["a", "b"] } }), list({ items: { enum: ["a"] } })],
  [
    "the values of a map",
    object({ additionalProperties: list({ items: number }) }),
    object({ additionalProperties: list({ items: integer }) }),
  ],
  [
    "a member of a discriminated union",
    { oneOf: [kind("a", { n: number }), kind("b")] },
    { oneOf: [kind("a", { n: integer }), kind("b")] },
  ],
  [
    "a required member of a union",
    { oneOf: [kind("a", { n: number }), kind("b")] },
    { oneOf: [open({ kind: { const: "a" }, n: number }, ["kind", "n"]), kind("b")] },
  ],
  [
    "contains with more matches",
    list({ contains: { const: 1 } }),
    list({ contains: { const: 1 }, minContains: 3 }),
  ],
  ["contains another schema", list({ contains: number }), list({ contains: integer })],
  [
    "a dependent property",
    open(ab),
    open(ab, [], { dependentSchemas: { a: { properties: { b: { maxLength: 1 } } } } }),
  ],
  ["a forbidden property", object(), object({ not: { required: ["a"] } })],
  [
    "a multiple inside a range",
    { ...integer, minimum: 0, maximum: 100 },
    { ...integer, minimum: 0, maximum: 100, multipleOf: 5 },
  ],
  ["a format inside a union", { oneOf: [text, nil] }, { oneOf: [string({ format: "email" }), nil] }],
  [
    "exactly one or any number of schemas",
    { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    { oneOf: [{ required: ["a"] }, { required: ["b"] }] },
  ],
  ["the schema behind $dynamicRef", ref("Page"), ref("StrictPage")],
];

/** Two schemas that allow the same values. */
const rewrites: readonly [title: string, one: Json, other: Json][] = [
  [
    "propertyNames or patternProperties",
    names({ pattern: "^x-" }),
    patterned({ "^x-": true }, { additionalProperties: false }),
  ],
  [
    "`if` or `anyOf` with `not`",
    { if: text, [consequence]: { minLength: 2 } },
    { anyOf: [{ not: text }, { minLength: 2 }] },
  ],
  ["`if` and `else` or `anyOf`", { if: text, else: { minimum: 2 } }, { anyOf: [text, { minimum: 2 }] }],
  ["$dynamicRef or $ref", ref("Tree"), ref("PlainTree")],
  ["a bound between integers", { ...integer, minimum: 1.5 }, { ...integer, minimum: 2 }],
  ["enum or pattern", string({ enum: ["a", "b"] }), matching("^[ab]$")],
  ["const or enum", { const: "a" }, { enum: ["a"] }],
  ["type null or const null", nil, { const: null }],
  ["`not` twice", { not: { not: text } }, text],
  [
    "a forbidden property or a property without values",
    object({ not: { required: ["a"] } }),
    object({ properties: { a: false } }),
  ],
  ["allOf or one object", { allOf: [open({ a: text }, ["a"]), open({ b: text })] }, open(ab, ["a"])],
  [
    "allOf with references or one object",
    { allOf: [ref("Thing"), open({ b: text })] },
    open({ id: integer, b: text }, ["id"]),
  ],
  [
    "dependentRequired or a condition",
    open(ab, [], { dependentRequired: { a: ["b"] } }),
    open(ab, [], { if: { required: ["a"] }, [consequence]: { required: ["b"] } }),
  ],
  [
    "dependentRequired or dependentSchemas",
    open(ab, [], { dependentRequired: { a: ["b"] } }),
    open(ab, [], { dependentSchemas: { a: { required: ["b"] } } }),
  ],
  ["items without restrictions", list(), list({ items: {} })],
  ["other properties without restrictions", open(ab), open(ab, [], { additionalProperties: {} })],
  ["a union of one", { oneOf: [text] }, text],
  [
    "a closed union or a closed object",
    { allOf: [open({ a: text }), open({ b: text })], unevaluatedProperties: false },
    closed(ab),
  ],
  ["no items", list({ maxItems: 0 }), list({ items: false })],
  ["a range or an enum", { ...integer, minimum: 1, maximum: 3 }, { enum: [1, 2, 3] }],
  ["forbidden values", { not: { enum: [1, 2] } }, { not: { anyOf: [{ const: 1 }, { const: 2 }] } }],
  ["false or `not` of everything", list({ items: false }), list({ items: { not: {} } })],
  ["a list with one type", { type: ["string"] }, text],
  ["required without names", open(ab), object({ properties: ab })],
  [
    "null in anyOf or in type",
    { anyOf: [string({ maxLength: 3 }), nil] },
    { type: ["string", "null"], maxLength: 3 },
  ],
  ["null in enum or in anyOf", { enum: ["a", null] }, { anyOf: [{ const: "a" }, nil] }],
  ["required inside or outside allOf", { allOf: [a, { required: ["a"] }] }, open({ a: text }, ["a"])],
  ["an inlined component", ref("Name"), text],
  [
    "nested allOf",
    { allOf: [{ allOf: [text, { minLength: 1 }] }, { maxLength: 5 }] },
    string({ minLength: 1, maxLength: 5 }),
  ],
  ["nested anyOf", { anyOf: [{ anyOf: [text, integer] }, nil] }, { anyOf: [text, integer, nil] }],
  [
    "a union with common properties",
    { oneOf: [kind("a", { n: text }), kind("b", { n: text })] },
    {
      type: "object",
      required: ["kind"],
      properties: { n: text },
      oneOf: [{ properties: { kind: { const: "a" } } }, { properties: { kind: { const: "b" } } }],
    },
  ],
  [
    "multiples of two factors",
    { ...integer, multipleOf: 6 },
    { ...integer, allOf: [{ multipleOf: 2 }, { multipleOf: 3 }] },
  ],
  ["minItems or contains of anything", list({ minItems: 2 }), list({ contains: true, minContains: 2 })],
  ["a reference to $defs", ref("Holder"), open({ a: string({ minLength: 1 }) })],
  ["a default of a bound", string({ minLength: 0 }), text],
  ["the order of a type list", { type: ["string", "integer"] }, { type: ["integer", "string"] }],
];

const $dynamicAnchor = "item";
const page = (required: string[]): JsonObject => ({
  $id: `https://a.test/page-${required.length}`,
  $defs: { item: { $dynamicAnchor, ...open({ id: integer }, required) } },
  type: "array",
  items: { $dynamicRef: "#item" },
});
const components = schemas({
  Name: text,
  Thing: open({ id: integer }, ["id"]),
  Page: page([]),
  StrictPage: page(["id"]),
  Tree: { $id: "https://a.test/tree", $dynamicAnchor: "node", ...open({ next: { $dynamicRef: "#node" } }) },
  PlainTree: open({ next: ref("PlainTree") }),
  Holder: { ...open({ a: ref("Holder/$defs/name") }), $defs: { name: string({ minLength: 1 }) } },
});

const casesOf = (title: string, old: Json, now: Json, request: Impact, response: Impact): Case[] => [
  [
    `request: ${title}`,
    documentWith(inRequest(old), components),
    documentWith(inRequest(now), components),
    request,
  ],
  [
    `response: ${title}`,
    documentWith(inResponse(old), components),
    documentWith(inResponse(now), components),
    response,
  ],
];

export const keywordCases: readonly Case[] = [
  ...narrowings.flatMap(([title, wide, narrow]) =>
    casesOf(`${title}, narrowed`, wide, narrow, "major", "minor"),
  ),
  ...narrowings.flatMap(([title, wide, narrow]) =>
    casesOf(`${title}, widened`, narrow, wide, "minor", "major"),
  ),
  ...rewrites.flatMap(([title, one, other]) => casesOf(`${title}, rewritten`, one, other, "patch", "patch")),
  ...rewrites.flatMap(([title, one, other]) =>
    casesOf(`${title}, rewritten back`, other, one, "patch", "patch"),
  ),
];
