/** Changes of a schema in a request or a response. */
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
const cat = closed({ kind: { const: "cat" }, lives: number }, ["kind"]);
const dog = closed({ kind: { const: "dog" }, tricks: number }, ["kind"]);
const bird = closed({ kind: { const: "bird" } }, ["kind"]);
const ab = { a: text, b: text };
const dependent = (more: JsonObject): JsonObject => open(ab, [], { dependentSchemas: { a: more } });
const ifA = { if: { required: ["a"] } };
const anyOther = open(ab, [], { additionalProperties: true });

/** Changes that narrow a schema. Their verdicts follow: for a request, for a response, and for the reverse change. */
const narrowings: readonly [title: string, wide: Json, narrow: Json][] = [
  ["type number or integer", number, integer],
  ["type with or without null", { type: ["string", "null"] }, text],
  ["a schema that allows any value", {}, text],
  ["items true or false", list({ items: true }), list({ items: false })],
  ["enum", { enum: ["a", "b", "c"] }, { enum: ["a", "b"] }],
  ["const", { enum: [1, 2] }, { const: 1 }],
  ["minLength", text, string({ minLength: 1 })],
  ["maxLength", string({ maxLength: 9 }), string({ maxLength: 8 })],
  ["pattern", text, matching("^a")],
  ["a pattern that implies another pattern", matching("^\\w+$"), matching("^[A-F0-9]+$")],
  ["a pattern that implies a length", string({ minLength: 2 }), matching("^\\d{3,5}$")],
  ["format", text, string({ format: "uuid" })],
  ["format uri-reference or uri", string({ format: "uri-reference" }), string({ format: "uri" })],
  ["a format with or without enum", string({ format: "uri" }), string({ format: "uri", enum: ["a:b"] })],
  ["format int32 or an enum of such integers", { ...integer, format: "int32" }, { ...integer, enum: [1, 2] }],
  ["minimum", number, { ...number, minimum: 0 }],
  ["maximum", { ...number, maximum: 10 }, { ...number, maximum: 9.5 }],
  ["exclusiveMinimum", { ...number, minimum: 0 }, { ...number, exclusiveMinimum: 0 }],
  ["exclusiveMaximum", { ...number, exclusiveMaximum: 5 }, { ...number, exclusiveMaximum: 4 }],
  ["maximum or exclusiveMaximum", { ...number, maximum: 5 }, { ...number, exclusiveMaximum: 5 }],
  ["multipleOf", { ...number, multipleOf: 5 }, { ...number, multipleOf: 10 }],
  ["multipleOf with fractions", { ...number, multipleOf: 0.05 }, { ...number, multipleOf: 0.1 }],
  ["items", list({ items: number }), list({ items: integer })],
  ["minItems", list(), list({ minItems: 1 })],
  ["maxItems", list({ maxItems: 9 }), list({ maxItems: 8 })],
  ["uniqueItems", list({ items: text }), list({ items: text, uniqueItems: true })],
  ["prefixItems", list({ prefixItems: [text] }), list({ prefixItems: [text, number] })],
  ["items after prefixItems", list({ prefixItems: [text] }), list({ prefixItems: [text], items: false })],
  ["contains", list(), list({ contains: { const: "a" } })],
  ["minContains", list({ contains: text }), list({ contains: text, minContains: 2 })],
  ["minContains 0 or its default", list({ contains: text, minContains: 0 }), list({ contains: text })],
  ["maxContains", list({ contains: text, maxContains: 3 }), list({ contains: text, maxContains: 2 })],
  ["unevaluatedItems", list({ prefixItems: [text] }), list({ prefixItems: [text], unevaluatedItems: false })],
  ["unevaluatedItems and contains", { contains: text }, { contains: text, unevaluatedItems: false }],
  ["required", open({ a: text }), open({ a: text }, ["a"])],
  ["a property's schema", open({ a: number }), open({ a: integer })],
  ["additionalProperties false", open({ a: text }), closed({ a: text })],
  ["additionalProperties", { additionalProperties: number }, { additionalProperties: integer }],
  ["patternProperties", object(), object({ patternProperties: { "^x-": text } })],
  ["propertyNames", object(), object({ propertyNames: { pattern: "^[a-z]+$" } })],
  ["propertyNames with maxLength", { propertyNames: { maxLength: 3 } }, { propertyNames: { maxLength: 2 } }],
  ["minProperties", object(), object({ minProperties: 1 })],
  ["maxProperties", object({ maxProperties: 3 }), object({ maxProperties: 2 })],
  ["dependentRequired", open(ab), open(ab, [], { dependentRequired: { a: ["b"] } })],
  ["dependentSchemas", open(ab), open(ab, [], { dependentSchemas: { a: { required: ["b"] } } })],
  ["unevaluatedProperties", { allOf: [open(ab)] }, { allOf: [open(ab)], unevaluatedProperties: false }],
  ["a property with the name of an inherited member", open({ constructor: {} }), open({ constructor: text })],
  ["a required property named __proto__", object(), object({ required: ["__proto__"] })],
  ["a property named $ref", open({ $ref: {} }), open({ $ref: text })],
  ["allOf", { allOf: [open({ a: text })] }, { allOf: [open({ a: text }), { required: ["a"] }] }],
  ["allOf that allows nothing", text, { allOf: [text, integer] }],
  ["anyOf", { anyOf: [text, number] }, { anyOf: [text] }],
  ["oneOf discriminated by a property", { oneOf: [cat, dog, bird] }, { oneOf: [cat, dog] }],
  ["anyOf or oneOf with overlapping branches", { anyOf: [number, integer] }, { oneOf: [number, integer] }],
  ["not", text, string({ not: { const: "a" } })],
  ["`not` with one or two types", { not: text }, { not: { type: ["string", "integer"] } }],
  ["`if` with `then`", open(ab), open(ab, [], { ...ifA, [consequence]: { required: ["b"] } })],
  ["`if` with `else`", open(ab), open(ab, [], { ...ifA, else: { required: ["b"] } })],
  ["contentEncoding", text, string({ contentEncoding: "base64" })],
];

/** Changes that do not affect which values are valid. */
const rewordings: readonly [title: string, old: Json, now: Json][] = [
  ["minLength 0 is added, which has no effect", text, string({ minLength: 0 })],
  ["uniqueItems false is added, which has no effect", list(), list({ uniqueItems: false })],
  ["contains with minContains 0 is added", list(), list({ contains: text, minContains: 0 })],
  ["`else` is added without `if`, which has no effect", text, { ...text, else: { maxLength: 1 } }],
  ["an exclusiveMinimum below minimum is added", { minimum: 3 }, { minimum: 3, exclusiveMinimum: 1 }],
  ["an enum becomes oneOf with const", { enum: ["a", "b"] }, { oneOf: [{ const: "a" }, { const: "b" }] }],
  ["the order of an enum changes", { enum: ["a", "b"] }, { enum: ["b", "a"] }],
  ["a list of types becomes oneOf", { type: ["string", "null"] }, { oneOf: [{ type: "null" }, text] }],
  ["a schema becomes the only branch of allOf", text, { allOf: [text] }],
  ["keywords move into branches of allOf", string({ minLength: 1 }), { allOf: [text, { minLength: 1 }] }],
  ["the order of anyOf changes", { anyOf: [text, number] }, { anyOf: [number, text] }],
  ["a branch that another one includes is added", text, { anyOf: [text, string({ minLength: 3 })] }],
  ["oneOf with disjoint branches becomes anyOf", { oneOf: [cat, dog] }, { anyOf: [dog, cat] }],
  ["anyOf with disjoint types becomes oneOf", { anyOf: [text, integer] }, { oneOf: [text, integer] }],
  ["exclusiveMinimum 0 becomes minimum 1", { ...integer, exclusiveMinimum: 0 }, { ...integer, minimum: 1 }],
  ["type integer becomes a number with multipleOf 1", integer, { ...number, multipleOf: 1 }],
  ["a pattern becomes an equivalent pattern", matching("^[0-9]+$"), matching("^\\d\\d*$")],
  ["a length becomes a pattern", string({ minLength: 2, maxLength: 3 }), matching("^[\\s\\S]{2,3}$")],
  ["the order of required changes", open(ab, ["a", "b"]), open(ab, ["b", "a"])],
  ["a description is added", open({ a: text }), open({ a: string({ description: "An A." }) })],
  ["format password is added, which has no effect", text, string({ format: "password" })],
  ["additionalProperties becomes unevaluated", closed(ab), open(ab, [], { unevaluatedProperties: false })],
  ["the order of an enum inside `not` changes", { not: { enum: [1, 2] } }, { not: { enum: [2, 1] } }],
  [
    "dependentRequired next to required",
    open(ab, ["b"]),
    open(ab, ["b"], { dependentRequired: { a: ["b"] } }),
  ],
  ["minProperties is added next to required", open({}, ["a"]), open({}, ["a"], { minProperties: 1 })],
  ["uniqueItems is added to at most one item", { maxItems: 1 }, { maxItems: 1, uniqueItems: true }],
  ["`if` for another type is added", integer, { ...integer, if: text, [consequence]: { maxLength: 1 } }],
  ["additionalProperties true is added", open(ab), anyOther],
  ["type boolean becomes an enum", { type: "boolean" }, { enum: [true, false] }],
];

type Row = readonly [
  title: string,
  old: Json,
  now: Json,
  expected: Impact | undefined,
  components?: JsonObject,
];
const withDefault = (value: Json): JsonObject => open({ a: string({ default: value }) });
const readOnly = string({ readOnly: true });
const writeOnly = string({ writeOnly: true });
const byProperty = (propertyName: string): JsonObject => ({
  oneOf: [cat, dog],
  discriminator: { propertyName },
});
const cards = {
  Card: open({ type: { const: "card" }, number: text }, ["type"]),
  Cash: open({ type: { const: "cash" } }, ["type"]),
  Bank: open({ type: { const: "bank" } }, ["type"]),
};
const tagged = { Card: open({ type: text, number: text }, ["type"]), Cash: open({ type: text }, ["type"]) };
/** @param mapping the name of a component for each tag (discriminator value) */
const byTag = (mapping: { readonly [tag: string]: string }): JsonObject => ({
  oneOf: [...new Set(Object.values(mapping))].toSorted().map((name) => ref(name)),
  discriminator: {
    propertyName: "type",
    mapping: Object.fromEntries(Object.entries(mapping).map(([tag, name]) => [tag, ref(name).$ref as Json])),
  },
});
const twoCards = byTag({ card: "Card", cash: "Cash" });
const threeCards = byTag({ card: "Card", cash: "Cash", bank: "Bank" });

const requests: readonly Row[] = [
  ["an optional property is added to an open object", open({ a: text }), open(ab), "minor"],
  ["an optional property is added to a closed object", closed({ a: text }), closed(ab), "minor"],
  ["a required property is added", open({ a: text }), open(ab, ["b"]), "major"],
  ["a property is removed from a closed object", closed(ab), closed({ a: text }), "major"],
  ["a property is removed from an open object", open(ab), open({ a: text }), "major"],
  ["an object that allowed any property now declares one", object(), open({ a: text }), "major"],
  ["an optional property becomes readOnly", open({ a: text }), open({ a: readOnly }), "major"],
  ["readOnly is removed from an optional property", open({ a: readOnly }), open({ a: text }), "minor"],
  ["a required property loses readOnly", open({ a: readOnly }, ["a"]), open({ a: text }, ["a"]), "major"],
  ["a readOnly property becomes required", open({ a: readOnly }), open({ a: readOnly }, ["a"]), "patch"],
  ["a readOnly property gets another type", open({ a: readOnly }), open({ a: { readOnly: true } }), "patch"],
  ["writeOnly is added, which has no effect in requests", open({ a: text }), open({ a: writeOnly }), "patch"],
  ["a default is added", open({ a: text }), withDefault("x"), "minor"],
  ["a default changes", withDefault("x"), withDefault("y"), "major"],
  ["a default is removed", withDefault("x"), open({ a: text }), "major"],
  [
    "a dependent property is added",
    open({ a: text }),
    open(ab, [], { dependentRequired: { b: ["a"] } }),
    "minor",
  ],
  ["a list is allowed in addition", open({ a: text }), open({ a: { oneOf: [text, list()] } }), "minor"],
  [
    "an overlapping alternative is added to oneOf",
    { oneOf: [open({}, ["a"])] },
    { oneOf: [open({}, ["a"]), open({}, ["b"])] },
    "major",
  ],
  ["a pattern that cannot be compared", matching("^(?=a)"), matching("^(?=a|b)"), "major"],
  ["the format changes", string({ format: "date" }), string({ format: "date-time" }), "major"],
  ["the XML name changes", { ...object(), xml: { name: "a" } }, { ...object(), xml: { name: "b" } }, "major"],
  ["format uri becomes iri", string({ format: "uri" }), string({ format: "iri" }), "minor"],
  ["contentEncoding changes", { contentEncoding: "base64" }, { contentEncoding: "base64url" }, "major"],
  ["a boolean becomes true", { type: "boolean" }, { const: true }, "major"],
  ["the order of a const's members changes", { const: { a: 1, b: 2 } }, { const: { b: 2, a: 1 } }, undefined],
  [
    "the schema of `if` changes",
    { if: text, [consequence]: { minLength: 2 } },
    { if: string({ maxLength: 9 }), [consequence]: { minLength: 2 } },
    "minor",
  ],
  ["a bound gets wider, the other narrower", { minimum: 1, maximum: 9 }, { minimum: 0, maximum: 8 }, "major"],
  ["a property gets narrower, another is added", open({ a: number }), open({ a: integer, b: text }), "major"],
  ["an alternative is added to a union with a discriminator", twoCards, threeCards, "minor", cards],
  ["an alternative is removed from a union with a discriminator", threeCards, twoCards, "major", cards],
  ["the discriminator uses another property", byProperty("kind"), byProperty("sort"), "major"],
  [
    "a discriminator value selects another schema",
    byTag({ c: "Card", d: "Cash" }),
    byTag({ d: "Card", c: "Cash" }),
    "major",
    tagged,
  ],
  ["an implied discriminator is added", { oneOf: [ref("Card"), ref("Cash")] }, twoCards, "patch", cards],
  ["the schema of a property is removed", open({ a: open(ab) }), open({ a: {} }), "minor"],
  ["all properties are removed", open(ab), object(), "major"],
  ["dependentSchemas with a property are removed", dependent(open({ c: text })), open(ab), "minor"],
  [
    "dependentSchemas require less",
    dependent({ required: ["b", "c"] }),
    dependent({ required: ["b"] }),
    "minor",
  ],
  ["a keyword is added next to $ref", ref("Card"), ref("Card", { maxProperties: 5 }), "major", cards],
  ["a description is added next to $ref", ref("Card"), ref("Card", { description: "A." }), "patch", cards],
];

const responses: readonly Row[] = [
  ["a property is added", open({ a: text }), open(ab), "minor"],
  ["a property is added to a closed object", closed({ a: text }), closed(ab), "major"],
  ["a required property is added", open({ a: text }), open(ab, ["b"]), "minor"],
  ["an optional property is removed", open(ab), open({ a: text }), "major"],
  ["an optional property is removed from a closed object", closed(ab), closed({ a: text }), "major"],
  ["a property becomes writeOnly", open({ a: text }), open({ a: writeOnly }), "major"],
  ["writeOnly is removed", open({ a: writeOnly }), open({ a: text }), "minor"],
  ["readOnly is added, which has no effect in responses", open({ a: text }), open({ a: readOnly }), "patch"],
  ["a default changes", withDefault("x"), withDefault("y"), "minor"],
  ["an object becomes a map", open({ a: text }), object({ additionalProperties: text }), "major"],
  ["an alternative is added to a union with a discriminator", twoCards, threeCards, "major", cards],
  ["an alternative is removed from a union with a discriminator", threeCards, twoCards, "minor", cards],
  ["additionalProperties true is removed", anyOther, open(ab), "patch"],
  ["dependentSchemas with a property are removed", dependent(open({ c: text })), open(ab), "major"],
  ["a discriminator value is renamed", byTag({ c: "Card" }), byTag({ k: "Card" }), "major", tagged],
  [
    "the discriminator's mapping uses a component's name instead of a reference",
    byTag({ c: "Card" }),
    { oneOf: [ref("Card")], discriminator: { propertyName: "type", mapping: { c: "Card" } } },
    undefined,
    tagged,
  ],
];

function casesOf(label: string, rows: readonly Row[], operation: (schema: Json) => JsonObject): Case[] {
  return rows.map(([title, old, now, expected, components = {}]) => [
    `${label}: ${title}`,
    documentWith(operation(old), schemas(components)),
    documentWith(operation(now), schemas(components)),
    expected,
  ]);
}

export const schemaCases: readonly Case[] = [
  ...casesOf(
    "request",
    [
      ...narrowings.map(([title, wide, narrow]): Row => [`${title}, narrowed`, wide, narrow, "major"]),
      ...narrowings.map(([title, wide, narrow]): Row => [`${title}, widened`, narrow, wide, "minor"]),
      ...rewordings.map(([title, old, now]): Row => [title, old, now, "patch"]),
      ...rewordings.map(([title, old, now]): Row => [`${title}, undone`, now, old, "patch"]),
      ...requests,
    ],
    inRequest,
  ),
  ...casesOf(
    "response",
    [
      ...narrowings.map(([title, wide, narrow]): Row => [`${title}, narrowed`, wide, narrow, "minor"]),
      ...narrowings.map(([title, wide, narrow]): Row => [`${title}, widened`, narrow, wide, "major"]),
      ...rewordings.map(([title, old, now]): Row => [title, old, now, "patch"]),
      ...responses,
    ],
    inResponse,
  ),
];
