/** Changes of a schema, in a request, a response or a parameter. */
import type { Json, JsonObject } from "../../openapi/document.ts";
import type { Impact } from "../changes.ts";
import {
  type Case,
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
  parameter,
  ref,
  schemas,
  string,
  text,
} from "./notation.ts";

/** A literal key `then` would make the object look like a promise. */
const consequence = "then";
const cat = closed({ kind: { const: "cat" }, lives: number }, ["kind"]);
const dog = closed({ kind: { const: "dog" }, tricks: number }, ["kind"]);
const bird = closed({ kind: { const: "bird" } }, ["kind"]);
const ab = { a: text, b: text };

/** Changes that narrow a schema. Their verdicts follow: for a request, for a response, and for the reverse change. */
const narrowings: readonly [title: string, wide: Json, narrow: Json][] = [
  ["type integer of number", number, integer],
  ["null", { type: ["string", "null"] }, text],
  ["any value", {}, text],
  ["true and false as schemas", list({ items: true }), list({ items: false })],
  ["enum", { enum: ["a", "b", "c"] }, { enum: ["a", "b"] }],
  ["enum of text", text, string({ enum: ["a"] })],
  ["const", { enum: [1, 2] }, { const: 1 }],
  ["a const that is an object", object(), { const: { a: 1 } }],
  ["minLength", text, string({ minLength: 1 })],
  ["maxLength", string({ maxLength: 9 }), string({ maxLength: 8 })],
  ["pattern", text, matching("^a")],
  ["a pattern within another", matching("^\\w+$"), matching("^[A-F0-9]+$")],
  ["a pattern that implies a length", string({ minLength: 2 }), matching("^\\d{3,5}$")],
  ["format", text, string({ format: "uuid" })],
  ["format uri of uri-reference", string({ format: "uri-reference" }), string({ format: "uri" })],
  ["format int32 of int64", { ...integer, format: "int64" }, { ...integer, format: "int32" }],
  ["enum of a format", string({ format: "uri" }), string({ format: "uri", enum: ["https://a.test"] })],
  ["enum within int32", { ...integer, format: "int32" }, { ...integer, enum: [1, 2] }],
  ["minimum", number, { ...number, minimum: 0 }],
  ["maximum", { ...number, maximum: 10 }, { ...number, maximum: 9.5 }],
  ["exclusiveMinimum", { ...number, minimum: 0 }, { ...number, exclusiveMinimum: 0 }],
  ["exclusiveMaximum", { ...number, exclusiveMaximum: 5 }, { ...number, exclusiveMaximum: 4 }],
  ["exclusiveMaximum of maximum", { ...number, maximum: 5 }, { ...number, exclusiveMaximum: 5 }],
  ["a bound of integers", { ...integer, exclusiveMinimum: 0 }, { ...integer, minimum: 2 }],
  ["multipleOf", { ...number, multipleOf: 5 }, { ...number, multipleOf: 10 }],
  ["multipleOf of fractions", { ...number, multipleOf: 0.05 }, { ...number, multipleOf: 0.1 }],
  ["items", list({ items: number }), list({ items: integer })],
  ["minItems", list(), list({ minItems: 1 })],
  ["maxItems", list({ maxItems: 9 }), list({ maxItems: 8 })],
  ["uniqueItems", list({ items: text }), list({ items: text, uniqueItems: true })],
  ["prefixItems", list({ prefixItems: [text] }), list({ prefixItems: [text, number] })],
  ["items after prefixItems", list({ prefixItems: [text] }), list({ prefixItems: [text], items: false })],
  ["prefixItems as items", list({ prefixItems: [number] }), list({ items: number })],
  [
    "a shorter tuple",
    list({ prefixItems: [text, text], items: false }),
    list({ prefixItems: [text], items: false }),
  ],
  ["contains", list(), list({ contains: { const: "a" } })],
  ["minContains", list({ contains: text }), list({ contains: text, minContains: 2 })],
  ["minContains by default", list({ contains: text, minContains: 0 }), list({ contains: text })],
  ["maxContains", list({ contains: text, maxContains: 3 }), list({ contains: text, maxContains: 2 })],
  ["unevaluatedItems", list({ prefixItems: [text] }), list({ prefixItems: [text], unevaluatedItems: false })],
  [
    "unevaluatedItems next to contains",
    list({ contains: text }),
    list({ contains: text, unevaluatedItems: false }),
  ],
  ["required", open({ a: text }), open({ a: text }, ["a"])],
  ["a property's schema", open({ a: number }), open({ a: integer })],
  ["additionalProperties closed", open({ a: text }), closed({ a: text })],
  [
    "additionalProperties of a map",
    object({ additionalProperties: number }),
    object({ additionalProperties: integer }),
  ],
  [
    "additionalProperties that allows nothing",
    object({ additionalProperties: number }),
    object({ additionalProperties: { not: {} } }),
  ],
  ["patternProperties", object(), object({ patternProperties: { "^x-": text } })],
  ["propertyNames", object(), object({ propertyNames: { pattern: "^[a-z]+$" } })],
  [
    "propertyNames of a length",
    object({ propertyNames: { maxLength: 3 } }),
    object({ propertyNames: { maxLength: 2 } }),
  ],
  ["minProperties", object(), object({ minProperties: 1 })],
  ["maxProperties", object({ maxProperties: 3 }), object({ maxProperties: 2 })],
  ["dependentRequired", open(ab), open(ab, [], { dependentRequired: { a: ["b"] } })],
  ["dependentSchemas", open(ab), open(ab, [], { dependentSchemas: { a: { required: ["b"] } } })],
  [
    "unevaluatedProperties",
    { allOf: [open({ a: text })] },
    { allOf: [open({ a: text })], unevaluatedProperties: false },
  ],
  ["a property named like what objects inherit", open({ constructor: {} }), open({ constructor: text })],
  ["required named like a prototype", object(), object({ required: ["__proto__"] })],
  ["a property named $ref", open({ $ref: {} }), open({ $ref: text })],
  ["a property named default", open({ default: {} }), open({ default: number })],
  ["allOf", { allOf: [open({ a: text })] }, { allOf: [open({ a: text }), { required: ["a"] }] }],
  ["allOf that allows nothing", text, { allOf: [text, integer] }],
  ["anyOf", { anyOf: [text, number] }, { anyOf: [text] }],
  ["null of anyOf", { anyOf: [text, { type: "null" }] }, text],
  ["oneOf discriminated by a property", { oneOf: [cat, dog, bird] }, { oneOf: [cat, dog] }],
  [
    "anyOf as oneOf, where branches overlap",
    { anyOf: [string({ minLength: 2 }), string({ maxLength: 5 })] },
    { oneOf: [string({ minLength: 2 }), string({ maxLength: 5 })] },
  ],
  ["not", text, string({ not: { const: "a" } })],
  ["not of more types", { not: text }, { not: { type: ["string", "integer"] } }],
  ["if, then", open(ab), open(ab, [], { if: { required: ["a"] }, [consequence]: { required: ["b"] } })],
  ["if, else", open(ab), open(ab, [], { if: { required: ["a"] }, else: { required: ["b"] } })],
  ["contentEncoding", text, string({ contentEncoding: "base64" })],
  [
    "a schema deep inside",
    list({ items: open({ a: open({ b: text }) }) }),
    list({ items: open({ a: open({ b: string({ maxLength: 5 }) }) }) }),
  ],
];

/** Changes after which exactly the same values are valid. */
const rewordings: readonly [title: string, old: Json, now: Json][] = [
  ["minLength 0 has no effect", text, string({ minLength: 0 })],
  ["uniqueItems false has no effect", list(), list({ uniqueItems: false })],
  ["minContains 0 requires nothing", list(), list({ contains: text, minContains: 0 })],
  ["an else without an if", text, { ...text, else: { maxLength: 1 } }],
  [
    "minimum below what another keyword sets",
    { ...number, minimum: 3 },
    { ...number, minimum: 3, exclusiveMinimum: 1 },
  ],
  ["an enum as oneOf consts", string({ enum: ["a", "b"] }), { oneOf: [{ const: "a" }, { const: "b" }] }],
  ["an enum in another order", { enum: ["a", "b"] }, { enum: ["b", "a"] }],
  ["a list of types as oneOf", { type: ["string", "null"] }, { oneOf: [{ type: "null" }, text] }],
  ["allOf of one", open({ a: text }, ["a"]), { allOf: [open({ a: text }, ["a"])] }],
  [
    "keywords spread over allOf",
    string({ minLength: 1, maxLength: 5 }),
    { allOf: [string({ minLength: 1 }), { maxLength: 5 }] },
  ],
  ["anyOf in another order", { anyOf: [text, number] }, { anyOf: [number, text] }],
  ["anyOf with a branch within another", text, { anyOf: [text, string({ minLength: 3 })] }],
  ["oneOf of disjoint schemas as anyOf", { oneOf: [cat, dog] }, { anyOf: [dog, cat] }],
  ["anyOf of disjoint types as oneOf", { anyOf: [text, integer] }, { oneOf: [text, integer] }],
  ["an integer's exclusive bound", { ...integer, exclusiveMinimum: 0 }, { ...integer, minimum: 1 }],
  ["an integer as a whole number", integer, { ...number, multipleOf: 1 }],
  ["an equivalent pattern", matching("^[0-9]+$"), matching("^\\d\\d*$")],
  ["a length as a pattern", string({ minLength: 2, maxLength: 3 }), matching("^[\\s\\S]{2,3}$")],
  ["required in another order", open(ab, ["a", "b"]), open(ab, ["b", "a"])],
  ["a description", open({ a: text }), open({ a: string({ description: "An A." }) })],
  ["format password, which restricts nothing", text, string({ format: "password" })],
  [
    "unevaluatedProperties for additionalProperties",
    closed({ a: text }),
    open({ a: text }, [], { unevaluatedProperties: false }),
  ],
  ["not of not", string({ not: { enum: ["a", "b"] } }), string({ not: { enum: ["b", "a"] } })],
  [
    "a dependentRequired that required implies",
    open(ab, ["b"]),
    open(ab, ["b"], { dependentRequired: { a: ["b"] } }),
  ],
  ["minProperties that required implies", open({}, ["a"]), open({}, ["a"], { minProperties: 1 })],
  ["uniqueItems of one item", list({ maxItems: 1 }), list({ maxItems: 1, uniqueItems: true })],
  ["if of another type", integer, { ...integer, if: text, [consequence]: { maxLength: 1 } }],
  ["boolean as an enum", { type: "boolean" }, { enum: [true, false] }],
];

type Row = readonly [
  title: string,
  old: Json,
  now: Json,
  expected: Impact | undefined,
  components?: JsonObject,
];
const readOnly = string({ readOnly: true });
const cards = {
  Card: open({ type: { const: "card" }, number: text }, ["type"]),
  Cash: open({ type: { const: "cash" } }, ["type"]),
  Bank: open({ type: { const: "bank" } }, ["type"]),
};
const tagged = { Card: open({ type: text, number: text }, ["type"]), Cash: open({ type: text }, ["type"]) };
/** @param mapping the name of a component for each tag */
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
  ["an optional property is added in an open object", open({ a: text }), open(ab), "minor"],
  ["an optional property is added in a closed object", closed({ a: text }), closed(ab), "minor"],
  ["a required property is added", open({ a: text }), open(ab, ["b"]), "major"],
  ["a property is removed from a closed object", closed(ab), closed({ a: text }), "major"],
  ["a property is removed from an open object", open(ab), open({ a: text }), "major"],
  ["an object of anything names a property", object(), open({ a: text }), "major"],
  ["readOnly for a required property", open({ a: text }, ["a"]), open({ a: readOnly }, ["a"]), "major"],
  ["readOnly for an optional property", open({ a: text }), open({ a: readOnly }), "major"],
  ["readOnly is removed, for an optional property", open({ a: readOnly }), open({ a: text }), "minor"],
  [
    "readOnly is removed, for a required one",
    open({ a: readOnly }, ["a"]),
    open({ a: text }, ["a"]),
    "major",
  ],
  ["a readOnly property becomes required", open({ a: readOnly }), open({ a: readOnly }, ["a"]), "patch"],
  [
    "a readOnly property gets another type",
    open({ a: readOnly }),
    open({ a: { ...number, readOnly: true } }),
    "patch",
  ],
  ["writeOnly changes nothing", open({ a: text }), open({ a: string({ writeOnly: true }) }), "patch"],
  ["a default is added", open({ a: text }), open({ a: string({ default: "x" }) }), "minor"],
  [
    "a default is another",
    open({ a: string({ default: "x" }) }),
    open({ a: string({ default: "y" }) }),
    "major",
  ],
  ["a default is removed", open({ a: string({ default: "x" }) }), open({ a: text }), "major"],
  [
    "a dependency on a property that is added",
    open({ a: text }),
    open(ab, [], { dependentRequired: { b: ["a"] } }),
    "minor",
  ],
  ["a list becomes a single value", list({ items: text }), text, "major"],
  [
    "a single value may become a list",
    open({ a: text }),
    open({ a: { oneOf: [text, list({ items: text })] } }),
    "minor",
  ],
  [
    "oneOf whose new alternative overlaps",
    { oneOf: [open({ a: text }, ["a"])] },
    { oneOf: [open({ a: text }, ["a"]), open({ b: text }, ["b"])] },
    "major",
  ],
  ["a pattern that cannot be compared", matching("^(?=a)"), matching("^(?=a|b)"), "major"],
  ["another format", string({ format: "date" }), string({ format: "date-time" }), "major"],
  ["another XML name", { ...object(), xml: { name: "a" } }, { ...object(), xml: { name: "b" } }, "major"],
  ["format iri for uri", string({ format: "uri" }), string({ format: "iri" }), "minor"],
  [
    "another contentEncoding",
    string({ contentEncoding: "base64" }),
    string({ contentEncoding: "base64url" }),
    "major",
  ],
  ["a boolean becomes true", { type: "boolean" }, { const: true }, "major"],
  ["a const object gets another member", { const: { a: 1 } }, { const: { a: 1, b: 2 } }, "major"],
  ["the order of a const's members", { const: { a: 1, b: 2 } }, { const: { b: 2, a: 1 } }, undefined],
  [
    "prefixItems in another order",
    list({ prefixItems: [text, number] }),
    list({ prefixItems: [number, text] }),
    "major",
  ],
  [
    "if is another",
    { if: text, [consequence]: { minLength: 2 } },
    { if: string({ maxLength: 9 }), [consequence]: { minLength: 2 } },
    "minor",
  ],
  [
    "both bounds at once, one narrower",
    { ...integer, minimum: 1, maximum: 9 },
    { ...integer, minimum: 0, maximum: 8 },
    "major",
  ],
  [
    "a property narrower while another is added",
    open({ a: text }),
    open({ a: { enum: ["x"] }, b: text }),
    "major",
  ],
  ["another alternative with a discriminator", twoCards, threeCards, "minor", cards],
  ["an alternative less with a discriminator", threeCards, twoCards, "major", cards],
  [
    "discriminator by another property",
    { oneOf: [cat, dog], discriminator: { propertyName: "kind" } },
    { oneOf: [cat, dog], discriminator: { propertyName: "sort" } },
    "major",
  ],
  [
    "a tag selects another schema",
    byTag({ c: "Card", d: "Cash" }),
    byTag({ d: "Card", c: "Cash" }),
    "major",
    tagged,
  ],
  [
    "a discriminator that the schemas imply",
    { oneOf: [ref("Card"), ref("Cash")] },
    byTag({ card: "Card", cash: "Cash" }),
    "patch",
    cards,
  ],
  ["a keyword next to a $ref", ref("Card"), ref("Card", { maxProperties: 5 }), "major", cards],
  ["a description next to a $ref", ref("Card"), ref("Card", { description: "A." }), "patch", cards],
];

const responses: readonly Row[] = [
  ["a property is added", open({ a: text }), open(ab), "minor"],
  ["a property is added in a closed object", closed({ a: text }), closed(ab), "major"],
  ["a required property is added", open({ a: text }), open(ab, ["b"]), "minor"],
  ["an optional property is removed", open(ab), open({ a: text }), "major"],
  ["an optional property is removed from a closed object", closed(ab), closed({ a: text }), "major"],
  ["a required property is removed", open({ a: text }, ["a"]), open({}), "major"],
  ["writeOnly for a property", open({ a: text }), open({ a: string({ writeOnly: true }) }), "major"],
  ["writeOnly is removed", open({ a: string({ writeOnly: true }) }), open({ a: text }), "minor"],
  ["readOnly changes nothing", open({ a: text }), open({ a: readOnly }), "patch"],
  [
    "a default is another",
    open({ a: string({ default: "x" }) }),
    open({ a: string({ default: "y" }) }),
    "minor",
  ],
  ["another format", string({ format: "email" }), string({ format: "idn-email" }), "major"],
  ["another const", { const: "a" }, { const: "b" }, "major"],
  ["a map for an object", open({ a: text }), object({ additionalProperties: text }), "major"],
  ["another alternative with a discriminator", twoCards, threeCards, "major", cards],
  ["an alternative less with a discriminator", threeCards, twoCards, "minor", cards],
  ["a tag has another value", byTag({ c: "Card" }), byTag({ k: "Card" }), "major", tagged],
  [
    "a tag mapped to a bare name",
    byTag({ c: "Card" }),
    { oneOf: [ref("Card")], discriminator: { propertyName: "type", mapping: { c: "Card" } } },
    "patch",
    tagged,
  ],
];

const parameters: readonly Row[] = [
  ["fewer values", { enum: ["a", "b"] }, { enum: ["a"] }, "major"],
  ["a higher maximum", { ...integer, maximum: 10 }, { ...integer, maximum: 20 }, "minor"],
  ["a default is another", { ...integer, default: 10 }, { ...integer, default: 20 }, "major"],
];

const inQuery = (schema: Json): JsonObject => parameter({ schema });

function casesOf(label: string, rows: readonly Row[], operation: (schema: Json) => JsonObject): Case[] {
  return rows.map(([title, old, now, expected, components = {}]) => ({
    title: `${label}: ${title}`,
    old: documentWith(operation(old), schemas(components)),
    now: documentWith(operation(now), schemas(components)),
    expected,
  }));
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
  ...casesOf("query parameter", parameters, inQuery),
];
