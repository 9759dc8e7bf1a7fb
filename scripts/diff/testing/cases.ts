/** Changes of an interface, each with the verdict that it must get. */
import type { Json, JsonObject } from "../../openapi/document.ts";
import type { Impact } from "../changes.ts";

export interface Case {
  readonly title: string;
  readonly old: JsonObject;
  readonly now: JsonObject;
  readonly expected: Impact | undefined;
}

const [major, minor, patch] = ["major", "minor", "patch"] as const;

export function documentWith(operation: JsonObject, more: JsonObject = {}, openapi = "3.1.0"): JsonObject {
  return {
    openapi,
    info: { title: "Things", version: "1.0.0" },
    paths: {
      "/things": {
        post: { operationId: "makeThing", responses: { "204": { description: "Made." } }, ...operation },
      },
    },
    ...more,
  };
}

function schemaCase(
  title: string,
  old: Json,
  now: Json,
  expected: Impact | undefined,
  operation: (schema: Json) => JsonObject,
  more: JsonObject = {},
  openapi?: string,
): Case {
  return {
    title,
    old: documentWith(operation(old), more, openapi),
    now: documentWith(operation(now), more, openapi),
    expected,
  };
}

export const inRequest = (schema: Json): JsonObject => ({
  requestBody: { required: true, content: { "application/json": { schema } } },
});
export const inResponse = (schema: Json): JsonObject => ({
  responses: { "200": { description: "The thing.", content: { "application/json": { schema } } } },
});
const inQuery = (schema: Json): JsonObject => ({ parameters: [{ name: "q", in: "query", schema }] });

export const request = (
  title: string,
  old: Json,
  now: Json,
  expected: Impact | undefined,
  more?: JsonObject,
): Case => schemaCase(`request: ${title}`, old, now, expected, inRequest, more);
export const response = (
  title: string,
  old: Json,
  now: Json,
  expected: Impact | undefined,
  more?: JsonObject,
): Case => schemaCase(`response: ${title}`, old, now, expected, inResponse, more);
const query = (title: string, old: Json, now: Json, expected: Impact | undefined): Case =>
  schemaCase(`query parameter: ${title}`, old, now, expected, inQuery);

/** A change that narrows what fits, judged both ways, and undone. */
export const narrowing = (title: string, wide: Json, narrow: Json): Case[] => [
  request(`${title}, narrowed`, wide, narrow, major),
  request(`${title}, widened`, narrow, wide, minor),
  response(`${title}, narrowed`, wide, narrow, minor),
  response(`${title}, widened`, narrow, wide, major),
];
/** A change after which exactly the same fits. */
export const rewording = (title: string, old: Json, now: Json): Case[] => [
  request(title, old, now, patch),
  request(`${title}, undone`, now, old, patch),
  response(title, old, now, patch),
];

/** Written out as a key, it would look like a promise. */
const consequence = "then";
export const text = { type: "string" };
export const number = { type: "number" };
export const open = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  required,
  properties,
});
export const closed = (properties: JsonObject, required: string[] = []): JsonObject => ({
  ...open(properties, required),
  additionalProperties: false,
});
const cat = closed({ kind: { const: "cat" }, lives: number }, ["kind"]);
const dog = closed({ kind: { const: "dog" }, tricks: number }, ["kind"]);
const bird = closed({ kind: { const: "bird" } }, ["kind"]);
export const schemas = (some: JsonObject): JsonObject => ({ components: { schemas: some } });

const keywordCases: Case[] = [
  ...narrowing("type integer of number", number, { type: "integer" }),
  ...narrowing("type of a union", { type: ["string", "number"] }, text),
  ...narrowing("null", { type: ["string", "null"] }, text),
  ...narrowing("any value", {}, text),
  ...narrowing("true and false as schemas", { type: "array", items: true }, { type: "array", items: false }),
  ...narrowing("enum", { enum: ["a", "b", "c"] }, { enum: ["a", "b"] }),
  ...narrowing("enum of text", text, { type: "string", enum: ["a"] }),
  ...narrowing("const", { enum: [1, 2] }, { const: 1 }),
  ...narrowing("minLength", text, { type: "string", minLength: 1 }),
  ...narrowing("maxLength", { type: "string", maxLength: 9 }, { type: "string", maxLength: 8 }),
  ...narrowing("pattern", text, { type: "string", pattern: "^a" }),
  ...narrowing(
    "pattern with longer repeats",
    { type: "string", pattern: "^[a-z]{2,4}$" },
    { type: "string", pattern: "^[a-z]{3}$" },
  ),
  ...narrowing(
    "pattern with an alternative",
    { type: "string", pattern: "^(a|b|c)$" },
    { type: "string", pattern: "^(a|c)$" },
  ),
  ...narrowing(
    "pattern with a wider class",
    { type: "string", pattern: "^\\w+$" },
    { type: "string", pattern: "^[A-F0-9]+$" },
  ),
  ...narrowing(
    "pattern for a length",
    { type: "string", minLength: 2 },
    { type: "string", pattern: "^\\d{3,5}$" },
  ),
  ...narrowing("format", text, { type: "string", format: "uuid" }),
  ...narrowing(
    "format uri of uri-reference",
    { type: "string", format: "uri-reference" },
    { type: "string", format: "uri" },
  ),
  ...narrowing(
    "format int32 of int64",
    { type: "integer", format: "int64" },
    { type: "integer", format: "int32" },
  ),
  ...narrowing("minimum", number, { type: "number", minimum: 0 }),
  ...narrowing("maximum", { type: "number", maximum: 10 }, { type: "number", maximum: 9.5 }),
  ...narrowing("exclusiveMinimum", { type: "number", minimum: 0 }, { type: "number", exclusiveMinimum: 0 }),
  ...narrowing(
    "exclusiveMaximum",
    { type: "number", exclusiveMaximum: 5 },
    { type: "number", exclusiveMaximum: 4 },
  ),
  ...narrowing("multipleOf", { type: "number", multipleOf: 5 }, { type: "number", multipleOf: 10 }),
  ...narrowing("items", { type: "array", items: number }, { type: "array", items: { type: "integer" } }),
  ...narrowing("minItems", { type: "array" }, { type: "array", minItems: 1 }),
  ...narrowing("maxItems", { type: "array", maxItems: 9 }, { type: "array", maxItems: 8 }),
  ...narrowing(
    "uniqueItems",
    { type: "array", items: text },
    { type: "array", items: text, uniqueItems: true },
  ),
  ...narrowing(
    "prefixItems",
    { type: "array", prefixItems: [text] },
    { type: "array", prefixItems: [text, number] },
  ),
  ...narrowing(
    "items after prefixItems",
    { type: "array", prefixItems: [text] },
    { type: "array", prefixItems: [text], items: false },
  ),
  ...narrowing("contains", { type: "array" }, { type: "array", contains: { const: "a" } }),
  ...narrowing(
    "minContains",
    { type: "array", contains: text },
    { type: "array", contains: text, minContains: 2 },
  ),
  ...narrowing(
    "maxContains",
    { type: "array", contains: text, maxContains: 3 },
    { type: "array", contains: text, maxContains: 2 },
  ),
  ...narrowing(
    "unevaluatedItems",
    { type: "array", prefixItems: [text] },
    { type: "array", prefixItems: [text], unevaluatedItems: false },
  ),
  ...narrowing("required", open({ a: text }), open({ a: text }, ["a"])),
  ...narrowing("a property's schema", open({ a: number }), open({ a: { type: "integer" } })),
  ...narrowing("additionalProperties closed", open({ a: text }), closed({ a: text })),
  ...narrowing(
    "additionalProperties of a map",
    { type: "object", additionalProperties: number },
    { type: "object", additionalProperties: { type: "integer" } },
  ),
  ...narrowing(
    "patternProperties",
    { type: "object" },
    { type: "object", patternProperties: { "^x-": text } },
  ),
  ...narrowing(
    "propertyNames",
    { type: "object" },
    { type: "object", propertyNames: { pattern: "^[a-z]+$" } },
  ),
  ...narrowing("minProperties", { type: "object" }, { type: "object", minProperties: 1 }),
  ...narrowing("maxProperties", { type: "object", maxProperties: 3 }, { type: "object", maxProperties: 2 }),
  ...narrowing("dependentRequired", open({ a: text, b: text }), {
    ...open({ a: text, b: text }),
    dependentRequired: { a: ["b"] },
  }),
  ...narrowing("dependentSchemas", open({ a: text, b: text }), {
    ...open({ a: text, b: text }),
    dependentSchemas: { a: { required: ["b"] } },
  }),
  ...narrowing(
    "unevaluatedProperties",
    { allOf: [open({ a: text })] },
    { allOf: [open({ a: text })], unevaluatedProperties: false },
  ),
  ...narrowing("allOf", { allOf: [open({ a: text })] }, { allOf: [open({ a: text }), { required: ["a"] }] }),
  ...narrowing("anyOf", { anyOf: [text, number] }, { anyOf: [text] }),
  ...narrowing("oneOf told apart by a property", { oneOf: [cat, dog, bird] }, { oneOf: [cat, dog] }),
  ...narrowing("not", text, { type: "string", not: { const: "a" } }),
  ...narrowing("if, then", open({ a: text, b: text }), {
    ...open({ a: text, b: text }),
    if: { required: ["a"] },
    [consequence]: { required: ["b"] },
  }),
  ...narrowing("if, else", open({ a: text, b: text }), {
    ...open({ a: text, b: text }),
    if: { required: ["a"] },
    else: { required: ["b"] },
  }),
  ...narrowing("contentEncoding", text, { type: "string", contentEncoding: "base64" }),
  ...narrowing("contentMediaType", text, { type: "string", contentMediaType: "application/json" }),
  ...narrowing(
    "a schema deep inside",
    { type: "array", items: open({ a: open({ b: text }) }) },
    { type: "array", items: open({ a: open({ b: { type: "string", maxLength: 5 } }) }) },
  ),
];

const rewordingCases: Case[] = [
  ...rewording("minLength 0 says nothing", text, { type: "string", minLength: 0 }),
  ...rewording(
    "minimum below what another keyword sets",
    { type: "number", minimum: 3 },
    { type: "number", minimum: 3, exclusiveMinimum: 1 },
  ),
  ...rewording("minItems 0 says nothing", { type: "array" }, { type: "array", minItems: 0 }),
  ...rewording(
    "minContains 0 asks for nothing",
    { type: "array" },
    { type: "array", contains: text, minContains: 0 },
  ),
  ...rewording("uniqueItems false says nothing", { type: "array" }, { type: "array", uniqueItems: false }),
  ...rewording(
    "an enum as oneOf consts",
    { type: "string", enum: ["a", "b"] },
    { oneOf: [{ const: "a" }, { const: "b" }] },
  ),
  ...rewording("an enum in another order", { enum: ["a", "b"] }, { enum: ["b", "a"] }),
  ...rewording("a const as an enum of one", { const: 1 }, { enum: [1] }),
  ...rewording("a list of types as anyOf", { type: ["string", "null"] }, { anyOf: [text, { type: "null" }] }),
  ...rewording("a list of types as oneOf", { type: ["string", "null"] }, { oneOf: [{ type: "null" }, text] }),
  ...rewording("allOf of one", open({ a: text }, ["a"]), { allOf: [open({ a: text }, ["a"])] }),
  ...rewording(
    "keywords spread over allOf",
    { type: "string", minLength: 1, maxLength: 5 },
    { allOf: [{ type: "string", minLength: 1 }, { maxLength: 5 }] },
  ),
  ...rewording("anyOf in another order", { anyOf: [text, number] }, { anyOf: [number, text] }),
  ...rewording("oneOf in another order", { oneOf: [cat, dog] }, { oneOf: [dog, cat] }),
  ...rewording("oneOf of apart schemas as anyOf", { oneOf: [cat, dog] }, { anyOf: [cat, dog] }),
  ...rewording(
    "an integer's exclusive bound",
    { type: "integer", exclusiveMinimum: 0 },
    { type: "integer", minimum: 1 },
  ),
  ...rewording("an integer as a whole number", { type: "integer" }, { type: "number", multipleOf: 1 }),
  ...rewording(
    "a pattern said otherwise",
    { type: "string", pattern: "^[0-9]+$" },
    { type: "string", pattern: "^\\d\\d*$" },
  ),
  ...rewording(
    "a length as a pattern",
    { type: "string", minLength: 2, maxLength: 3 },
    { type: "string", pattern: "^[\\s\\S]{2,3}$" },
  ),
  ...rewording(
    "required in another order",
    open({ a: text, b: text }, ["a", "b"]),
    open({ a: text, b: text }, ["b", "a"]),
  ),
  ...rewording("a description", open({ a: text }), open({ a: { type: "string", description: "An A." } })),
  ...rewording("examples", text, { type: "string", examples: ["a"] }),
  ...rewording("an extension", text, { type: "string", "x-order": 1 }),
  ...rewording("format password, which restricts nothing", text, { type: "string", format: "password" }),
  ...rewording("unevaluatedProperties for additionalProperties", closed({ a: text }), {
    ...open({ a: text }),
    unevaluatedProperties: false,
  }),
  ...rewording(
    "not of not",
    { type: "string", not: { enum: ["a", "b"] } },
    { type: "string", not: { enum: ["b", "a"] } },
  ),
  ...rewording("a dependentRequired that required entails", open({ a: text, b: text }, ["b"]), {
    ...open({ a: text, b: text }, ["b"]),
    dependentRequired: { a: ["b"] },
  }),
  ...rewording("boolean as an enum", { type: "boolean" }, { enum: [true, false] }),
];

const objectCases: Case[] = [
  request(
    "an optional property is new in an open object",
    open({ a: text }),
    open({ a: text, b: text }),
    minor,
  ),
  request(
    "an optional property is new in a closed object",
    closed({ a: text }),
    closed({ a: text, b: text }),
    minor,
  ),
  request("a required property is new", open({ a: text }), open({ a: text, b: text }, ["b"]), major),
  request(
    "a property is gone from a closed object",
    closed({ a: text, b: text }),
    closed({ a: text }),
    major,
  ),
  request("a property is gone from an open object", open({ a: text, b: text }), open({ a: text }), major),
  request("a property is renamed", open({ a: text }), open({ b: text }), major),
  request("an object of anything names a property", { type: "object" }, open({ a: text }), major),
  request(
    "readOnly for a required property",
    open({ a: text }, ["a"]),
    open({ a: { type: "string", readOnly: true } }, ["a"]),
    major,
  ),
  request(
    "readOnly for an optional property",
    open({ a: text }),
    open({ a: { type: "string", readOnly: true } }),
    major,
  ),
  request(
    "readOnly no more, for an optional property",
    open({ a: { type: "string", readOnly: true } }),
    open({ a: text }),
    minor,
  ),
  request(
    "readOnly no more, for a required property",
    open({ a: { type: "string", readOnly: true } }, ["a"]),
    open({ a: text }, ["a"]),
    major,
  ),
  request(
    "a readOnly property becomes required",
    open({ a: { type: "string", readOnly: true } }),
    open({ a: { type: "string", readOnly: true } }, ["a"]),
    patch,
  ),
  request(
    "a readOnly property gets another type",
    open({ a: { type: "string", readOnly: true } }),
    open({ a: { type: "number", readOnly: true } }),
    patch,
  ),
  request(
    "writeOnly changes nothing",
    open({ a: text }),
    open({ a: { type: "string", writeOnly: true } }),
    patch,
  ),
  request("a default is new", open({ a: text }), open({ a: { type: "string", default: "x" } }), minor),
  request(
    "a default is another",
    open({ a: { type: "string", default: "x" } }),
    open({ a: { type: "string", default: "y" } }),
    major,
  ),
  request("a default is gone", open({ a: { type: "string", default: "x" } }), open({ a: text }), major),
  request(
    "a dependency on a property that is new",
    open({ a: text }),
    { ...open({ a: text, b: text }), dependentRequired: { b: ["a"] } },
    minor,
  ),
  request("an array becomes a single value", { type: "array", items: text }, text, major),
  request(
    "a single value may also be a list",
    open({ a: text }),
    open({ a: { oneOf: [text, { type: "array", items: text }] } }),
    minor,
  ),
  request(
    "a type is widened to a union",
    open({ a: text }, ["a"]),
    open({ a: { anyOf: [text, number] } }, ["a"]),
    minor,
  ),
  request(
    "oneOf whose new branch overlaps",
    { oneOf: [open({ a: text }, ["a"])] },
    { oneOf: [open({ a: text }, ["a"]), open({ b: text }, ["b"])] },
    major,
  ),
  request(
    "discriminator by another property",
    { oneOf: [cat, dog], discriminator: { propertyName: "kind" } },
    { oneOf: [cat, dog], discriminator: { propertyName: "sort" } },
    major,
  ),
  request(
    "a pattern that cannot be compared",
    { type: "string", pattern: "^(?=a)" },
    { type: "string", pattern: "^(?=a|b)" },
    major,
  ),
  request(
    "another format",
    { type: "string", format: "date" },
    { type: "string", format: "date-time" },
    major,
  ),
  request(
    "a pattern loosened by dropping an anchor",
    { type: "string", pattern: "^ab$" },
    { type: "string", pattern: "^ab" },
    minor,
  ),
  request(
    "a list's element becomes optional text",
    { type: "array", items: text },
    { type: "array", items: { type: ["string", "null"] } },
    minor,
  ),
  response("a property is new", open({ a: text }), open({ a: text, b: text }), minor),
  response("a property is new in a closed object", closed({ a: text }), closed({ a: text, b: text }), major),
  response("a required property is new", open({ a: text }), open({ a: text, b: text }, ["b"]), minor),
  response("an optional property is gone", open({ a: text, b: text }), open({ a: text }), major),
  response(
    "an optional property is gone from a closed object",
    closed({ a: text, b: text }),
    closed({ a: text }),
    major,
  ),
  response("a required property is gone", open({ a: text }, ["a"]), open({}), major),
  response(
    "writeOnly for a property",
    open({ a: text }),
    open({ a: { type: "string", writeOnly: true } }),
    major,
  ),
  response("writeOnly no more", open({ a: { type: "string", writeOnly: true } }), open({ a: text }), minor),
  response(
    "readOnly changes nothing",
    open({ a: text }),
    open({ a: { type: "string", readOnly: true } }),
    patch,
  ),
  response(
    "a default is another",
    open({ a: { type: "string", default: "x" } }),
    open({ a: { type: "string", default: "y" } }),
    minor,
  ),
  response("a list becomes a single value", { type: "array", items: text }, text, major),
  response(
    "a property may be null",
    open({ a: text }, ["a"]),
    open({ a: { type: ["string", "null"] } }, ["a"]),
    major,
  ),
  response(
    "another format",
    { type: "string", format: "date" },
    { type: "string", format: "date-time" },
    major,
  ),
  response("another variant, told apart by a property", { oneOf: [cat] }, { oneOf: [cat, dog] }, major),
  query("a shorter list of values", { enum: ["a", "b"] }, { enum: ["a"] }, major),
  query("a longer list of values", { enum: ["a"] }, { enum: ["a", "b"] }, minor),
  query("text becomes an integer", text, { type: "integer" }, major),
  query("a higher maximum", { type: "integer", maximum: 10 }, { type: "integer", maximum: 20 }, minor),
  query("a default is another", { type: "integer", default: 10 }, { type: "integer", default: 20 }, major),
];

const thing = open({ name: text }, ["name"]);
const node = (leaf: Json): JsonObject => ({
  type: "object",
  properties: { leaf, next: { $ref: "#/components/schemas/Node" } },
});
const toNode = inResponse({ $ref: "#/components/schemas/Node" });

const referenceCases: Case[] = [
  {
    title: "a component is renamed, which nobody sees on the wire",
    old: documentWith(inRequest({ $ref: "#/components/schemas/A" }), schemas({ A: thing })),
    now: documentWith(inRequest({ $ref: "#/components/schemas/B" }), schemas({ B: thing })),
    expected: patch,
  },
  {
    title: "a component is written in place",
    old: documentWith(inRequest({ $ref: "#/components/schemas/A" }), schemas({ A: thing })),
    now: documentWith(inRequest(thing)),
    expected: patch,
  },
  {
    title: "a component that nothing uses changes",
    old: documentWith({}, schemas({ A: text })),
    now: documentWith({}, schemas({ A: number })),
    expected: patch,
  },
  {
    title: "a schema that holds itself is the same",
    old: documentWith(toNode, schemas({ Node: node(text) })),
    now: documentWith(toNode, schemas({ Node: { ...node(text), title: "Node" } })),
    expected: patch,
  },
  {
    title: "a schema that holds itself is wider inside",
    old: documentWith(toNode, schemas({ Node: node(text) })),
    now: documentWith(toNode, schemas({ Node: node({}) })),
    expected: major,
  },
  {
    title: "a keyword beside a $ref",
    old: documentWith(inRequest({ $ref: "#/components/schemas/A" }), schemas({ A: text })),
    now: documentWith(inRequest({ $ref: "#/components/schemas/A", maxLength: 5 }), schemas({ A: text })),
    expected: major,
  },
  {
    title: "a $ref with a description beside it",
    old: documentWith(inRequest({ $ref: "#/components/schemas/A" }), schemas({ A: text })),
    now: documentWith(inRequest({ $ref: "#/components/schemas/A", description: "A." }), schemas({ A: text })),
    expected: patch,
  },
  {
    title: "what requests and responses share gets a required property",
    old: documentWith(
      { ...inRequest({ $ref: "#/components/schemas/A" }), ...inResponse({ $ref: "#/components/schemas/A" }) },
      schemas({ A: open({ a: text }) }),
    ),
    now: documentWith(
      { ...inRequest({ $ref: "#/components/schemas/A" }), ...inResponse({ $ref: "#/components/schemas/A" }) },
      schemas({ A: open({ a: text }, ["a"]) }),
    ),
    expected: major,
  },
  {
    title: "what requests and responses share gets an optional property",
    old: documentWith(
      { ...inRequest({ $ref: "#/components/schemas/A" }), ...inResponse({ $ref: "#/components/schemas/A" }) },
      schemas({ A: open({ a: text }) }),
    ),
    now: documentWith(
      { ...inRequest({ $ref: "#/components/schemas/A" }), ...inResponse({ $ref: "#/components/schemas/A" }) },
      schemas({ A: open({ a: text, b: text }) }),
    ),
    expected: minor,
  },
];

export function operations(
  title: string,
  old: JsonObject,
  now: JsonObject,
  expected: Impact | undefined,
  more: JsonObject = {},
  moreNow = more,
): Case {
  return { title, old: documentWith(old, more), now: documentWith(now, moreNow), expected };
}

const parameter = (more: JsonObject): JsonObject => ({
  parameters: [{ name: "q", in: "query", schema: text, ...more }],
});
const list = { type: "array", items: text };
export const json = (schema: JsonObject): JsonObject => ({ "application/json": schema });
const body = (content: JsonObject, required = true): JsonObject => ({ requestBody: { required, content } });
const answers = (responses: JsonObject): JsonObject => ({ responses });
const answer = (more: JsonObject): JsonObject => answers({ "200": { description: "The thing.", ...more } });
const header = (more: JsonObject): JsonObject =>
  answer({ headers: { "X-Rate": { schema: { type: "integer" }, ...more } } });

const operationCases: Case[] = [
  operations("nothing at all", {}, {}, undefined),
  operations("a summary", {}, { summary: "Make a thing." }, patch),
  operations(
    "another operationId, of which the wire knows nothing",
    {},
    { operationId: "createThing" },
    patch,
  ),
  operations("tags", {}, { tags: ["things"] }, patch),
  operations("an operation is deprecated", {}, { deprecated: true }, minor),
  operations("a parameter is new and optional", {}, parameter({}), minor),
  operations("a parameter is new and required", {}, parameter({ required: true }), major),
  operations("a parameter is gone", parameter({}), {}, major),
  operations("a parameter becomes required", parameter({}), parameter({ required: true }), major),
  operations("a parameter becomes optional", parameter({ required: true }), parameter({}), minor),
  operations("a parameter moves to a header", parameter({}), parameter({ in: "header" }), major),
  operations("a parameter is deprecated", parameter({}), parameter({ deprecated: true }), minor),
  operations(
    "a header parameter in other letters",
    parameter({ in: "header", name: "X-A" }),
    parameter({ in: "header", name: "x-a" }),
    patch,
  ),
  operations(
    "a header parameter that OpenAPI ignores",
    {},
    parameter({ in: "header", name: "Authorization", required: true }),
    patch,
  ),
  operations("a parameter in other letters", parameter({}), parameter({ name: "Q" }), major),
  operations(
    "a list in another style",
    parameter({ schema: list }),
    parameter({ schema: list, style: "pipeDelimited" }),
    major,
  ),
  operations(
    "a list that is no longer repeated",
    parameter({ schema: list }),
    parameter({ schema: list, explode: false }),
    major,
  ),
  operations("explode for a single value says nothing", parameter({}), parameter({ explode: false }), patch),
  operations(
    "the style that is meant anyway",
    parameter({ schema: list }),
    parameter({ schema: list, style: "form", explode: true }),
    patch,
  ),
  operations("allowReserved no more", parameter({ allowReserved: true }), parameter({}), major),
  operations("allowReserved", parameter({}), parameter({ allowReserved: true }), minor),
  operations("allowEmptyValue no more", parameter({ allowEmptyValue: true }), parameter({}), major),
  operations(
    "a parameter as JSON",
    parameter({}),
    { parameters: [{ name: "q", in: "query", content: json({ schema: text }) }] },
    major,
  ),
  operations(
    "a schema of a JSON parameter",
    { parameters: [{ name: "q", in: "query", content: json({ schema: open({ a: number }) }) }] },
    { parameters: [{ name: "q", in: "query", content: json({ schema: open({ a: { type: "integer" } }) }) }] },
    major,
  ),
  operations("a cookie is new and required", {}, parameter({ in: "cookie", required: true }), major),
  operations("a required body is new", {}, body(json({ schema: thing })), major),
  operations("an optional body is new", {}, body(json({ schema: thing }), false), minor),
  operations("the body is gone", body(json({ schema: thing })), {}, major),
  operations(
    "the body becomes required",
    body(json({ schema: thing }), false),
    body(json({ schema: thing })),
    major,
  ),
  operations(
    "the body becomes optional",
    body(json({ schema: thing })),
    body(json({ schema: thing }), false),
    minor,
  ),
  operations(
    "a schema for an open media type of a request",
    body(json({})),
    body(json({ schema: thing })),
    major,
  ),
  operations(
    "a schema no more for a media type of a request",
    body(json({ schema: thing })),
    body(json({})),
    major,
  ),
  operations(
    "a schema for an open media type of a response",
    answer({ content: json({}) }),
    answer({ content: json({ schema: thing }) }),
    minor,
  ),
  operations(
    "a schema no more for a media type of a response",
    answer({ content: json({ schema: thing }) }),
    answer({ content: json({}) }),
    major,
  ),
  operations(
    "another media type is taken",
    body(json({ schema: thing })),
    body({ ...json({ schema: thing }), "text/plain": {} }),
    minor,
  ),
  operations(
    "a media type is no longer taken",
    body({ ...json({ schema: thing }), "text/plain": {} }),
    body(json({ schema: thing })),
    major,
  ),
  operations(
    "a media type becomes a range",
    body(json({ schema: thing })),
    body({ "application/*": { schema: thing } }),
    minor,
  ),
  operations(
    "a media type in other letters",
    body(json({ schema: thing })),
    body({ "Application/JSON": { schema: thing } }),
    patch,
  ),
  operations(
    "a media type is answered no more",
    answer({ content: { ...json({ schema: thing }), "text/plain": {} } }),
    answer({ content: json({ schema: thing }) }),
    major,
  ),
  operations(
    "another media type is answered",
    answer({ content: json({ schema: thing }) }),
    answer({ content: { ...json({ schema: thing }), "text/plain": {} } }),
    minor,
  ),
  operations(
    "the content of a response is gone",
    answer({ content: json({ schema: thing }) }),
    answer({}),
    major,
  ),
  operations("a response gets content", answer({}), answer({ content: json({ schema: thing }) }), minor),
  operations(
    "the encoding of a part",
    body({
      "multipart/form-data": { schema: open({ a: text }), encoding: { a: { contentType: "image/png" } } },
    }),
    body({
      "multipart/form-data": { schema: open({ a: text }), encoding: { a: { contentType: "image/jpeg" } } },
    }),
    major,
  ),
  operations(
    "another success",
    answer({}),
    answers({ "200": { description: "The thing." }, "202": { description: "Later." } }),
    minor,
  ),
  operations(
    "a success is gone",
    answers({ "200": { description: "The thing." }, "202": { description: "Later." } }),
    answer({}),
    major,
  ),
  operations("a success has another status", answer({}), answers({ "201": { description: "Made." } }), major),
  operations(
    "another failure",
    answer({}),
    answers({ "200": { description: "The thing." }, "409": { description: "No." } }),
    minor,
  ),
  operations(
    "a failure is gone",
    answers({ "200": { description: "The thing." }, "409": { description: "No." } }),
    answer({}),
    minor,
  ),
  operations(
    "a failure that the default covered, with the same content",
    answers({ default: { description: "No.", content: json({ schema: thing }) } }),
    answers({
      default: { description: "No.", content: json({ schema: thing }) },
      "409": { description: "No.", content: json({ schema: thing }) },
    }),
    minor,
  ),
  operations(
    "a failure that the default covered, with other content",
    answers({ default: { description: "No.", content: json({ schema: thing }) } }),
    answers({
      default: { description: "No.", content: json({ schema: thing }) },
      "409": { description: "No.", content: json({ schema: text }) },
    }),
    major,
  ),
  operations(
    "a status becomes a range",
    answers({ "404": { description: "No.", content: json({ schema: thing }) } }),
    answers({ "4XX": { description: "No.", content: json({ schema: thing }) } }),
    minor,
  ),
  operations("a response's description", answer({}), answers({ "200": { description: "It." } }), patch),
  operations("a response header is new", answer({}), header({}), minor),
  operations("a response header is gone", header({}), answer({}), major),
  operations("a response header is no longer sure", header({ required: true }), header({}), major),
  operations("a response header is sure now", header({}), header({ required: true }), minor),
  operations("a response header of another type", header({}), header({ schema: text }), major),
  operations(
    "a response header that says it more exactly",
    header({}),
    header({ schema: { type: "integer", minimum: 0 } }),
    minor,
  ),
  operations(
    "a link leads elsewhere",
    answer({ links: { next: { operationId: "makeThing" } } }),
    answer({ links: { next: { operationId: "other" } } }),
    major,
  ),
];

export const key = { type: "apiKey", in: "header", name: "X-Key" };
export const bearer = { type: "http", scheme: "bearer" };
export const oauth = (scopes: JsonObject, tokenUrl = "https://a.test/token"): JsonObject => ({
  type: "oauth2",
  flows: { clientCredentials: { tokenUrl, scopes } },
});
export const schemes = (some: JsonObject): JsonObject => ({ components: { securitySchemes: some } });
export const both = schemes({ key, bearer });
export const scoped = schemes({ oauth: oauth({ read: "", write: "" }) });
export const keyOnly = { security: [{ key: [] }] };

const securityCases: Case[] = [
  operations("a key is asked for", {}, keyOnly, major, both),
  operations("no key is asked for any more", keyOnly, { security: [] }, minor, both),
  operations(
    "a second credential is asked for too",
    keyOnly,
    { security: [{ key: [], bearer: [] }] },
    major,
    both,
  ),
  operations(
    "a second credential will do as well",
    keyOnly,
    { security: [{ key: [] }, { bearer: [] }] },
    minor,
    both,
  ),
  operations(
    "one of two credentials no longer will do",
    { security: [{ key: [] }, { bearer: [] }] },
    keyOnly,
    major,
    both,
  ),
  operations("a key may be left out", keyOnly, { security: [{ key: [] }, {}] }, minor, both),
  operations(
    "another scope is asked for",
    { security: [{ oauth: ["read"] }] },
    { security: [{ oauth: ["read", "write"] }] },
    major,
    scoped,
  ),
  operations(
    "a scope is no longer asked for",
    { security: [{ oauth: ["read", "write"] }] },
    { security: [{ oauth: ["read"] }] },
    minor,
    scoped,
  ),
  operations("security said for the whole document", keyOnly, {}, patch, both, {
    ...both,
    security: [{ key: [] }],
  }),
  operations("the whole document asks for a key", {}, {}, major, both, { ...both, security: [{ key: [] }] }),
  operations(
    "the key is in another header",
    keyOnly,
    keyOnly,
    major,
    schemes({ key }),
    schemes({ key: { ...key, name: "X-Other" } }),
  ),
  operations(
    "a scheme has another name",
    keyOnly,
    { security: [{ token: [] }] },
    patch,
    schemes({ key }),
    schemes({ token: key }),
  ),
  operations(
    "another kind of scheme under the same name",
    keyOnly,
    keyOnly,
    major,
    schemes({ key }),
    schemes({ key: bearer }),
  ),
  operations(
    "bearerFormat is for people",
    { security: [{ bearer: [] }] },
    { security: [{ bearer: [] }] },
    patch,
    both,
    schemes({ key, bearer: { ...bearer, bearerFormat: "JWT" } }),
  ),
  operations(
    "tokens come from elsewhere",
    { security: [{ oauth: ["read"] }] },
    { security: [{ oauth: ["read"] }] },
    major,
    schemes({ oauth: oauth({ read: "" }) }),
    schemes({ oauth: oauth({ read: "" }, "https://b.test/token") }),
  ),
  operations(
    "a scope is no longer given",
    { security: [{ oauth: [] }] },
    { security: [{ oauth: [] }] },
    major,
    scoped,
    schemes({ oauth: oauth({ read: "" }) }),
  ),
];

export const server = (url: string, more: JsonObject = {}): JsonObject => ({ servers: [{ url, ...more }] });
export const withPaths = (paths: JsonObject, more: JsonObject = {}): JsonObject => ({
  openapi: "3.1.0",
  info: { title: "Things", version: "1.0.0" },
  paths,
  ...more,
});
export const get = (more: JsonObject = {}): JsonObject => ({
  get: { responses: { "204": { description: "Done." } }, ...more },
});
export const ofPath = (name: string, more: JsonObject = {}): JsonObject => ({
  parameters: [{ name, in: "path", required: true, schema: text, ...more }],
});
export const hook = (schema: Json): JsonObject => ({
  webhooks: {
    made: {
      post: { requestBody: { content: json({ schema }) }, responses: { "204": { description: "Thanks." } } },
    },
  },
});
export const paths = (
  title: string,
  old: JsonObject,
  now: JsonObject,
  expected: Impact | undefined,
): Case => ({
  title,
  old,
  now,
  expected,
});

const documentCases: Case[] = [
  paths("a path is new", withPaths({ "/a": get() }), withPaths({ "/a": get(), "/b": get() }), minor),
  paths("a path is gone", withPaths({ "/a": get(), "/b": get() }), withPaths({ "/a": get() }), major),
  paths("a path is renamed", withPaths({ "/a": get() }), withPaths({ "/b": get() }), major),
  paths(
    "an operation is new",
    withPaths({ "/a": get() }),
    withPaths({ "/a": { ...get(), delete: { responses: {} } } }),
    minor,
  ),
  paths(
    "an operation is gone",
    withPaths({ "/a": { ...get(), delete: { responses: {} } } }),
    withPaths({ "/a": get() }),
    major,
  ),
  paths(
    "a path parameter has another name, which callers never write",
    withPaths({ "/a/{id}": get(ofPath("id")) }),
    withPaths({ "/a/{key}": get(ofPath("key")) }),
    patch,
  ),
  paths(
    "a path parameter is narrower",
    withPaths({ "/a/{id}": get(ofPath("id")) }),
    withPaths({ "/a/{id}": get(ofPath("id", { schema: { type: "integer" } })) }),
    major,
  ),
  paths(
    "a parameter moves from the operation to its path",
    withPaths({ "/a/{id}": get(ofPath("id")) }),
    withPaths({ "/a/{id}": { ...ofPath("id"), ...get() } }),
    patch,
  ),
  paths(
    "a required parameter of the whole path is new",
    withPaths({ "/a": get() }),
    withPaths({ "/a": { parameters: [{ name: "q", in: "query", required: true, schema: text }], ...get() } }),
    major,
  ),
  paths(
    "a server is gone",
    withPaths({ "/a": get() }, { servers: [{ url: "https://a.test" }, { url: "https://b.test" }] }),
    withPaths({ "/a": get() }, server("https://a.test")),
    major,
  ),
  paths(
    "a server is new",
    withPaths({ "/a": get() }, server("https://a.test")),
    withPaths({ "/a": get() }, { servers: [{ url: "https://a.test" }, { url: "https://b.test" }] }),
    minor,
  ),
  paths(
    "a server's description",
    withPaths({ "/a": get() }, server("https://a.test")),
    withPaths({ "/a": get() }, server("https://a.test", { description: "A." })),
    patch,
  ),
  paths(
    "a server variable goes elsewhere",
    withPaths({ "/a": get() }, server("https://{at}.test", { variables: { at: { default: "a" } } })),
    withPaths({ "/a": get() }, server("https://{at}.test", { variables: { at: { default: "b" } } })),
    major,
  ),
  paths(
    "the title and the version",
    withPaths({ "/a": get() }),
    { ...withPaths({ "/a": get() }), info: { title: "Other", version: "2.0.0" } },
    patch,
  ),
  paths(
    "only the version",
    withPaths({ "/a": get() }),
    { ...withPaths({ "/a": get() }), info: { title: "Things", version: "2.0.0" } },
    undefined,
  ),
  paths(
    "what a webhook sends is wider",
    withPaths({}, hook(open({ a: text }, ["a"]))),
    withPaths({}, hook(open({ a: {} }, ["a"]))),
    major,
  ),
  paths(
    "what a webhook sends has a new property",
    withPaths({}, hook(open({ a: text }, ["a"]))),
    withPaths({}, hook(open({ a: text, b: text }, ["a", "b"]))),
    minor,
  ),
  paths(
    "what a webhook sends lacks a property",
    withPaths({}, hook(open({ a: text, b: text }, ["a"]))),
    withPaths({}, hook(open({ a: text }, ["a"]))),
    major,
  ),
  paths("a webhook is gone", withPaths({}, hook(text)), withPaths({}), major),
  paths("a webhook is new", withPaths({}), withPaths({}, hook(text)), minor),
  paths(
    "what a callback sends is wider",
    withPaths({
      "/a": get({
        callbacks: {
          done: {
            "{$request.query.at}": {
              post: { requestBody: { content: json({ schema: number }) }, responses: {} },
            },
          },
        },
      }),
    }),
    withPaths({
      "/a": get({
        callbacks: {
          done: {
            "{$request.query.at}": {
              post: { requestBody: { content: json({ schema: {} }) }, responses: {} },
            },
          },
        },
      }),
    }),
    major,
  ),
  paths(
    "another dialect of schemas",
    withPaths({ "/a": get() }),
    withPaths({ "/a": get() }, { jsonSchemaDialect: "https://json-schema.org/draft/2019-09/schema" }),
    major,
  ),
];

export const of30 = (
  title: string,
  old: Json,
  now: Json,
  expected: Impact | undefined,
  operation = inRequest,
): Case => schemaCase(`OpenAPI 3.0: ${title}`, old, now, expected, operation, {}, "3.0.3");
export const across = (title: string, old: Json, now: Json, expected: Impact | undefined): Case => ({
  title: `OpenAPI 3.0 to 3.1: ${title}`,
  old: documentWith(inRequest(old), {}, "3.0.3"),
  now: documentWith(inRequest(now)),
  expected,
});

const olderCases: Case[] = [
  of30("nullable", text, { type: "string", nullable: true }, minor),
  of30("nullable no more", { type: "string", nullable: true }, text, major),
  of30("nullable in a response", text, { type: "string", nullable: true }, major, inResponse),
  of30("nullable no more in a response", { type: "string", nullable: true }, text, minor, inResponse),
  of30(
    "exclusiveMinimum",
    { type: "number", minimum: 0 },
    { type: "number", minimum: 0, exclusiveMinimum: true },
    major,
  ),
  of30(
    "exclusiveMaximum no more",
    { type: "number", maximum: 9, exclusiveMaximum: true },
    { type: "number", maximum: 9 },
    minor,
  ),
  of30(
    "exclusiveMinimum false says nothing",
    { type: "number", minimum: 0 },
    { type: "number", minimum: 0, exclusiveMinimum: false },
    undefined,
  ),
  of30("a required property", open({ a: text }), open({ a: text }, ["a"]), major),
  across("nullable as a type", { type: "string", nullable: true }, { type: ["string", "null"] }, undefined),
  across(
    "exclusiveMinimum as a number",
    { type: "number", minimum: 0, exclusiveMinimum: true },
    { type: "number", exclusiveMinimum: 0 },
    undefined,
  ),
];

export const cards = {
  Card: open({ type: { const: "card" }, number: text }, ["type"]),
  Cash: open({ type: { const: "cash" } }, ["type"]),
  Bank: open({ type: { const: "bank" } }, ["type"]),
};
export const toCard = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
export const paidBy = (...names: string[]): JsonObject => ({
  oneOf: names.map(toCard),
  discriminator: {
    propertyName: "type",
    mapping: Object.fromEntries(names.map((name) => [name.toLowerCase(), `#/components/schemas/${name}`])),
  },
});
const overlapping = (more: JsonObject): JsonObject =>
  schemas({ A: open({ a: text, ...more }), B: open({ b: text, c: number, ...more }, ["c"]) });
const eitherOne = inResponse({ oneOf: [toCard("A"), toCard("B")] });
const secured = (security: Json): JsonObject => ({ security });

/** Written when the comparison was done, to see what it makes of changes that nobody had in mind. */
const laterCases: Case[] = [
  request("text becomes a list of it", open({ a: text }), open({ a: list }), major),
  request(
    "a nested value may no longer be null",
    open({ a: open({ b: { type: ["string", "null"] } }) }),
    open({ a: open({ b: text }) }),
    major,
  ),
  request(
    "another variant, by its discriminator",
    paidBy("Card", "Cash"),
    paidBy("Card", "Cash", "Bank"),
    minor,
    schemas(cards),
  ),
  request(
    "a variant less, by its discriminator",
    paidBy("Card", "Cash", "Bank"),
    paidBy("Card", "Cash"),
    major,
    schemas(cards),
  ),
  response(
    "another variant, by its discriminator",
    paidBy("Card", "Cash"),
    paidBy("Card", "Cash", "Bank"),
    major,
    schemas(cards),
  ),
  response(
    "a variant less, by its discriminator",
    paidBy("Card", "Cash", "Bank"),
    paidBy("Card", "Cash"),
    minor,
    schemas(cards),
  ),
  request(
    "a component of allOf that requires something",
    { allOf: [open({ a: text })] },
    { allOf: [open({ a: text }), toCard("Card")] },
    major,
    schemas(cards),
  ),
  response(
    "a component of allOf that requires something",
    { allOf: [open({ a: text })] },
    { allOf: [open({ a: text }), toCard("Card")] },
    minor,
    schemas(cards),
  ),
  response(
    "a property moves into a component of allOf",
    open({ a: text, b: text }),
    { allOf: [open({ a: text }), open({ b: text })] },
    patch,
  ),
  request(
    "other properties may be text",
    closed({ a: text }),
    { ...open({ a: text }), additionalProperties: text },
    minor,
  ),
  response(
    "other properties are no longer text",
    { ...open({ a: text }), additionalProperties: text },
    { ...open({ a: text }), additionalProperties: true },
    major,
  ),
  request(
    "a bound that leaves its value out, of numbers",
    { type: "number", minimum: 1 },
    { type: "number", exclusiveMinimum: 0 },
    minor,
  ),
  request("a const is another", { const: "a" }, { const: "b" }, major),
  response("a const is another", { const: "a" }, { const: "b" }, major),
  response("text becomes a const", text, { const: "a" }, minor),
  request("another pattern", { type: "string", pattern: "^a" }, { type: "string", pattern: "^b" }, major),
  response("a pattern no more", { type: "string", pattern: "^a" }, text, major),
  request(
    "anyOf of apart types as oneOf",
    { anyOf: [text, { type: "integer" }] },
    { oneOf: [text, { type: "integer" }] },
    patch,
  ),
  request(
    "anyOf of types that overlap as oneOf",
    { anyOf: [number, { type: "integer" }] },
    { oneOf: [number, { type: "integer" }] },
    major,
  ),
  request(
    "prefixItems in another order",
    { type: "array", prefixItems: [text, number] },
    { type: "array", prefixItems: [number, text] },
    major,
  ),
  request("format iri for uri", { type: "string", format: "uri" }, { type: "string", format: "iri" }, minor),
  response(
    "format idn-email for email",
    { type: "string", format: "email" },
    { type: "string", format: "idn-email" },
    major,
  ),
  request("minProperties 0 says nothing", { type: "object" }, { type: "object", minProperties: 0 }, patch),
  request(
    "both bounds at once, one narrower",
    { type: "integer", minimum: 1, maximum: 9 },
    { type: "integer", minimum: 0, maximum: 8 },
    major,
  ),
  request(
    "a property narrower while another is new",
    open({ a: text }),
    open({ a: { enum: ["x"] }, b: text }),
    major,
  ),
  response(
    "a property that may be of more types",
    open({ a: text }, ["a"]),
    open({ a: { type: ["string", "integer"] } }, ["a"]),
    major,
  ),
  response("a map for an object", open({ a: text }), { type: "object", additionalProperties: text }, major),
  request("a null is no longer among the values", { enum: ["a", null] }, { enum: ["a"] }, major),
  request("a boolean becomes true", { type: "boolean" }, { const: true }, major),
  response("a list that may be empty", { ...list, minItems: 1 }, list, major),
  query("any text for a list of values", { type: "string", enum: ["a"] }, text, minor),
  query("a default is new", { type: "integer" }, { type: "integer", default: 3 }, minor),
  query("a list of fewer items", { ...list, maxItems: 9 }, { ...list, maxItems: 5 }, major),
  operations(
    "another media type in place of the one",
    answer({ content: json({ schema: thing }) }),
    answer({ content: { "application/xml": { schema: thing } } }),
    major,
  ),
  operations(
    "a header's values are more",
    header({ schema: { enum: ["a"] } }),
    header({ schema: { enum: ["a", "b"] } }),
    major,
  ),
  operations("a link is new", answer({}), answer({ links: { next: { operationId: "makeThing" } } }), minor),
  operations(
    "a part becomes a file",
    body({ "multipart/form-data": { schema: open({ a: text }) } }),
    body({
      "multipart/form-data": { schema: open({ a: { type: "string", contentMediaType: "image/png" } }) },
    }),
    major,
  ),
  operations(
    "a range becomes two statuses",
    answers({ "4XX": { description: "No." } }),
    answers({ "400": { description: "No." }, "404": { description: "No." } }),
    minor,
  ),
  operations(
    "the default response is gone",
    answers({ "200": { description: "Yes." }, default: { description: "No." } }),
    answers({ "200": { description: "Yes." } }),
    major,
  ),
  operations(
    "both credentials become either",
    secured([{ key: [], bearer: [] }]),
    secured([{ key: [] }, { bearer: [] }]),
    minor,
    both,
  ),
  operations(
    "either credential becomes both",
    secured([{ key: [] }, { bearer: [] }]),
    secured([{ key: [], bearer: [] }]),
    major,
    both,
  ),
  operations(
    "a scope is described otherwise",
    secured([{ oauth: ["read"] }]),
    secured([{ oauth: ["read"] }]),
    patch,
    scoped,
    schemes({ oauth: oauth({ read: "Read.", write: "" }) }),
  ),
  operations(
    "variants that overlap get the same property",
    eitherOne,
    eitherOne,
    minor,
    overlapping({}),
    overlapping({ more: text }),
  ),
  paths(
    "HEAD is gone",
    withPaths({ "/a": { ...get(), head: { responses: {} } } }),
    withPaths({ "/a": get() }),
    major,
  ),
  paths(
    "a callback is gone",
    withPaths({ "/a": get({ callbacks: { done: { "{$url}": { post: { responses: {} } } } } }) }),
    withPaths({ "/a": get() }),
    major,
  ),
  paths(
    "a callback is new",
    withPaths({ "/a": get() }),
    withPaths({ "/a": get({ callbacks: { done: { "{$url}": { post: { responses: {} } } } } }) }),
    minor,
  ),
  paths(
    "a webhook expects another answer",
    withPaths(
      {},
      {
        webhooks: {
          made: {
            post: {
              responses: { "200": { description: "Thanks.", content: json({ schema: open({ a: text }) }) } },
            },
          },
        },
      },
    ),
    withPaths(
      {},
      {
        webhooks: {
          made: {
            post: {
              responses: {
                "200": { description: "Thanks.", content: json({ schema: open({ a: text }, ["a"]) }) },
              },
            },
          },
        },
      },
    ),
    major,
  ),
  paths(
    "a path gets a segment",
    withPaths({ "/a/{id}": get(ofPath("id")) }),
    withPaths({ "/a/{id}/b": get(ofPath("id")) }),
    major,
  ),
  paths(
    "a path parameter takes shorter texts only",
    withPaths({ "/a/{id}": get(ofPath("id", { schema: { type: "string", maxLength: 9 } })) }),
    withPaths({ "/a/{id}": get(ofPath("id", { schema: { type: "string", maxLength: 5 } })) }),
    major,
  ),
  of30("nullable without a type admits null", { allOf: [text], nullable: true }, { allOf: [text] }, major),
];

export const cases: readonly Case[] = [
  ...keywordCases,
  ...rewordingCases,
  ...objectCases,
  ...referenceCases,
  ...operationCases,
  ...securityCases,
  ...documentCases,
  ...olderCases,
  ...laterCases,
];
