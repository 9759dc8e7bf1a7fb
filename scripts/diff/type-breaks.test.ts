import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../openapi/document.ts";
import { specOf } from "./testing/spec.ts";
import { typeBreaks } from "./type-breaks.ts";

const text = { type: "string" };
const user: JsonObject = {
  type: "object",
  required: ["name"],
  properties: { name: text, age: { type: "integer" } },
};

interface Interface {
  readonly method?: string;
  readonly operationId?: string;
  readonly parameters?: Json;
  readonly request?: Json;
  /** A request body with its media types. It replaces `request`. */
  readonly body?: JsonObject;
  readonly response?: Json;
  readonly responses?: JsonObject;
  readonly schemas?: JsonObject;
  readonly bodies?: JsonObject;
}

/** An operation that sends `request` and returns `response`. */
function documentOf({
  method = "post",
  operationId = "makeUser",
  parameters = [],
  request = text,
  body,
  response = text,
  responses = {},
  schemas = {},
  bodies = {},
}: Interface): JsonObject {
  const content = (schema: Json): JsonObject => ({ "application/json": { schema } });
  return {
    openapi: "3.1.1",
    info: { title: "Users", version: "1.0.0" },
    paths: {
      "/users": {
        [method]: {
          operationId,
          parameters,
          requestBody: body ?? { required: true, content: content(request) },
          responses: { "200": { description: "A user.", content: content(response) }, ...responses },
        },
      },
    },
    components: { schemas, requestBodies: bodies },
  };
}

async function breaksOf(old: Interface, now: Interface): Promise<string[]> {
  const spec = (each: Interface) => specOf(documentOf(each), "spec.json");
  const breaks = await typeBreaks(spec(old), spec(now));
  return breaks.map(({ name, use, message }) => `${use} ${name}: ${message}`);
}

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: "object",
  required,
  properties,
});
/** Requests and responses have the same component. */
const withId = (id: JsonObject): Interface => ({
  request: ref("User"),
  response: ref("User"),
  schemas: { User: object({ id, name: text }) },
});
const query = (more: JsonObject): JsonObject[] => [{ name: "q", in: "query", schema: text, ...more }];
const typed = (content: JsonObject): JsonObject => ({ required: true, content });
const jsonThing = { "application/json": { schema: user } };
const thing = { $ref: "#/components/requestBodies/Thing" };
const made = 'operations["makeUser"]';

describe("callers' TypeScript breaks if", () => {
  const cases: readonly [title: string, old: Interface, now: Interface, expected: string[]][] = [
    [
      "a component is renamed",
      { response: ref("User"), schemas: { User: user } },
      { response: ref("Person"), schemas: { Person: user } },
      ['name components["schemas"]["User"]: was removed'],
    ],
    ["an operation is renamed", {}, { operationId: "createUser" }, [`name ${made}: was removed`]],
    [
      "an operation gets another method",
      {},
      { method: "put" },
      ['name paths["/users"]["post"]: was removed'],
    ],
    [
      "a QUERY operation gets another method",
      { method: "query" },
      {},
      ['name paths["/users"]["query"]: was removed'],
    ],
    [
      "a required property in responses becomes optional",
      { response: ref("User"), schemas: { User: user } },
      { response: ref("User"), schemas: { User: { ...user, required: [] } } },
      [`read components["schemas"]["User"]: at name: Type 'undefined' is not assignable to type 'string'`],
    ],
    [
      "an optional property is removed from responses",
      { response: ref("User"), schemas: { User: user } },
      { response: ref("User"), schemas: { User: object({ name: text }, ["name"]) } },
      ['read components["schemas"]["User"]: property age is missing'],
    ],
    [
      "an optional property is removed from requests",
      { request: object({ a: text, b: text }) },
      { request: object({ a: text }) },
      [`write ${made}["requestBody"]: property content.application/json.b is missing`],
    ],
    [
      "a property of a list's items is removed",
      { response: { type: "array", items: object({ a: text, b: text }) } },
      { response: { type: "array", items: object({ a: text }) } },
      [`read ${made}["responses"]: property 200.content.application/json.b is missing`],
    ],
    [
      "a response has another type",
      { response: text },
      { response: { type: "integer" } },
      [
        `read ${made}["responses"]: at 200.content["application/json"]: Type 'number' is not assignable to type 'string'`,
      ],
    ],
    [
      "a required parameter is added",
      {},
      { parameters: query({ required: true }) },
      [`write ${made}["parameters"]: at query: Type 'undefined' is not assignable to type '{ q: string; }'`],
    ],
    [
      "a property in requests becomes readOnly",
      withId(text),
      withId({ type: "string", readOnly: true }),
      [`write components["schemas"]["User"]: property id is missing`],
    ],
    [
      "a property of one media type becomes required, and another media type is added",
      { body: typed({ "application/json": { schema: object({ a: text }) } }) },
      { body: typed({ "application/json": { schema: object({ a: text }, ["a"]) }, "text/plain": {} }) },
      [
        `write ${made}["requestBody"]: at content["application/json"].a: Type 'undefined' is not assignable to type 'string'`,
      ],
    ],
    [
      "a media type is no longer accepted",
      { body: typed({ ...jsonThing, "text/plain": { schema: text } }) },
      { body: typed(jsonThing) },
      [`write ${made}["requestBody"]: property content.text/plain is missing`],
    ],
    [
      "a response that callers check for is removed",
      { responses: { "404": { description: "No." } } },
      {},
      [`read ${made}["responses"]: property 404 is missing`],
    ],
  ];

  test.each(cases)("%s", async (_, old, now, expected) => {
    expect(await breaksOf(old, now)).toEqual(expected);
  });
});

/** compare.slow.test.ts checks changes of a single operation. */
describe("callers' TypeScript still compiles if", () => {
  const cases: readonly [title: string, old: Interface, now: Interface][] = [
    ["a property is no longer readOnly", withId({ type: "string", readOnly: true }), withId(text)],
    ["a component is added", {}, { schemas: { User: user } }],
    [
      "a media type is added to a component",
      { body: thing, bodies: { Thing: typed(jsonThing) } },
      { body: thing, bodies: { Thing: typed({ ...jsonThing, "text/plain": { schema: text } }) } },
    ],
    [
      "a component that only requests use gets wider",
      { request: ref("User"), schemas: { User: object({ a: text }) } },
      { request: ref("User"), schemas: { User: object({ a: { type: ["string", "null"] } }) } },
    ],
  ];

  test.each(cases)("%s", async (_, old, now) => {
    expect(await breaksOf(old, now)).toEqual([]);
  });
});
