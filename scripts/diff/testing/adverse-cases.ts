/** Changes that were thought up to fool the comparison, each with the verdict that it must get. */
import type { Json, JsonObject } from "../../openapi/document.ts";
import type { Impact } from "../changes.ts";
import {
  across,
  bearer,
  both,
  type Case,
  closed,
  get,
  inRequest,
  inResponse,
  json,
  key,
  keyOnly,
  narrowing,
  number,
  oauth,
  of30,
  ofPath,
  open,
  operations,
  paths,
  request,
  response,
  rewording,
  schemas,
  schemes,
  text,
  toCard,
  withPaths,
} from "./cases.ts";

const [major, minor, patch] = ["major", "minor", "patch"] as const;

/** Written out as a key, it would look like a promise. */
const consequence = "then";
const list = (more: JsonObject): JsonObject => ({ type: "array", ...more });
const object = (more: JsonObject): JsonObject => ({ type: "object", ...more });
const matching = (pattern: string): JsonObject => ({ type: "string", pattern });
const refer = (name: string, more: JsonObject = {}): JsonObject => ({ ...toCard(name), ...more });
/** The same operation, whose components change. */
const components = (
  title: string,
  old: JsonObject,
  now: JsonObject,
  expected: Impact,
  use: JsonObject,
): Case => operations(title, use, use, expected, { components: old }, { components: now });

const keywordCases: Case[] = [
  ...narrowing("const of an enum of several types", { enum: ["a", 1] }, { const: "a" }),
  ...narrowing("a const that is an object", object({}), { const: { a: 1 } }),
  ...narrowing("null of an enum", { enum: ["a", null] }, { enum: ["a"] }),
  ...narrowing("null of anyOf", { anyOf: [text, { type: "null" }] }, text),
  ...narrowing(
    "if with both consequences",
    {},
    { if: text, [consequence]: { minLength: 1 }, else: { type: "integer" } },
  ),
  ...narrowing("minContains by default", list({ contains: text, minContains: 0 }), list({ contains: text })),
  ...narrowing("maxContains 1", list({ contains: text }), list({ contains: text, maxContains: 1 })),
  ...narrowing(
    "unevaluatedProperties beside allOf",
    object({ allOf: [{ properties: { a: text } }] }),
    object({ allOf: [{ properties: { a: text } }], unevaluatedProperties: false }),
  ),
  ...narrowing(
    "unevaluatedItems beside contains",
    list({ contains: text }),
    list({ contains: text, unevaluatedItems: false }),
  ),
  ...narrowing(
    "anyOf as oneOf, where branches overlap",
    {
      anyOf: [
        { type: "string", minLength: 2 },
        { type: "string", maxLength: 5 },
      ],
    },
    {
      oneOf: [
        { type: "string", minLength: 2 },
        { type: "string", maxLength: 5 },
      ],
    },
  ),
  ...narrowing(
    "anyOf as oneOf within a property",
    open({ a: { anyOf: [number, { type: "integer" }] } }),
    open({ a: { oneOf: [number, { type: "integer" }] } }),
  ),
  ...narrowing(
    "a place less in a tuple",
    list({ prefixItems: [text, text], items: false }),
    list({ prefixItems: [text], items: false }),
  ),
  ...narrowing(
    "a tuple that must be filled",
    list({ prefixItems: [text] }),
    list({ prefixItems: [text], minItems: 1 }),
  ),
  ...narrowing("prefixItems as items", list({ prefixItems: [number] }), list({ items: number })),
  ...narrowing(
    "dependentSchemas that require",
    object({}),
    object({ dependentSchemas: { a: { required: ["b"] } } }),
  ),
  ...narrowing(
    "additionalProperties that nothing fits",
    object({ additionalProperties: number }),
    object({ additionalProperties: { not: {} } }),
  ),
  ...narrowing("patternProperties false", object({}), object({ patternProperties: { "^x-": false } })),
  ...narrowing("required of what is not declared", object({}), object({ required: ["a"] })),
  ...narrowing(
    "multipleOf of a finer one",
    { type: "number", multipleOf: 0.05 },
    { type: "number", multipleOf: 0.1 },
  ),
  ...narrowing(
    "a bound of integers",
    { type: "integer", exclusiveMinimum: 0 },
    { type: "integer", minimum: 2 },
  ),
  ...narrowing(
    "format of text that may be null",
    { type: ["string", "null"] },
    { type: ["string", "null"], format: "date" },
  ),
  ...narrowing("an anchored pattern", matching("abc"), matching("^abc$")),
  ...narrowing("a pattern of lower case alone", matching("^[A-Za-z]+$"), matching("^[a-z]+$")),
  ...narrowing("a pattern whose end holds for all", matching("^a|b$"), matching("^(a|b)$")),
  ...narrowing("a pattern of ASCII digits", matching("^[\\d٠-٩]+$"), matching("^\\d+$")),
  ...narrowing("a keyword beside a reference", refer("A"), refer("A", { maxLength: 3 })).map((each) => ({
    ...each,
    old: { ...each.old, ...schemas({ A: text }) },
    now: { ...each.now, ...schemas({ A: text }) },
  })),
  ...narrowing("not of more types", { not: { type: "string" } }, { not: { type: ["string", "integer"] } }),
  ...narrowing(
    "not of what requires less",
    object({ not: { required: ["a", "b"] } }),
    object({ not: { required: ["a"] } }),
  ),
  ...narrowing("allOf that nothing fits", text, { allOf: [text, { type: "integer" }] }),
  ...narrowing(
    "propertyNames of a length",
    object({ propertyNames: { maxLength: 3 } }),
    object({ propertyNames: { maxLength: 2 } }),
  ),
  ...narrowing(
    "a property named like what objects inherit",
    object({ properties: { constructor: {} } }),
    object({ properties: { constructor: text } }),
  ),
  ...narrowing("required named like a prototype", object({}), object({ required: ["__proto__"] })),
  ...narrowing(
    "a property named $ref",
    object({ properties: { $ref: {} } }),
    object({ properties: { $ref: text } }),
  ),
  ...narrowing(
    "a property named default",
    object({ properties: { default: {} } }),
    object({ properties: { default: number } }),
  ),
  ...narrowing(
    "a maximum beyond exact integers",
    { type: "number", maximum: 1e21 },
    { type: "number", maximum: 1e20 },
  ),
  ...narrowing(
    "the depth of lists",
    list({ items: list({ items: {} }) }),
    list({ items: list({ items: number }) }),
  ),
  ...narrowing("minProperties of a closed object", closed({ a: text, b: text }), {
    ...closed({ a: text, b: text }),
    minProperties: 2,
  }),
  ...narrowing(
    "a dependency of a dependency",
    object({ dependentRequired: { a: ["b"] } }),
    object({ dependentRequired: { a: ["b"], b: ["c"] } }),
  ),
  request("a const object gets another member", { const: { a: 1 } }, { const: { a: 1, b: 2 } }, major),
  response("a const object gets another member", { const: { a: 1 } }, { const: { a: 1, b: 2 } }, major),
  request(
    "contentEncoding is another",
    { type: "string", contentEncoding: "base64" },
    { type: "string", contentEncoding: "base64url" },
    major,
  ),
  response(
    "contentEncoding is another",
    { type: "string", contentEncoding: "base64" },
    { type: "string", contentEncoding: "base64url" },
    major,
  ),
  request(
    "a date becomes a time",
    { type: "string", format: "date" },
    { type: "string", format: "date-time" },
    major,
  ),
  response(
    "a date becomes a time",
    { type: "string", format: "date" },
    { type: "string", format: "date-time" },
    major,
  ),
  request(
    "the order of a tuple",
    list({ prefixItems: [text, number] }),
    list({ prefixItems: [number, text] }),
    major,
  ),
  response(
    "the order of a tuple",
    list({ prefixItems: [text, number] }),
    list({ prefixItems: [number, text] }),
    major,
  ),
  request(
    "if is another",
    { if: { type: "string" }, [consequence]: { minLength: 2 } },
    { if: { type: "string", maxLength: 9 }, [consequence]: { minLength: 2 } },
    minor,
  ),
  ...rewording("an else without an if", text, { ...text, else: { maxLength: 1 } }),
  ...rewording("minContains without contains", list({}), list({ minContains: 3 })),
  ...rewording("anyOf with a branch within another", text, {
    anyOf: [text, { type: "string", minLength: 3 }],
  }),
  ...rewording(
    "if of another type",
    { type: "integer" },
    { type: "integer", if: text, [consequence]: { maxLength: 1 } },
  ),
  ...rewording(
    "minProperties that required entails",
    object({ required: ["a"] }),
    object({ required: ["a"], minProperties: 1 }),
  ),
  ...rewording("uniqueItems of one item", list({ maxItems: 1 }), list({ maxItems: 1, uniqueItems: true })),
  request("the order of a const's members", { const: { a: 1, b: 2 } }, { const: { b: 2, a: 1 } }, undefined),
];

const holding = (schema: Json): JsonObject => ({ schemas: { A: schema, B: { allOf: [toCard("A")] } } });
const ofB = [inRequest(toCard("B")), inResponse(toCard("B"))] as const;
const node = (value: Json): JsonObject => ({
  schemas: { N: object({ properties: { next: toCard("N"), value } }) },
});
const byTag = (mapping: JsonObject): JsonObject => ({
  oneOf: [toCard("Card"), toCard("Cash")],
  discriminator: { propertyName: "type", mapping },
});
const tagged = schemas({
  Card: open({ type: text, number: text }, ["type"]),
  Cash: open({ type: text }, ["type"]),
});

const referenceCases: Case[] = [
  components(
    "a component of a component is narrower",
    holding(text),
    holding({ type: "string", maxLength: 1 }),
    major,
    ofB[0],
  ),
  components(
    "a component of a component is wider",
    holding({ type: "string", maxLength: 1 }),
    holding(text),
    major,
    ofB[1],
  ),
  components(
    "a value deep in a recursive schema is narrower",
    node(number),
    node({ type: "integer" }),
    major,
    inRequest(toCard("N")),
  ),
  components(
    "a value deep in a recursive schema is wider",
    node({ type: "integer" }),
    node(number),
    major,
    inResponse(toCard("N")),
  ),
  components(
    "a referenced body becomes required",
    { requestBodies: { R: { content: json({ schema: text }) } } },
    { requestBodies: { R: { required: true, content: json({ schema: text }) } } },
    major,
    { requestBody: { $ref: "#/components/requestBodies/R" } },
  ),
  components(
    "a referenced response is wider",
    { responses: { R: { description: "R.", content: json({ schema: { const: 1 } }) } } },
    { responses: { R: { description: "R.", content: json({ schema: number }) } } },
    major,
    { responses: { "200": { $ref: "#/components/responses/R" } } },
  ),
  components(
    "a referenced header may be missing",
    { headers: { H: { required: true, schema: text } } },
    { headers: { H: { schema: text } } },
    major,
    { responses: { "200": { description: "R.", headers: { "X-H": { $ref: "#/components/headers/H" } } } } },
  ),
  components(
    "a referenced parameter is narrower",
    { parameters: { P: { name: "p", in: "query", schema: number } } },
    { parameters: { P: { name: "p", in: "query", schema: { type: "integer" } } } },
    major,
    { parameters: [{ $ref: "#/components/parameters/P" }] },
  ),
  operations(
    "a component moves, and what it says stays",
    inRequest(toCard("A")),
    inRequest(toCard("Z")),
    patch,
    schemas({ A: text }),
    schemas({ Z: text }),
  ),
  operations(
    "a component moves, and says less",
    inRequest(toCard("A")),
    inRequest(toCard("Z")),
    major,
    schemas({ A: text }),
    schemas({ Z: { type: "string", minLength: 1 } }),
  ),
  request(
    "a tag selects another schema",
    byTag({ c: "#/components/schemas/Card", d: "#/components/schemas/Cash" }),
    byTag({ d: "#/components/schemas/Card", c: "#/components/schemas/Cash" }),
    major,
    tagged,
  ),
  response(
    "a tag has another value",
    byTag({ c: "#/components/schemas/Card" }),
    byTag({ k: "#/components/schemas/Card" }),
    major,
    tagged,
  ),
  response(
    "a tag said by a bare name",
    byTag({ c: "#/components/schemas/Card" }),
    byTag({ c: "Card" }),
    patch,
    tagged,
  ),
  request(
    "a discriminator that schemas say already",
    { oneOf: [toCard("Card"), toCard("Cash")] },
    byTag({}),
    patch,
    schemas({
      Card: open({ type: { const: "Card" } }, ["type"]),
      Cash: open({ type: { const: "Cash" } }, ["type"]),
    }),
  ),
];

const q = (more: JsonObject): JsonObject => ({
  parameters: [{ name: "q", in: "query", schema: text, ...more }],
});
const part = open({ a: text, b: number });
const sends = (...types: string[]): JsonObject => ({
  requestBody: {
    required: true,
    content: Object.fromEntries(types.map((type) => [type, { schema: object({}) }])),
  },
});
const answersBy = (...types: string[]): JsonObject => ({
  responses: {
    "200": {
      description: "It.",
      content: Object.fromEntries(types.map((type) => [type, { schema: object({}) }])),
    },
  },
});
const statuses = (...some: string[]): JsonObject => ({
  responses: Object.fromEntries(
    some.map((status) => [status, { description: "It.", content: json({ schema: text }) }]),
  ),
});
const form = (encoding: JsonObject): JsonObject => ({
  requestBody: {
    content: {
      "multipart/form-data": { schema: object({ properties: { a: list({ items: text }) } }), encoding },
    },
  },
});

const operationCases: Case[] = [
  operations("a parameter moves from the query to a header", q({}), q({ in: "header" }), major),
  operations("an optional parameter is gone", q({}), {}, major),
  operations("a parameter of other letters", q({}), q({ name: "Q" }), major),
  operations("a cookie becomes required", q({ in: "cookie" }), q({ in: "cookie", required: true }), major),
  operations(
    "an object's parts are no longer deep",
    q({ schema: part, style: "deepObject", explode: true }),
    q({ schema: part }),
    major,
  ),
  operations(
    "an object is no longer spread",
    q({ schema: part }),
    q({ schema: part, explode: false }),
    major,
  ),
  operations("an empty value is no longer allowed", q({ allowEmptyValue: true }), q({}), major),
  operations(
    "a list in pipes",
    q({ schema: list({ items: text }), explode: false }),
    q({ schema: list({ items: text }), style: "pipeDelimited", explode: false }),
    major,
  ),
  operations("text spread in a query, which is written the same", q({}), q({ explode: false }), patch),
  operations(
    "a parameter's default is another",
    q({ schema: { ...text, default: "a" } }),
    q({ schema: { ...text, default: "b" } }),
    major,
  ),
  operations(
    "the media type's version",
    sends("application/vnd.a+json;version=1"),
    sends("application/vnd.a+json;version=2"),
    major,
  ),
  operations(
    "the media type's character set",
    sends("application/json"),
    sends("application/json; charset=utf-8"),
    patch,
  ),
  operations(
    "a vendor's media type for another",
    answersBy("application/vnd.a+json"),
    answersBy("application/vnd.b+json"),
    major,
  ),
  operations(
    "JSON no more, but XML",
    sends("application/json", "application/xml"),
    sends("application/xml"),
    major,
  ),
  operations("any text for one", sends("text/*"), sends("text/plain"), major),
  operations("a part of a form as JSON", form({}), form({ a: { contentType: "application/json" } }), major),
  operations(
    "a list in a form is no longer repeated",
    form({ a: { style: "form", explode: true } }),
    form({ a: { style: "form", explode: false } }),
    major,
  ),
  operations("content where there was none", {}, sends("application/json"), major),
  operations("content that may be left out", {}, { requestBody: { content: json({ schema: text }) } }, minor),
  operations("content is no longer taken", sends("application/json"), {}, major),
  operations(
    "a class of failures becomes two of them",
    statuses("200", "4XX"),
    statuses("200", "400", "404"),
    minor,
  ),
  operations("success becomes any success", statuses("200"), statuses("2XX"), minor),
  operations(
    "the default is gone, which may have been a success",
    statuses("200", "default"),
    statuses("200"),
    major,
  ),
  operations(
    "the default is another than the failure was",
    statuses("200", "404"),
    {
      responses: {
        ...(statuses("200").responses as JsonObject),
        default: { description: "It.", content: json({ schema: number }) },
      },
    },
    major,
  ),
  operations("the only success is another", statuses("200"), statuses("201"), major),
  operations(
    "a success has content at last",
    { responses: { "200": { description: "It." } } },
    statuses("200"),
    minor,
  ),
];

const secured = (security: Json, more: JsonObject = {}): JsonObject => ({ ...both, security, ...more });
const securityCases: Case[] = [
  operations(
    "an open operation is held to what holds for all",
    { security: [] },
    {},
    major,
    secured([{ key: [] }]),
    secured([{ key: [] }]),
  ),
  operations(
    "an operation is opened against what holds for all",
    {},
    { security: [] },
    minor,
    secured([{ key: [] }]),
    secured([{ key: [] }]),
  ),
  operations("a key may no longer be left out", { security: [{ key: [] }, {}] }, keyOnly, major, both),
  operations(
    "the order of credentials",
    { security: [{ key: [] }, { bearer: [] }] },
    { security: [{ bearer: [] }, { key: [] }] },
    patch,
    both,
  ),
  operations(
    "two credentials together for either",
    { security: [{ key: [] }, { bearer: [] }] },
    { security: [{ key: [], bearer: [] }] },
    major,
    both,
  ),
  operations(
    "either credential for two together",
    { security: [{ key: [], bearer: [] }] },
    { security: [{ key: [] }, { bearer: [] }] },
    minor,
    both,
  ),
  operations(
    "a role of a bearer",
    { security: [{ bearer: [] }] },
    { security: [{ bearer: ["admin"] }] },
    major,
    both,
  ),
  operations(
    "the key moves to the query",
    keyOnly,
    keyOnly,
    major,
    schemes({ key }),
    schemes({ key: { ...key, in: "query" } }),
  ),
  operations(
    "basic for bearer",
    { security: [{ bearer: [] }] },
    { security: [{ bearer: [] }] },
    major,
    schemes({ bearer }),
    schemes({ bearer: { ...bearer, scheme: "basic" } }),
  ),
  operations(
    "a flow of OAuth is gone",
    { security: [{ oauth: [] }] },
    { security: [{ oauth: [] }] },
    major,
    schemes({ oauth: oauth({}) }),
    schemes({ oauth: { type: "oauth2", flows: {} } }),
  ),
  operations(
    "OpenID Connect is found elsewhere",
    { security: [{ oidc: [] }] },
    { security: [{ oidc: [] }] },
    major,
    schemes({ oidc: { type: "openIdConnect", openIdConnectUrl: "https://a.test" } }),
    schemes({ oidc: { type: "openIdConnect", openIdConnectUrl: "https://b.test" } }),
  ),
];

const at = (url: string, more: JsonObject = {}): JsonObject => ({ servers: [{ url, ...more }] });
const variable = (some: JsonObject): JsonObject => at("https://{v}.test", { variables: { v: some } });
const documentCases: Case[] = [
  paths("a path gets a slash at its end", withPaths({ "/a": get() }), withPaths({ "/a/": get() }), major),
  paths(
    "a path gets an ending",
    withPaths({ "/a/{x}": get(ofPath("x")) }),
    withPaths({ "/a/{x}.json": get(ofPath("x")) }),
    major,
  ),
  paths("a path in other letters", withPaths({ "/a": get() }), withPaths({ "/A": get() }), major),
  paths(
    "two path parameters change places",
    withPaths({
      "/{x}/{y}": get({
        parameters: [
          ...(ofPath("x").parameters as Json[]),
          ...(ofPath("y", { schema: number }).parameters as Json[]),
        ],
      }),
    }),
    withPaths({
      "/{y}/{x}": get({
        parameters: [
          ...(ofPath("x").parameters as Json[]),
          ...(ofPath("y", { schema: number }).parameters as Json[]),
        ],
      }),
    }),
    major,
  ),
  paths(
    "a renamed path parameter is narrower",
    withPaths({ "/a/{x}": get(ofPath("x")) }),
    withPaths({ "/a/{z}": get(ofPath("z", { schema: { type: "string", maxLength: 3 } })) }),
    major,
  ),
  paths(
    "a path parameter in another style",
    withPaths({ "/a/{x}": get(ofPath("x")) }),
    withPaths({ "/a/{x}": get(ofPath("x", { style: "matrix" })) }),
    major,
  ),
  paths(
    "a parameter of the path that the operation says anew",
    withPaths({ "/a/{x}": { ...ofPath("x"), ...get(ofPath("x")) } }),
    withPaths({ "/a/{x}": { ...ofPath("x", { schema: number }), ...get(ofPath("x")) } }),
    patch,
  ),
  paths(
    "GET becomes HEAD",
    withPaths({ "/a": get() }),
    withPaths({ "/a": { head: get().get ?? {} } }),
    major,
  ),
  paths(
    "TRACE is gone",
    withPaths({ "/a": { ...get(), trace: get().get ?? {} } }),
    withPaths({ "/a": get() }),
    major,
  ),
  paths(
    "an operation moves with its id",
    withPaths({ "/a": get({ operationId: "x" }) }),
    withPaths({ "/b": get({ operationId: "x" }) }),
    major,
  ),
  paths(
    "an operation is called elsewhere",
    withPaths({ "/a": get() }, at("https://a.test")),
    withPaths({ "/a": get(at("https://b.test")) }, at("https://a.test")),
    major,
  ),
  paths(
    "a path is called elsewhere",
    withPaths({ "/a": get() }),
    withPaths({ "/a": { ...at("/v2"), ...get() } }),
    major,
  ),
  paths(
    "a server variable takes fewer values",
    withPaths({ "/a": get() }, variable({ default: "a", enum: ["a", "b"] })),
    withPaths({ "/a": get() }, variable({ default: "a", enum: ["a"] })),
    major,
  ),
  paths(
    "a server variable takes more values",
    withPaths({ "/a": get() }, variable({ default: "a", enum: ["a"] })),
    withPaths({ "/a": get() }, variable({ default: "a", enum: ["a", "b"] })),
    minor,
  ),
  paths(
    "a path is written by reference",
    withPaths({ "/a": get() }),
    withPaths({ "/a": { $ref: "#/components/pathItems/A" } }, { components: { pathItems: { A: get() } } }),
    patch,
  ),
  paths("a tag", withPaths({ "/a": get() }), withPaths({ "/a": get({ tags: ["a"] }) }), patch),
  paths(
    "an answer to what matches no operation is wider",
    withPaths(
      { "/a": get() },
      {
        "x-unmatched-responses": { "404": { description: "None.", content: json({ schema: { const: 1 } }) } },
      },
    ),
    withPaths(
      { "/a": get() },
      { "x-unmatched-responses": { "404": { description: "None.", content: json({ schema: number }) } } },
    ),
    major,
  ),
];

const olderCases: Case[] = [
  of30(
    "null is no longer admitted beside an enum",
    { ...text, nullable: true, enum: ["a"] },
    { ...text, enum: ["a"] },
    major,
  ),
  of30(
    "an enum gets null, which nullable admits already",
    { ...text, nullable: true, enum: ["a"] },
    { ...text, nullable: true, enum: ["a", null] },
    undefined,
  ),
  of30(
    "an exclusive bound without a bound says nothing",
    number,
    { ...number, exclusiveMinimum: true },
    undefined,
  ),
  of30(
    "an exclusive maximum in a response",
    { ...number, maximum: 1, exclusiveMaximum: true },
    { ...number, maximum: 1 },
    major,
    inResponse,
  ),
  of30("nullable beside oneOf", { oneOf: [text, number], nullable: true }, { oneOf: [text, number] }, major),
  of30("nullable of an item", list({ items: { ...text, nullable: true } }), list({ items: text }), major),
  across(
    "null beside an enum",
    { ...text, nullable: true, enum: ["a"] },
    { type: ["string", "null"], enum: ["a", null] },
    undefined,
  ),
  across("an example", { ...text, example: "a" }, { ...text, examples: ["a"] }, undefined),
  across("null is lost on the way", { ...text, nullable: true }, text, major),
  across(
    "a bound is lost on the way",
    { ...number, minimum: 0, exclusiveMinimum: true },
    { ...number, minimum: 0 },
    minor,
  ),
];

export const adverseCases: readonly Case[] = [
  ...keywordCases,
  ...referenceCases,
  ...operationCases,
  ...securityCases,
  ...documentCases,
  ...olderCases,
];
