import { expect, test } from "vitest";
import type { JsonObject } from "../../openapi/document.ts";
import {
  body,
  documentWith,
  get,
  inRequest,
  inResponse,
  json,
  list,
  ofPath,
  open,
  parameter,
  ref,
  responses,
  schemas,
  string,
  text,
  withPaths,
} from "../testing/notation.ts";
import { specsOf } from "../testing/spec.ts";
import { typeBreaks } from "./type-breaks.ts";

const user = open({ name: text }, ["name"]);
const withUser = (more: JsonObject): JsonObject =>
  documentWith(inResponse(ref("User")), schemas({ User: { ...user, ...more } }));
/** Requests and responses have the same component. */
const withId = (id: JsonObject): JsonObject =>
  documentWith(
    { ...inRequest(ref("User")), ...inResponse(ref("User")) },
    schemas({ User: open({ id, name: text }) }),
  );
const ofRequest = (schema: JsonObject): JsonObject =>
  documentWith(inRequest(ref("User")), schemas({ User: schema }));
const withBody = (content: JsonObject): JsonObject =>
  documentWith(
    { requestBody: { $ref: "#/components/requestBodies/Thing" } },
    { components: { requestBodies: { Thing: { required: true, content } } } },
  );
const withWebhook = (schema: JsonObject): JsonObject =>
  withPaths({}, { webhooks: { made: { post: body(json(schema)) } } });
const withStream = responses({ 200: { content: { "application/jsonl": { itemSchema: user } } } });
const twoTemplates = (schema: JsonObject): JsonObject => ({
  "/a/{x}": get(ofPath("x")),
  "/a/{y}": get(ofPath("y", { schema })),
});
const plain = { "text/plain": { schema: text } };
const made = 'operations["makeThing"]';

test.each<[title: string, old: JsonObject, now: JsonObject, expected: string[]]>([
  [
    "breaks if a component is renamed",
    withUser({}),
    documentWith(inResponse(ref("Person")), schemas({ Person: user })),
    ['name components["schemas"]["User"]: was removed'],
  ],
  [
    "breaks if an operation is renamed",
    documentWith({}),
    documentWith({ operationId: "createThing" }),
    [`name ${made}: was removed`],
  ],
  [
    "breaks if a webhook is renamed",
    withPaths({}, { webhooks: { made: { post: { ...body(json(text)), operationId: "thingMade" } } } }),
    withPaths({}, { webhooks: { made: { post: { ...body(json(text)), operationId: "thingWasMade" } } } }),
    ['name operations["thingMade"]: was removed'],
  ],
  [
    "breaks if a QUERY operation gets another method",
    withPaths({ "/a": { query: get().get ?? {} } }),
    withPaths({ "/a": get() }),
    ['name paths["/a"]["query"]: was removed'],
  ],
  [
    "breaks if a required property in responses becomes optional",
    withUser({}),
    withUser({ required: [] }),
    [`read components["schemas"]["User"]: at name: Type 'undefined' is not assignable to type 'string'`],
  ],
  [
    "breaks if an optional property is removed from requests",
    documentWith(inRequest(open({ a: text, b: text }))),
    documentWith(inRequest(open({ a: text }))),
    [`write ${made}["requestBody"]: property content.application/json.b is missing`],
  ],
  [
    "breaks if a property in responses loses all its values",
    withUser({ properties: { name: text, b: text } }),
    withUser({ properties: { name: text, b: { not: {} } } }),
    ['read components["schemas"]["User"]: property b is missing'],
  ],
  [
    "breaks if a property of a list's items is removed from responses",
    documentWith(inResponse(list({ items: open({ a: text, b: text }) }))),
    documentWith(inResponse(list({ items: open({ a: text }) }))),
    [`read ${made}["responses"]: property 200.content.application/json.b is missing`],
  ],
  [
    "breaks if a required parameter is added",
    documentWith({}),
    documentWith(parameter({ required: true })),
    [`write ${made}["parameters"]: at query: Type 'undefined' is not assignable to type '{ q: string; }'`],
  ],
  [
    "breaks if a property in requests becomes readOnly",
    withId(text),
    withId(string({ readOnly: true })),
    [`write components["schemas"]["User"]: property id is missing`],
  ],
  [
    "breaks if a property of one media type becomes required, and another media type is added",
    documentWith(inRequest(open({ a: text }))),
    documentWith(body({ ...json(open({ a: text }, ["a"])), ...plain })),
    [
      `write ${made}["requestBody"]: at content["application/json"].a: Type 'undefined' is not assignable to type 'string'`,
    ],
  ],
  [
    "breaks if the inline body of a webhook loses a property",
    withWebhook(open({ a: text, b: text })),
    withWebhook(open({ a: text })),
    ['read webhooks["made"]["post"]["requestBody"]: property content.application/json.b is missing'],
  ],
  [
    "compiles if the inline body of a webhook gets a property",
    withWebhook(open({ a: text })),
    withWebhook(open({ a: text, b: text })),
    [],
  ],
  [
    "compiles if a stream stays and a parameter is added",
    documentWith(withStream),
    documentWith({ ...withStream, ...parameter({}) }),
    [],
  ],
  [
    "compiles if two paths differ only in the names of their parameters, and stay",
    withPaths(twoTemplates(text)),
    withPaths(twoTemplates(string({ maxLength: 9 }))),
    [],
  ],
  [
    "compiles if a media type is added to a component",
    withBody(json(user)),
    withBody({ ...json(user), ...plain }),
    [],
  ],
  [
    "compiles if a component that only requests use gets wider",
    ofRequest(open({ a: text })),
    ofRequest(open({ a: { type: ["string", "null"] } })),
    [],
  ],
])("callers' TypeScript %s", async (_, old, now, expected) => {
  const breaks = await typeBreaks(...(await specsOf(old, now)));
  expect(breaks.map(({ name, use, message }) => `${use} ${name}: ${message}`)).toEqual(expected);
});
