/** Changes of an operation and of the components that it uses. */
import type { Json, JsonObject } from "../../openapi/document.ts";
import type { Impact } from "../changes.ts";
import {
  body,
  documentWith,
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
  text,
} from "./notation.ts";

const thing = json(open({ name: text }, ["name"]));
const bare = { "application/json": {} };
const plain = { "text/plain": {} };
const ok = (more: JsonObject): JsonObject => responses({ "200": more });
const returns = (content: JsonObject): JsonObject => ok({ content });
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
const inHeader = (name: string): JsonObject => ({ in: "header", name });
const inOrder = (...names: string[]): JsonObject => ({
  parameters: names.map((name) => ({ name, in: "query", schema: text })),
});
const link = (operationId: string): JsonObject => ok({ links: { next: { operationId } } });

const operations: readonly Row[] = [
  ["nothing changes", {}, {}, undefined],
  ["a summary is added", {}, { summary: "Make a thing." }, "patch"],
  ["operationId, which is not on the wire, changes", {}, { operationId: "createThing" }, "patch"],
  ["the order of tags changes", { tags: ["a", "b"] }, { tags: ["b", "a"] }, "patch"],
  ["an operation is deprecated", {}, { deprecated: true }, "minor"],
  ["an optional parameter is added", {}, parameter({}), "minor"],
  ["a required parameter is added", {}, parameter({ required: true }), "major"],
  ["a parameter is removed", parameter({}), {}, "major"],
  ["an ignored header is added", {}, parameter({ in: "header", name: "Authorization" }), "patch"],
  ["the order of parameters changes", inOrder("q", "r"), inOrder("r", "q"), "patch"],
  ["a parameter becomes JSON", parameter({}), asJson(text), "major"],
  ["the schema of a JSON parameter gets narrower", asJson(number), asJson(integer), "major"],
  ["a required body is added", {}, body(thing), "major"],
  ["an optional body is added", {}, body(thing, false), "minor"],
  ["the body is removed", body(thing), {}, "major"],
  ["the body becomes required", body(thing, false), body(thing), "major"],
  ["the body becomes optional", body(thing), body(thing, false), "minor"],
  ["a media type of a request gets a schema", body(json({})), body(thing), "major"],
  ["the schema of a request's media type is removed", body(thing), body(bare), "minor"],
  ["another media type is accepted", body(thing), body({ ...thing, ...plain }), "minor"],
  ["a media type is no longer accepted", body({ ...thing, ...plain }), body(thing), "major"],
  ["the encoding of a part changes", body(part("image/png")), body(part("image/jpeg")), "major"],
  ["a media type is no longer returned", returns({ ...thing, ...plain }), returns(thing), "major"],
  ["another media type may be returned", returns(thing), returns({ ...thing, ...plain }), "minor"],
  ["a media type of a response gets a schema", returns(bare), returns(thing), "minor"],
  ["the schema of a response's media type is removed", returns(thing), returns(bare), "major"],
  ["the body of a response is removed", returns(thing), ok({}), "major"],
  ["a response gets a body", ok({}), returns(thing), "minor"],
  ["a success status is added", textOf("200"), textOf("200", "202"), "minor"],
  ["a success status is removed", textOf("200", "202"), textOf("200"), "major"],
  ["a success status becomes a range", textOf("200"), textOf("2XX"), "minor"],
  ["an error status is added", textOf("200"), textOf("200", "409"), "minor"],
  ["an error status is removed", textOf("200", "409"), textOf("200"), "minor"],
  ["a status that `default` covered is added", textOf("default"), textOf("default", "409"), "minor"],
  [
    "a status that `default` covered is added, with another body",
    textOf("default"),
    responses({ default: { content: json(text) }, "409": { content: json(number) } }),
    "major",
  ],
  ["`default` is removed", textOf("200", "default"), textOf("200"), "major"],
  ["an error status becomes a range", textOf("404"), textOf("4XX"), "minor"],
  ["a range becomes two statuses", textOf("4XX"), textOf("400", "404"), "minor"],
  ["a response's description changes", ok({}), ok({ description: "The thing." }), "patch"],
  ["a response header is added", ok({}), header({}), "minor"],
  ["a response header is removed", header({}), ok({}), "major"],
  ["a response header becomes optional", header({ required: true }), header({}), "major"],
  ["a response header becomes required", header({}), header({ required: true }), "minor"],
  ["the type of a response header changes", header({}), header({ schema: text }), "major"],
  ["a response header gets narrower", header({}), header({ schema: { ...integer, minimum: 0 } }), "minor"],
  ["a link points to another operation", link("makeThing"), link("other"), "major"],
  ["a link is added", ok({}), link("makeThing"), "minor"],
  ["a link is removed", link("makeThing"), ok({}), "major"],
];

/** Changes of one parameter. */
const parameters: readonly Row[] = [
  ["a parameter becomes required", {}, { required: true }, "major"],
  ["a parameter becomes optional", { required: true }, {}, "minor"],
  ["a parameter moves to a header", {}, { in: "header" }, "major"],
  ["a parameter is deprecated", {}, { deprecated: true }, "minor"],
  ["the letter case of a header changes", inHeader("X-A"), inHeader("x-a"), "patch"],
  ["the letter case of a parameter changes", {}, { name: "Q" }, "major"],
  ["the style of a list changes", { schema: texts }, { schema: texts, style: "pipeDelimited" }, "major"],
  ["explode of a list becomes false", { schema: texts }, { schema: texts, explode: false }, "major"],
  ["explode of a single value, which has no effect, becomes false", {}, { explode: false }, "patch"],
  ["the default style is set", { schema: texts }, { schema: texts, style: "form", explode: true }, "patch"],
  ["the schema of an object parameter is removed", { schema: open({ a: text }) }, { schema: {} }, "major"],
  ["the schema of a string parameter is removed", {}, { schema: {} }, "minor"],
  ["allowReserved is removed", { allowReserved: true }, {}, "major"],
  ["allowReserved is added", {}, { allowReserved: true }, "minor"],
  ["allowEmptyValue is removed", { allowEmptyValue: true }, {}, "major"],
];

/** Changes of the only media type of a request. */
const mediaTypes: readonly (readonly [title: string, old: string, now: string, expected: Impact])[] = [
  ["a media type becomes a range", "application/json", "application/*", "minor"],
  ["a range of media types becomes one media type", "text/*", "text/plain", "major"],
  ["the letter case of a media type changes", "application/json", "Application/JSON", "patch"],
  ["the media type's version changes", "text/a;version=1", "text/a;version=2", "major"],
  ["the media type's character set changes", "application/json", "application/json; charset=utf-8", "patch"],
];

const node = (leaf: Json): JsonObject => open({ leaf, next: ref("Node") });
const overlapping = (more: JsonObject): JsonObject =>
  schemas({ A: open({ a: text, ...more }), B: open({ b: text, c: number, ...more }, ["c"]) });

/** Changes of components, while the operation that uses them stays the same. */
const components: readonly (readonly [...Row, use: JsonObject])[] = [
  ["a component that nothing uses changes", schemas({ A: text }), schemas({ A: number }), "patch", {}],
  [
    "a property of a recursive schema gets wider",
    schemas({ Node: node(text) }),
    schemas({ Node: node({}) }),
    "major",
    inResponse(ref("Node")),
  ],
  [
    "the same property is added to overlapping alternatives",
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
    "a referenced header becomes optional",
    { components: { headers: { H: { required: true, schema: text } } } },
    { components: { headers: { H: { schema: text } } } },
    "major",
    ok({ headers: { "X-H": { $ref: "#/components/headers/H" } } }),
  ],
  [
    "a referenced parameter gets narrower",
    { components: { parameters: { P: { name: "p", in: "query", schema: number } } } },
    { components: { parameters: { P: { name: "p", in: "query", schema: integer } } } },
    "major",
    { parameters: [{ $ref: "#/components/parameters/P" }] },
  ],
];

const withOperations = ([title, old, now, expected]: Row): Row => [
  title,
  documentWith(old),
  documentWith(now),
  expected,
];

export const operationCases: readonly Row[] = [
  ...operations.map(withOperations),
  ...parameters.map(([title, old, now, expected]) =>
    withOperations([title, parameter(old), parameter(now), expected]),
  ),
  ...mediaTypes.map(([title, old, now, expected]) =>
    withOperations([title, body(withSchema(old)), body(withSchema(now)), expected]),
  ),
  ...components.map(
    ([title, old, now, expected, use]): Row => [
      title,
      documentWith(use, old),
      documentWith(use, now),
      expected,
    ],
  ),
];
