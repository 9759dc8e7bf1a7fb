/** Changes of what newer versions of OpenAPI and JSON Schema added, and of several parts at once. */
import type { Json, JsonObject } from "../../openapi/document.ts";
import { defaultMapping31 } from "../../openapi/downgrade.ts";
import type { Impact } from "../changes.ts";
import {
  body,
  documentWith,
  get,
  inRequest,
  inResponse,
  integer,
  json,
  list,
  number,
  open,
  parameter,
  type Row,
  ref,
  responses,
  schemas,
  string,
  text,
  withPaths,
} from "./notation.ts";

const texts = list({ items: text });
const query = (schema: Json, more: JsonObject = {}): JsonObject => parameter({ schema, ...more });
const inCookie = (schema: Json, more: JsonObject = {}): JsonObject =>
  query(schema, { in: "cookie", ...more });
const stream = (itemSchema: Json, more: JsonObject = {}, type = "application/jsonl"): JsonObject =>
  responses({ 200: { content: { [type]: { itemSchema, ...more } } } });
const sent = (itemSchema: Json): JsonObject => body({ "application/jsonl": { itemSchema } });
const parts = (more: JsonObject): JsonObject => body({ "multipart/mixed": { schema: list(), ...more } });
const event = open({ data: text }, ["data"]);
const tagged = (more: JsonObject): JsonObject => ({
  oneOf: [ref("Cat"), ref("Dog")],
  discriminator: { propertyName: "kind", mapping: { cat: ref("Cat").$ref as Json }, ...more },
});
const pets = schemas({ Cat: open({ kind: text }), Dog: open({ kind: text, age: integer }) });
const both = (make: (schema: Json) => JsonObject, old: Json, now: Json): [JsonObject, JsonObject] => [
  make(old),
  make(now),
];

/** Changes of an operation, in OpenAPI 3.2. */
const newer: readonly (readonly [
  title: string,
  old: JsonObject,
  now: JsonObject,
  expected: Impact | undefined,
])[] = [
  ["a stream stays, a summary changes", stream(event), { ...stream(event), summary: "Events." }, "patch"],
  [
    "a stream stays, an optional parameter is added",
    stream(event),
    { ...stream(event), ...query(text) },
    "minor",
  ],
  [
    "an item of a stream gets a property",
    stream(event),
    stream(open({ data: text, id: text }, ["data"])),
    "minor",
  ],
  ["an item's property becomes optional", stream(event), stream(open({ data: text })), "major"],
  ["an item of a sent stream needs a property", sent(open({ data: text })), sent(event), "major"],
  ["an item of a sent stream no longer needs a property", sent(event), sent(open({ data: text })), "minor"],
  [
    "the schema of a stream's items is removed",
    stream(event),
    responses({ 200: { content: { "application/jsonl": {} } } }),
    "major",
  ],
  [
    "a stream's itemSchema becomes a list",
    stream(event),
    responses({ 200: { content: { "application/jsonl": { schema: list({ items: event }) } } } }),
    "patch",
  ],
  [
    "a stream's list becomes itemSchema",
    responses({ 200: { content: { "application/jsonl": { schema: list({ items: event }) } } } }),
    stream(event),
    "patch",
  ],
  ["a stream gets another media type", stream(event), stream(event, {}, "text/event-stream"), "major"],
  [
    "the encoding of a stream's parts changes",
    parts({ itemEncoding: { contentType: "image/png" } }),
    parts({ itemEncoding: { contentType: "image/gif" } }),
    "major",
  ],
  [
    "the encoding of the first part changes",
    parts({ prefixEncoding: [{ contentType: "image/png" }] }),
    parts({ prefixEncoding: [{ contentType: "image/gif" }] }),
    "major",
  ],
  ["a response gets a summary", responses({ 200: {} }), responses({ 200: { summary: "Done." } }), "patch"],
  [
    "a cookie's style becomes `cookie`",
    ...(both((schema) => inCookie(schema, {}), texts, texts).map((each, i) =>
      i === 0 ? each : inCookie(texts, { style: "cookie" }),
    ) as [JsonObject, JsonObject]),
    "major",
  ],
];

const discriminated: readonly (readonly [
  title: string,
  old: JsonObject,
  now: JsonObject,
  request: Impact,
  response: Impact,
])[] = [
  [
    "defaultMapping selects another schema",
    tagged({ [defaultMapping31]: "Cat" }),
    tagged({ [defaultMapping31]: "Dog" }),
    "major",
    "major",
  ],
  ["defaultMapping is removed", tagged({ [defaultMapping31]: "Cat" }), tagged({}), "major", "minor"],
  [
    "defaultMapping is a reference instead of a name",
    tagged({ [defaultMapping31]: "Cat" }),
    tagged({ [defaultMapping31]: ref("Cat").$ref as Json }),
    "patch",
    "patch",
  ],
];

const extensible = (values: string[], more: JsonObject = { "x-extensible-enum": true }): JsonObject =>
  string({ enum: values, ...more });
const wholeDocument = (values: string[]): JsonObject =>
  documentWith(inResponse(extensible(values, {})), { "x-extensible-enum": true });
const item = (required: string[]): JsonObject => ({
  Item: { $dynamicAnchor: "item", ...open({ id: integer }, required) },
  List: {
    $id: "https://a.test/list",
    $defs: { item: { $dynamicAnchor: "item", ...open({ id: integer }, required) } },
    ...list({ items: { $dynamicRef: "#item" } }),
  },
});
const bound = (schema: Json): JsonObject => ({
  Generic: {
    $id: "https://a.test/generic",
    ...list({ items: { $dynamicRef: "#item" } }),
    $defs: { item: { $dynamicAnchor: "item" } },
  },
  Bound: {
    $id: "https://a.test/bound",
    $ref: "https://a.test/generic",
    $defs: { item: { $dynamicAnchor: "item", ...(schema as JsonObject) } },
  },
});
const tag = (...names: string[]): JsonObject => ({
  oneOf: names.map((name) => ref(name)),
  discriminator: {
    propertyName: "kind",
    mapping: Object.fromEntries(names.map((name) => [name.toLowerCase(), ref(name).$ref as Json])),
  },
});
const constants = (...values: string[]): JsonObject => ({
  oneOf: values.map((value) => open({ kind: { const: value }, [value]: text }, ["kind"])),
});
const nullableMember = (more: JsonObject): JsonObject => ({
  oneOf: [open({ a: text }, ["a"]), open({ b: text, ...more }, ["b"])],
});
const in30 = (operation: JsonObject, more: JsonObject = {}): JsonObject =>
  documentWith(operation, more, "3.0.3");
const a = open({ a: text });
const b = open({ a: text, b: text });

const mixed: readonly Row[] = [
  [
    "the schema with the anchor of a $dynamicRef loses `required`",
    documentWith(inResponse(ref("List")), schemas(item(["id"]))),
    documentWith(inResponse(ref("List")), schemas(item([]))),
    "major",
  ],
  [
    "the schema with the anchor of a $dynamicRef gets `required`",
    documentWith(inRequest(ref("List")), schemas(item([]))),
    documentWith(inRequest(ref("List")), schemas(item(["id"]))),
    "major",
  ],
  [
    "another schema is bound to a $dynamicRef",
    documentWith(inResponse(ref("Bound")), schemas(bound(integer))),
    documentWith(inResponse(ref("Bound")), schemas(bound(text))),
    "major",
  ],
  [
    "a wider schema is bound to a $dynamicRef of a request",
    documentWith(inRequest(ref("Bound")), schemas(bound(integer))),
    documentWith(inRequest(ref("Bound")), schemas(bound(number))),
    "minor",
  ],
  [
    "a member of a response's union gets an optional property",
    documentWith(inResponse(nullableMember({}))),
    documentWith(inResponse(nullableMember({ c: text }))),
    "minor",
  ],
  [
    "a member of a response's union gets an optional property, in OpenAPI 3.0 with null",
    in30(inResponse({ ...nullableMember({}), nullable: true })),
    in30(inResponse({ ...nullableMember({ c: text }), nullable: true })),
    "minor",
  ],
  [
    "a component of a response's union gets an optional property",
    documentWith(inResponse({ oneOf: [ref("A"), ref("B")] }), schemas({ A: a, B: b })),
    documentWith(
      inResponse({ oneOf: [ref("A"), ref("B")] }),
      schemas({ A: a, B: open({ a: text, b: text, c: text }) }),
    ),
    "minor",
  ],
  [
    "a request's union with a discriminator gets an alternative",
    documentWith(inRequest(tag("Cat")), pets),
    documentWith(inRequest(tag("Cat", "Dog")), pets),
    "minor",
  ],
  [
    "a request's union with constants gets an alternative",
    documentWith(inRequest(constants("a", "b"))),
    documentWith(inRequest(constants("a", "b", "c"))),
    "minor",
  ],
  [
    "a response's union with a discriminator gets an alternative",
    documentWith(inResponse(tag("Cat")), pets),
    documentWith(inResponse(tag("Cat", "Dog")), pets),
    "major",
  ],
  [
    "an extensible enum of a response gets a value",
    documentWith(inResponse(extensible(["a"]))),
    documentWith(inResponse(extensible(["a", "b"]))),
    "minor",
  ],
  [
    "an extensible enum of a response loses a value",
    documentWith(inResponse(extensible(["a", "b"]))),
    documentWith(inResponse(extensible(["a"]))),
    "minor",
  ],
  [
    "an extensible enum of a request loses a value",
    documentWith(inRequest(extensible(["a", "b"]))),
    documentWith(inRequest(extensible(["a"]))),
    "major",
  ],
  [
    "an enum becomes extensible and gets a value together",
    documentWith(inResponse(extensible(["a"], {}))),
    documentWith(inResponse(extensible(["a", "b"]))),
    "major",
  ],
  [
    "an extensible enum becomes any string",
    documentWith(inResponse(extensible(["a"]))),
    documentWith(inResponse(text)),
    "major",
  ],
  [
    "an enum gets a value in a document whose enums are extensible",
    wholeDocument(["a"]),
    wholeDocument(["a", "b"]),
    "minor",
  ],
  [
    "additionalProperties true is added with a property",
    documentWith(inRequest(a)),
    documentWith(inRequest(open({ a: text, b: text }, [], { additionalProperties: true }))),
    "minor",
  ],
  [
    "additionalProperties {} is added with a property",
    documentWith(inRequest(a)),
    documentWith(inRequest(open({ a: text, b: text }, [], { additionalProperties: {} }))),
    "minor",
  ],
  [
    "an inline body of a webhook gets a property",
    withPaths({}, { webhooks: { made: { post: body(json(a)) } } }),
    withPaths({}, { webhooks: { made: { post: body(json(b)) } } }),
    "minor",
  ],
  [
    "an inline body of a webhook loses a required property",
    withPaths({}, { webhooks: { made: { post: body(json(open({ a: text, b: text }, ["b"]))) } } }),
    withPaths({}, { webhooks: { made: { post: body(json(a)) } } }),
    "major",
  ],
  [
    "only the version of OpenAPI changes",
    documentWith(inRequest(a)),
    documentWith(inRequest(a), {}, "3.2.0"),
    undefined,
  ],
  [
    "OpenAPI 3.0 to 3.1: a boolean bound becomes a number",
    in30(inRequest({ ...number, minimum: 0, exclusiveMinimum: true })),
    documentWith(inRequest({ ...number, exclusiveMinimum: 0 })),
    undefined,
  ],
  [
    "OpenAPI 3.0: nullable false is added",
    in30(inRequest(text)),
    in30(inRequest(string({ nullable: false }))),
    undefined,
  ],
  ["an extension is added", documentWith({}), documentWith({ "x-owner": "us" }), "patch"],
  [
    "a reusable parameter is inlined",
    documentWith(
      { parameters: [{ $ref: "#/components/parameters/P" }] },
      { components: { parameters: { P: { name: "q", in: "query", schema: text } } } },
    ),
    documentWith(parameter({})),
    "patch",
  ],
  [
    "a reusable response is inlined",
    documentWith(
      { responses: { 200: { $ref: "#/components/responses/R" } } },
      { components: { responses: { R: { description: "It.", content: json(a) } } } },
    ),
    documentWith(inResponse(a)),
    "patch",
  ],
  [
    "a media type becomes a reference",
    { ...documentWith(inRequest(a)), openapi: "3.2.0" },
    {
      ...documentWith(body({ "application/json": { $ref: "#/components/mediaTypes/M" } }), {
        components: { mediaTypes: { M: { schema: a } } },
      }),
      openapi: "3.2.0",
    },
    "patch",
  ],
  [
    "a callback's URL changes",
    withPaths({ "/a": get({ callbacks: { done: { "{$request.query.a}": { post: body(json(text)) } } } }) }),
    withPaths({ "/a": get({ callbacks: { done: { "{$request.query.b}": { post: body(json(text)) } } } }) }),
    "major",
  ],
  [
    "a status is replaced by another",
    documentWith(responses({ 200: { content: json(a) } })),
    documentWith(responses({ 201: { content: json(a) } })),
    "major",
  ],
  ["a deprecated flag is written as false", documentWith({}), documentWith({ deprecated: false }), "patch"],
];

export const newerCases: readonly Row[] = [
  ...newer.map(
    ([title, old, now, expected]): Row => [
      title,
      documentWith(old, {}, "3.2.0"),
      documentWith(now, {}, "3.2.0"),
      expected,
    ],
  ),
  ...discriminated.flatMap(([title, old, now, request, response]): Row[] => [
    [
      `request: ${title}`,
      documentWith(inRequest(old), pets, "3.2.0"),
      documentWith(inRequest(now), pets, "3.2.0"),
      request,
    ],
    [
      `response: ${title}`,
      documentWith(inResponse(old), pets, "3.2.0"),
      documentWith(inResponse(now), pets, "3.2.0"),
      response,
    ],
  ]),
  ...mixed,
];
