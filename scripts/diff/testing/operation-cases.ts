/** Changes of an operation and of the components that it uses. */
import type { Json, JsonObject } from "../../openapi/document.ts";
import {
  body,
  type Case,
  caseOf,
  documentWith,
  inRequest,
  inResponse,
  integer,
  json,
  list,
  number,
  object,
  open,
  parameter,
  type Row,
  ref,
  responses,
  schemas,
  string,
  text,
} from "./notation.ts";

const thing = json(open({ name: text }, ["name"]));
const plain = { "text/plain": {} };
const ok = (more: JsonObject): JsonObject => responses({ "200": more });
const header = (more: JsonObject): JsonObject => ok({ headers: { "X-Rate": { schema: integer, ...more } } });
const textOf = (...statuses: string[]): JsonObject =>
  responses(Object.fromEntries(statuses.map((status) => [status, { content: json(text) }])));
const withSchema = (type: string): JsonObject => ({ [type]: { schema: object() } });
const part = (contentType: string): JsonObject => ({
  "multipart/form-data": { schema: open({ a: text }), encoding: { a: { contentType } } },
});
const texts = list({ items: text });
const asJson = (schema: Json): JsonObject => ({
  parameters: [{ name: "q", in: "query", content: json(schema) }],
});
const link = (operationId: string): JsonObject => ok({ links: { next: { operationId } } });

const operations: readonly Row[] = [
  ["nothing at all", {}, {}, undefined],
  ["a summary", {}, { summary: "Make a thing." }, "patch"],
  ["another operationId, which is not on the wire", {}, { operationId: "createThing" }, "patch"],
  ["tags", {}, { tags: ["things"] }, "patch"],
  ["an operation is deprecated", {}, { deprecated: true }, "minor"],
  ["a parameter is added and optional", {}, parameter({}), "minor"],
  ["a parameter is added and required", {}, parameter({ required: true }), "major"],
  ["a parameter is removed", parameter({}), {}, "major"],
  ["a parameter becomes required", parameter({}), parameter({ required: true }), "major"],
  ["a parameter becomes optional", parameter({ required: true }), parameter({}), "minor"],
  ["a parameter moves to a header", parameter({}), parameter({ in: "header" }), "major"],
  ["a parameter is deprecated", parameter({}), parameter({ deprecated: true }), "minor"],
  [
    "a header parameter in other letter case",
    parameter({ in: "header", name: "X-A" }),
    parameter({ in: "header", name: "x-a" }),
    "patch",
  ],
  [
    "a header parameter that OpenAPI ignores",
    {},
    parameter({ in: "header", name: "Authorization", required: true }),
    "patch",
  ],
  ["a parameter in other letter case", parameter({}), parameter({ name: "Q" }), "major"],
  [
    "a list in another style",
    parameter({ schema: texts }),
    parameter({ schema: texts, style: "pipeDelimited" }),
    "major",
  ],
  [
    "a list that is no longer repeated",
    parameter({ schema: texts }),
    parameter({ schema: texts, explode: false }),
    "major",
  ],
  ["explode for a single value has no effect", parameter({}), parameter({ explode: false }), "patch"],
  [
    "the default style is written",
    parameter({ schema: texts }),
    parameter({ schema: texts, style: "form", explode: true }),
    "patch",
  ],
  [
    "an object is no longer a deepObject",
    parameter({ schema: object(), style: "deepObject", explode: true }),
    parameter({ schema: object() }),
    "major",
  ],
  [
    "an object's schema is removed",
    parameter({ schema: open({ a: text }) }),
    parameter({ schema: {} }),
    "major",
  ],
  ["the schema of a text parameter is removed", parameter({}), parameter({ schema: {} }), "minor"],
  ["allowReserved is removed", parameter({ allowReserved: true }), parameter({}), "major"],
  ["allowReserved", parameter({}), parameter({ allowReserved: true }), "minor"],
  ["allowEmptyValue is removed", parameter({ allowEmptyValue: true }), parameter({}), "major"],
  ["a parameter as JSON", parameter({}), asJson(text), "major"],
  ["a schema of a JSON parameter", asJson(number), asJson(integer), "major"],
  ["a required body is added", {}, body(thing), "major"],
  ["an optional body is added", {}, body(thing, false), "minor"],
  ["the body is removed", body(thing), {}, "major"],
  ["the body becomes required", body(thing, false), body(thing), "major"],
  ["the body becomes optional", body(thing), body(thing, false), "minor"],
  ["a schema for a media type without one of a request", body(json({})), body(thing), "major"],
  [
    "the schema of a media type of a request is removed",
    body(thing),
    body({ "application/json": {} }),
    "minor",
  ],
  ["another media type is accepted", body(thing), body({ ...thing, ...plain }), "minor"],
  ["a media type is no longer accepted", body({ ...thing, ...plain }), body(thing), "major"],
  [
    "a media type becomes a range",
    body(withSchema("application/json")),
    body(withSchema("application/*")),
    "minor",
  ],
  ["any text for one", body(withSchema("text/*")), body(withSchema("text/plain")), "major"],
  [
    "a media type in other letter case",
    body(withSchema("application/json")),
    body(withSchema("Application/JSON")),
    "patch",
  ],
  [
    "the media type's version",
    body(withSchema("application/vnd.a+json;version=1")),
    body(withSchema("application/vnd.a+json;version=2")),
    "major",
  ],
  [
    "the media type's character set",
    body(withSchema("application/json")),
    body(withSchema("application/json; charset=utf-8")),
    "patch",
  ],
  ["the encoding of a part", body(part("image/png")), body(part("image/jpeg")), "major"],
  [
    "a media type is no longer returned",
    ok({ content: { ...thing, ...plain } }),
    ok({ content: thing }),
    "major",
  ],
  [
    "another media type is returned",
    ok({ content: thing }),
    ok({ content: { ...thing, ...plain } }),
    "minor",
  ],
  [
    "a schema for a media type without one of a response",
    ok({ content: { "application/json": {} } }),
    ok({ content: thing }),
    "minor",
  ],
  ["the body of a response is removed", ok({ content: thing }), ok({}), "major"],
  ["a response gets a body", ok({}), ok({ content: thing }), "minor"],
  ["another success", textOf("200"), textOf("200", "202"), "minor"],
  ["a success is removed", textOf("200", "202"), textOf("200"), "major"],
  ["a success has another status", textOf("200"), textOf("201"), "major"],
  ["success becomes any success", textOf("200"), textOf("2XX"), "minor"],
  ["another failure", textOf("200"), textOf("200", "409"), "minor"],
  ["a failure is removed", textOf("200", "409"), textOf("200"), "minor"],
  [
    "a failure that the default covered, with the same content",
    textOf("default"),
    textOf("default", "409"),
    "minor",
  ],
  [
    "a failure that the default covered, with other content",
    textOf("default"),
    responses({ default: { content: json(text) }, "409": { content: json(number) } }),
    "major",
  ],
  [
    "the default is another than the failure was",
    textOf("200", "404"),
    responses({ "200": { content: json(text) }, default: { content: json(number) } }),
    "major",
  ],
  ["the default is removed, which may have been a success", textOf("200", "default"), textOf("200"), "major"],
  ["a status becomes a range", textOf("404"), textOf("4XX"), "minor"],
  ["a range becomes two statuses", textOf("4XX"), textOf("400", "404"), "minor"],
  ["a response's description", ok({}), ok({ description: "The thing." }), "patch"],
  ["a response header is added", ok({}), header({}), "minor"],
  ["a response header is removed", header({}), ok({}), "major"],
  ["a response header becomes optional", header({ required: true }), header({}), "major"],
  ["a response header becomes required", header({}), header({ required: true }), "minor"],
  ["a response header of another type", header({}), header({ schema: text }), "major"],
  [
    "a response header with a narrower schema",
    header({}),
    header({ schema: { ...integer, minimum: 0 } }),
    "minor",
  ],
  ["a link leads elsewhere", link("makeThing"), link("other"), "major"],
  ["a link is added", ok({}), link("makeThing"), "minor"],
  ["a link is removed", link("makeThing"), ok({}), "major"],
];

const node = (leaf: Json): JsonObject => open({ leaf, next: ref("Node") });
const shared = { ...inRequest(ref("A")), ...inResponse(ref("A")) };
const overlapping = (more: JsonObject): JsonObject =>
  schemas({ A: open({ a: text, ...more }), B: open({ b: text, c: number, ...more }, ["c"]) });

/** The operation stays the same, and components that it uses change. */
const components: readonly (readonly [...Row, use: JsonObject])[] = [
  ["a component that nothing uses changes", schemas({ A: text }), schemas({ A: number }), "patch", {}],
  [
    "a component of a component is narrower",
    schemas({ A: text, B: { allOf: [ref("A")] } }),
    schemas({ A: string({ maxLength: 1 }), B: { allOf: [ref("A")] } }),
    "major",
    inRequest(ref("B")),
  ],
  [
    "a recursive schema is the same",
    schemas({ Node: node(text) }),
    schemas({ Node: { ...node(text), title: "Node" } }),
    "patch",
    inResponse(ref("Node")),
  ],
  [
    "a recursive schema is wider inside",
    schemas({ Node: node(text) }),
    schemas({ Node: node({}) }),
    "major",
    inResponse(ref("Node")),
  ],
  [
    "a schema shared by requests and responses gets a required property",
    schemas({ A: open({ a: text }) }),
    schemas({ A: open({ a: text }, ["a"]) }),
    "major",
    shared,
  ],
  [
    "a schema shared by requests and responses gets an optional property",
    schemas({ A: open({ a: text }) }),
    schemas({ A: open({ a: text, b: text }) }),
    "minor",
    shared,
  ],
  [
    "overlapping alternatives get the same property",
    overlapping({}),
    overlapping({ more: text }),
    "minor",
    inResponse({ oneOf: [ref("A"), ref("B")] }),
  ],
  [
    "a referenced body becomes required",
    { components: { requestBodies: { R: { content: json(text) } } } },
    { components: { requestBodies: { R: { required: true, content: json(text) } } } },
    "major",
    { requestBody: { $ref: "#/components/requestBodies/R" } },
  ],
  [
    "a referenced response is wider",
    { components: { responses: { R: { description: "R.", content: json({ const: 1 }) } } } },
    { components: { responses: { R: { description: "R.", content: json(number) } } } },
    "major",
    { responses: { "200": { $ref: "#/components/responses/R" } } },
  ],
  [
    "a referenced header may be missing",
    { components: { headers: { H: { required: true, schema: text } } } },
    { components: { headers: { H: { schema: text } } } },
    "major",
    ok({ headers: { "X-H": { $ref: "#/components/headers/H" } } }),
  ],
  [
    "a referenced parameter is narrower",
    { components: { parameters: { P: { name: "p", in: "query", schema: number } } } },
    { components: { parameters: { P: { name: "p", in: "query", schema: integer } } } },
    "major",
    { parameters: [{ $ref: "#/components/parameters/P" }] },
  ],
];

export const operationCases: readonly Case[] = [
  ...operations.map(([title, old, now, expected]) =>
    caseOf([title, documentWith(old), documentWith(now), expected]),
  ),
  ...components.map(([title, old, now, expected, use]) =>
    caseOf([title, documentWith(use, old), documentWith(use, now), expected]),
  ),
];
