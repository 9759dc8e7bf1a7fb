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
const answer = (more: JsonObject): JsonObject => responses({ "200": more });
const header = (more: JsonObject): JsonObject =>
  answer({ headers: { "X-Rate": { schema: integer, ...more } } });
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
const link = (operationId: string): JsonObject => answer({ links: { next: { operationId } } });

const operations: readonly Row[] = [
  ["nothing at all", {}, {}, undefined],
  ["a summary", {}, { summary: "Make a thing." }, "patch"],
  ["another operationId, of which the wire knows nothing", {}, { operationId: "createThing" }, "patch"],
  ["tags", {}, { tags: ["things"] }, "patch"],
  ["an operation is deprecated", {}, { deprecated: true }, "minor"],
  ["a parameter is new and optional", {}, parameter({}), "minor"],
  ["a parameter is new and required", {}, parameter({ required: true }), "major"],
  ["a parameter is gone", parameter({}), {}, "major"],
  ["a parameter becomes required", parameter({}), parameter({ required: true }), "major"],
  ["a parameter becomes optional", parameter({ required: true }), parameter({}), "minor"],
  ["a parameter moves to a header", parameter({}), parameter({ in: "header" }), "major"],
  ["a parameter is deprecated", parameter({}), parameter({ deprecated: true }), "minor"],
  [
    "a header parameter in other letters",
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
  ["a parameter in other letters", parameter({}), parameter({ name: "Q" }), "major"],
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
  ["explode for a single value says nothing", parameter({}), parameter({ explode: false }), "patch"],
  [
    "the style that is meant anyway",
    parameter({ schema: texts }),
    parameter({ schema: texts, style: "form", explode: true }),
    "patch",
  ],
  [
    "an object's parts are no longer deep",
    parameter({ schema: object(), style: "deepObject", explode: true }),
    parameter({ schema: object() }),
    "major",
  ],
  ["allowReserved no more", parameter({ allowReserved: true }), parameter({}), "major"],
  ["allowReserved", parameter({}), parameter({ allowReserved: true }), "minor"],
  ["allowEmptyValue no more", parameter({ allowEmptyValue: true }), parameter({}), "major"],
  ["a parameter as JSON", parameter({}), asJson(text), "major"],
  ["a schema of a JSON parameter", asJson(number), asJson(integer), "major"],
  ["a required body is new", {}, body(thing), "major"],
  ["an optional body is new", {}, body(thing, false), "minor"],
  ["the body is gone", body(thing), {}, "major"],
  ["the body becomes required", body(thing, false), body(thing), "major"],
  ["the body becomes optional", body(thing), body(thing, false), "minor"],
  ["a schema for an open media type of a request", body(json({})), body(thing), "major"],
  ["a schema no more for a media type of a request", body(thing), body({ "application/json": {} }), "minor"],
  ["another media type is taken", body(thing), body({ ...thing, ...plain }), "minor"],
  ["a media type is no longer taken", body({ ...thing, ...plain }), body(thing), "major"],
  [
    "a media type becomes a range",
    body(withSchema("application/json")),
    body(withSchema("application/*")),
    "minor",
  ],
  ["any text for one", body(withSchema("text/*")), body(withSchema("text/plain")), "major"],
  [
    "a media type in other letters",
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
    "a media type is answered no more",
    answer({ content: { ...thing, ...plain } }),
    answer({ content: thing }),
    "major",
  ],
  [
    "another media type is answered",
    answer({ content: thing }),
    answer({ content: { ...thing, ...plain } }),
    "minor",
  ],
  [
    "a schema for an open media type of a response",
    answer({ content: { "application/json": {} } }),
    answer({ content: thing }),
    "minor",
  ],
  ["the content of a response is gone", answer({ content: thing }), answer({}), "major"],
  ["a response gets content", answer({}), answer({ content: thing }), "minor"],
  ["another success", textOf("200"), textOf("200", "202"), "minor"],
  ["a success is gone", textOf("200", "202"), textOf("200"), "major"],
  ["a success has another status", textOf("200"), textOf("201"), "major"],
  ["success becomes any success", textOf("200"), textOf("2XX"), "minor"],
  ["another failure", textOf("200"), textOf("200", "409"), "minor"],
  ["a failure is gone", textOf("200", "409"), textOf("200"), "minor"],
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
  ["the default is gone, which may have been a success", textOf("200", "default"), textOf("200"), "major"],
  ["a status becomes a range", textOf("404"), textOf("4XX"), "minor"],
  ["a range becomes two statuses", textOf("4XX"), textOf("400", "404"), "minor"],
  ["a response's description", answer({}), answer({ description: "The thing." }), "patch"],
  ["a response header is new", answer({}), header({}), "minor"],
  ["a response header is gone", header({}), answer({}), "major"],
  ["a response header is no longer sure", header({ required: true }), header({}), "major"],
  ["a response header is sure now", header({}), header({ required: true }), "minor"],
  ["a response header of another type", header({}), header({ schema: text }), "major"],
  [
    "a response header that says it more exactly",
    header({}),
    header({ schema: { ...integer, minimum: 0 } }),
    "minor",
  ],
  ["a link leads elsewhere", link("makeThing"), link("other"), "major"],
  ["a link is new", answer({}), link("makeThing"), "minor"],
  ["a link is gone", link("makeThing"), answer({}), "major"],
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
    "a schema that holds itself is the same",
    schemas({ Node: node(text) }),
    schemas({ Node: { ...node(text), title: "Node" } }),
    "patch",
    inResponse(ref("Node")),
  ],
  [
    "a schema that holds itself is wider inside",
    schemas({ Node: node(text) }),
    schemas({ Node: node({}) }),
    "major",
    inResponse(ref("Node")),
  ],
  [
    "what requests and responses share gets a required property",
    schemas({ A: open({ a: text }) }),
    schemas({ A: open({ a: text }, ["a"]) }),
    "major",
    shared,
  ],
  [
    "what requests and responses share gets an optional property",
    schemas({ A: open({ a: text }) }),
    schemas({ A: open({ a: text, b: text }) }),
    "minor",
    shared,
  ],
  [
    "variants that overlap get the same property",
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
    answer({ headers: { "X-H": { $ref: "#/components/headers/H" } } }),
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
