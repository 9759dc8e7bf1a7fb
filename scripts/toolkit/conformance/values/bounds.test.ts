/** Making values ends for every schema, and the values stay small. Counts, not times, are compared. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../openapi/document.ts";
import { loadSpec } from "../../openapi/load.ts";
import { isValid } from "../../openapi/schema/evaluate.ts";
import { nodesOf, type SchemaNode } from "../../openapi/schema/schema-node.ts";
import { operationChecks } from "../checks/operation-checks.ts";
import { OperationDrafts } from "../drafts.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import { modelOf } from "../operation-model.ts";
import { suiteOf } from "../suite.ts";
import { OperationTime, TimeBudget } from "../time-budget.ts";
import { constraintsOf } from "./constraints.ts";
import { hasFormat } from "./keywords.ts";
import { leastSizeOf, noValueMessage } from "./least-size.ts";
import { leastRepetitions, withoutProperties } from "./scalars.ts";
import { valuesFor, valuesOf } from "./values.ts";

function nodeOf(schema: Json, schemas: JsonObject = {}): SchemaNode {
  return nodesOf({ components: { schemas } }, "request", hasFormat)(schema);
}

function samplesOf(node: SchemaNode, numRuns = 20): Json[] {
  const values = valuesOf(node);
  return values === undefined ? [] : fc.sample(values, { seed: 1, numRuns });
}

function sizeOf(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, each) => sum + sizeOf(each as Json), 1);
}

let document: JsonObject;
beforeAll(async () => {
  ({ document } = await loadSpec("scripts/toolkit/conformance/fixtures/unfillable.yaml"));
});

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

it.each<[string, Json]>([
  ["an integer up to 2^63", { type: "integer", minimum: 0, maximum: 2 ** 63 }],
  ["an integer above 2^53", { type: "integer", minimum: 2 ** 60 }],
  ["an integer below -2^53", { type: "integer", maximum: -(2 ** 60) }],
  ["a tiny multipleOf", { type: "number", multipleOf: 1e-300, minimum: 0 }],
  ["a huge multipleOf", { type: "number", multipleOf: 1e300, minimum: 1 }],
  ["a long string", { type: "string", minLength: 50_000 }],
  ["a list that may be long", { type: "array", maxItems: 1e9, items: { type: "integer" } }],
  ["a repeated group", { type: "string", pattern: "^(?:[a-z]{2}){3,1000000000}$" }],
  ["a Unicode property", { type: "string", pattern: "^[\\P{M}\\p{M}]{1,5000}[^\\p{N}/]\\p{L}$" }],
  ["`minProperties` of a map", { type: "object", minProperties: 7 }],
  [
    "`minProperties` above the declared properties",
    {
      type: "object",
      minProperties: 5,
      properties: { a: {}, b: {} },
      additionalProperties: { type: "null" },
    },
  ],
  [
    "`minProperties` of many optional properties",
    {
      type: "object",
      minProperties: 12,
      properties: Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`p${at}`, { type: "null" }])),
      additionalProperties: false,
    },
  ],
  ["unique items of two values", { type: "array", uniqueItems: true, items: { type: "boolean" } }],
  [
    "a deep `allOf`",
    Array.from({ length: 200 }).reduce<Json>((inner) => ({ allOf: [inner] }), { type: "null" }),
  ],
])("values are made for %s", (_, schema) => {
  const node = nodeOf(schema);
  const values = samplesOf(node);
  expect(values.length).toBe(20);
  expect(values.filter((value) => !isValid(node, value))).toEqual([]);
});

const nothing = "no value was found for";

it.each<[string, Json, string]>([
  [
    "minItems",
    { type: "array", minItems: 1e9 },
    "the smallest value contains 1000000001 values, and at most 5000 are made",
  ],
  ["minLength", { type: "string", minLength: 1e9 }, "strings of at most 100000 characters are made"],
  [
    "a repetition",
    { type: "string", pattern: "^(a{1000}){1000}$" },
    `${nothing} { type: "string", pattern: "^(a{1000}){1000}$" }`,
  ],
  [
    "an empty class",
    { type: "string", pattern: "^[^ -~]$" },
    `${nothing} { type: "string", pattern: "^[^ -~]$" }`,
  ],
  [
    "`minProperties`",
    { type: "object", minProperties: 2, properties: { a: {} }, additionalProperties: false },
    `${nothing} { type: "object", minProperties: 2, additionalProperties: false }`,
  ],
  [
    "contradictory bounds",
    { type: "integer", minimum: 5, maximum: 4, description: "None." },
    `${nothing} { type: "integer", minimum: 5, maximum: 4 }`,
  ],
  [
    "`enum` and `pattern`",
    { enum: ["a", "b"], pattern: "c" },
    `${nothing} { enum: ["a","b"], pattern: "c" }`,
  ],
  ["`not`", { not: {} }, "no value is valid"],
])("a schema without values because of %s is reported", (_, inner, why) => {
  const node = nodeOf({ type: "object", required: ["part"], properties: { part: inner } });
  expect(valuesOf(node)).toBeUndefined();
  expect(noValueMessage(node, "api.yaml:7:3")).toBe(
    `no value was found that is valid for its schema (api.yaml:7:3 at /part): ${why}`,
  );
});

it("schemas that always contain each other have no value", () => {
  const schemas = Object.fromEntries(
    ["A", "B", "C"].map((name) => {
      const anyOf = ["A", "B", "C"].map(ref);
      return [name, { type: "object", required: ["x", "y"], properties: { x: { anyOf }, y: { anyOf } } }];
    }),
  );
  expect(valuesOf(nodeOf(ref("A"), schemas))).toBeUndefined();
});

it("a value of mutually recursive schemas is small, and shows more than the required parts", () => {
  const [operation] = modelOf(document).operations.filter(({ id }) => id === "sendMutual");
  const [mediaType] = operation?.body?.mediaTypes ?? [];
  if (mediaType === undefined) throw new Error("the fixture has no body");
  const values = samplesOf(mediaType.node);
  const sizes = values.map(sizeOf);
  expect(values.filter((value) => !isValid(mediaType.node, value))).toEqual([]);
  expect(Math.max(...sizes)).toBeLessThan(2000);
  expect(Math.max(...sizes)).toBeGreaterThan(10);
});

it("the smallest value ends recursion that only some branches end", () => {
  const schemas = {
    Node: {
      type: "object",
      required: ["next"],
      properties: { next: { oneOf: [ref("Wrapped"), ref("Node"), { type: "null" }] } },
    },
    Wrapped: { type: "array", minItems: 2, items: ref("Node") },
  };
  const values = valuesOf(nodeOf(ref("Node"), schemas), [], 0);
  expect(values && fc.sample(values, { seed: 1, numRuns: 1 })).toEqual([{ next: null }]);
});

describe("the constraints of a schema", () => {
  it("are listed down to the depth at which there are too many", () => {
    const [operation] = modelOf(document).operations.filter(({ id }) => id === "sendMutual");
    const [mediaType] = operation?.body?.mediaTypes ?? [];
    const { constraints, omissions } = constraintsOf((mediaType as { node: SchemaNode }).node, 200);
    expect(constraints.length).toBeGreaterThan(10);
    expect(constraints.length).toBeLessThanOrEqual(200);
    expect(omissions.map(({ why }) => why)).toEqual([
      expect.stringMatching(
        /^is left out deeper than \d steps, because there are more than 200 constraints$/,
      ),
    ]);
  });

  it.each(["maxLength", "maxItems", "maxProperties"])(
    "are not violated by a value for a huge `%s`",
    (keyword) => {
      const type = { maxLength: "string", maxItems: "array", maxProperties: "object" }[keyword] ?? "";
      const node = nodeOf({ type, [keyword]: 3e9 });
      const constraint = { place: "", steps: [], node, verdict: keyword };
      expect(valuesFor(node, constraint, { seed: 1, count: 1 })).toEqual([]);
    },
  );
});

it("a Unicode property becomes some of its characters, so that fast-check makes no table of all of them", () => {
  const capitals =
    "\\u{41}-\\u{5a}\\u{c0}-\\u{d6}\\u{d8}-\\u{de}\\u{100}-\\u{100}\\u{102}-\\u{102}\\u{10400}-\\u{10407}";
  expect(withoutProperties("^\\p{Lu}[\\p{Zl}\\]]\\\\p{2}$")).toBe(
    `^[${capitals}][\\u{2028}-\\u{2028}\\]]\\\\p{2}$`,
  );
  expect(withoutProperties("[\\P{M}\\p{M}]").length).toBeLessThan(300);
});

it("the size of a schema without recursion is found in one pass", () => {
  const node = nodeOf({ type: "object", required: ["a"], properties: { a: { type: "string" } } });
  let reads = 0;
  const counted = (schema: Json): SchemaNode => {
    reads += 1;
    return node.nodeOf(schema);
  };
  expect(leastSizeOf({ ...node, nodeOf: counted })).toBe(2);
  expect(reads).toBe(1);
});

it.each<[string, Json]>([
  ["two texts", { enum: ["a", "b"] }],
  ["booleans", { type: "boolean" }],
])("no list of three different items is tried if the items are %s", (_, items) => {
  expect(valuesOf(nodeOf({ type: "array", uniqueItems: true, minItems: 3, items }))).toBeUndefined();
});

it("nested repetitions of a pattern are multiplied, and others are not", () => {
  const patterns = ["^a{3}b{4}$", "^(?:a{3}b){4}$", "^((a{2}){3}c{9}){4}$", "[({]{5}\\{9}", "^(a|b)+$"];
  expect(patterns.map(leastRepetitions)).toEqual([4, 12, 36, 5, 1]);
});

it("an operation without time left sends no more requests, and is reported", () => {
  const service = {
    document,
    send: async () => ({ status: 204, headers: [], body: new Uint8Array() }),
    credentials: {},
  };
  const options = { seed: 1, validRequests: 1, requestsEach: 1, limitMs: 0 };
  const listed = suiteOf(service, options).omissions();
  expect(
    listed.filter(({ why }) => why.includes("took more than 0 ms")).map((each) => each.operationId),
  ).toEqual(["largeBound", "mutual", "sendMutual"]);
});

it("without time left for any operation, no values are made", async () => {
  const sent: string[] = [];
  const send = async ({ method, target, body }: HttpRequest) => {
    sent.push(`${method} ${target} ${body.byteLength}`);
    return { status: 204, headers: [], body: new Uint8Array() };
  };
  const options = { seed: 1, validRequests: 1, requestsEach: 1, limitMs: 0 };
  const { checks } = suiteOf({ document, send, credentials: {} }, options);
  for (const check of checks) if (check.name === operationChecks.validRequests.name) await check.run();
  expect(sent).toEqual(["GET /mutual 0"]);
});

it("the time for the first valid request counts", () => {
  const budget = new TimeBudget(1e6, 2);
  const time = new OperationTime(budget);
  const [operation] = modelOf(document).operations;
  if (operation === undefined) throw new Error("the fixture has no operation");
  const send = () => Promise.reject(new Error("is not called"));
  const options = { seed: 1, validRequests: 1, requestsEach: 1 };
  const drafts = new OperationDrafts({ document, send, credentials: {} }, operation, options, time);
  expect(drafts.base()).toBeDefined();
  expect(budget.share()).toBeLessThan(1e6);
});

it("an operation may use the time that the earlier ones left", () => {
  const budget = new TimeBudget(90, 3);
  expect([budget.share(), budget.share(), budget.share()]).toEqual([30, 45, 90]);
});

it("responses are compared with their schema only until the operation's time is over, and it is reported", async () => {
  const branch = (name: string) => {
    const next = { $ref: "#/components/schemas/Deep" };
    return { type: "object", required: [name], properties: { [name]: { type: "string" }, next } };
  };
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Deep" } } };
  const parameters = [{ name: "page", in: "query", schema: { type: "integer" } }];
  const get = { operationId: "getDeep", parameters, responses: { 200: { description: "Found", content } } };
  // Each level of the value doubles the places of the schema that are compared with it.
  let deep: Json = {};
  for (let level = 0; level < 10; level += 1) deep = { a: "", b: "", next: deep };
  const response: HttpResponse = {
    status: 200,
    headers: [["content-type", "application/json"]],
    body: Buffer.from(JSON.stringify(deep)),
  };
  let requests = 0;
  const send = async () => {
    requests += 1;
    return response;
  };
  const deepDocument = {
    openapi: "3.1.0",
    info: { title: "Deep", version: "1.0.0" },
    components: { schemas: { Deep: { anyOf: ["a", "b"].map(branch) } } },
    paths: { "/deep": { get } },
  };
  const service = { document: deepDocument, send, credentials: {} };
  const suite = suiteOf(service, { seed: 1, validRequests: 20, requestsEach: 1, limitMs: 1 });
  let invalid = 0;
  for (const check of suite.checks)
    for (const { message, count } of await check.run())
      if (/^response 200: body/.test(message)) invalid += count;
  expect({ requests: requests > 5, invalid }).toEqual({ requests: true, invalid: 1 });
  const why = "is not always compared with its schema, because that took more than 1 ms";
  expect(suite.unchecked()).toEqual([{ operationId: "getDeep", place: "response", why }]);
});
