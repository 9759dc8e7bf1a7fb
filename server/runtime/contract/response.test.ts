import { Hono } from "hono";
import { expect, it } from "vitest";
import type {
  HeaderContract,
  Problem,
  ResponseContract,
  ResponseContracts,
  Validate,
} from "#specbind/contract";
import { type ContractEnv, serveContract } from "../http/hono.ts";
import { bindContract } from "./bind.ts";
import type { PlainResponse } from "./response.ts";

const anything: Validate = () => true;
const rule =
  (message: string, isValid: (value: unknown) => boolean): Validate =>
  (value: unknown, problems: Problem[]) =>
    isValid(value) || problems.push({ pointer: "", message }) === 0;

/** @returns the response that the caller gets, and the reported violations */
async function sent(responses: ResponseContracts, response: PlainResponse) {
  const violations: unknown[] = [];
  const app = new Hono<ContractEnv>();
  const operation = { method: "GET", path: "/", security: [], parameters: [], responses };
  const binding = bindContract<string>({
    contract: { format: 1, validators: 1, operations: { show: operation }, unmatched: {}, sensitive: [] },
    handlers: { show: async () => response },
    authenticate: {},
    reject: (detail) => ({ status: 422, body: detail }),
    fail: (error) => ({ status: 500, body: String(error) }),
    requestIdOf: () => "r",
    onViolation: ({ problems }) => void violations.push(...problems),
    responsePolicy: "report",
    maxContentBytes: 100,
  });
  serveContract(app, binding);
  const received = await app.request("/");
  return {
    status: received.status,
    type: received.headers.get("content-type"),
    text: await received.text(),
    violations,
  };
}

const declared = (mediaTypes: ResponseContract["mediaTypes"], headers: readonly HeaderContract[] = []) => {
  return { headers, mediaTypes };
};
const json = {
  "application/json": {
    validate: anything,
    project: (value: unknown) =>
      value === undefined ? undefined : { ...(value as object), extra: undefined },
  },
};
const text = { "text/plain": { validate: rule("must be long", (value) => String(value).length > 1) } };
const bytes = {
  "application/octet-stream": { validate: rule("must have two bytes", (value) => value === "\0\0") },
};
const problem = (place: string, pointer: string, message: string) => ({ in: place, pointer, message });
const undocumentedType = problem("header", "/Content-Type", "is not a documented media type");

it.each<
  [
    title: string,
    ResponseContract["mediaTypes"],
    response: Omit<PlainResponse, "status">,
    type: string | null,
    text: string,
    ...problems: unknown[],
  ]
>([
  ["as JSON, with declared properties", json, { body: { a: 1, extra: 2 } }, "application/json", '{"a":1}'],
  [
    "as JSON, if that is one of several",
    { ...text, ...json },
    { body: { a: 1 } },
    "application/json",
    '{"a":1}',
  ],
  [
    "as JSON of the declared type",
    { ...text, "application/a+json": {} },
    { body: "b" },
    "application/a+json",
    '"b"',
  ],
  ["as the first type without JSON", { ...text, ...bytes }, { body: "ab" }, "text/plain", "ab"],
  [
    "as the type that the handler chose",
    { ...json, ...text },
    { headers: { "content-type": "text/plain" }, body: "ab" },
    "text/plain",
    "ab",
  ],
  ["as text for a range", { "text/*": {} }, { body: "a" }, "text/plain; charset=utf-8", "a"],
  [
    "as bytes for a range",
    { "application/*": {} },
    { body: Buffer.from("a") },
    "application/octet-stream",
    "a",
  ],
  ["as JSON for a range", { "*/*": {} }, { body: { a: 1 } }, "application/json", '{"a":1}'],
  [
    "and checked for half of a surrogate pair in JSON",
    json,
    { body: { a: "\\\ud83d" } },
    "application/json",
    '{"a":"\\\\\\ud83d"}',
    problem("body", "", "contains half of a surrogate pair"),
  ],
  ["with a backslash before `ud`", json, { body: { a: "\\ud83d" } }, "application/json", '{"a":"\\\\ud83d"}'],
  [
    "and checked for half of a surrogate pair in a text",
    text,
    { body: "a\ude00" },
    "text/plain",
    "a\ufffd",
    problem("body", "", "contains half of a surrogate pair"),
  ],
  ["and checked as text", text, { body: "a" }, "text/plain", "a", problem("body", "", "must be long")],
  ["and checked as bytes", bytes, { body: Buffer.from("ab") }, "application/octet-stream", "ab"],
  [
    "and checked as bytes of another length",
    bytes,
    { body: new Blob(["a"]) },
    "application/octet-stream",
    "a",
    problem("body", "", "must have two bytes"),
  ],
  [
    "not at all in an undocumented type",
    json,
    { headers: { "Content-Type": "text/html" }, body: "a" },
    "text/html",
    "",
    undocumentedType,
  ],
  ["not at all if it is missing", json, {}, null, "", problem("body", "", "is required")],
  [
    "although none is documented",
    {},
    { body: { a: 1 } },
    "application/json",
    '{"a":1}',
    problem("body", "", "is not documented"),
  ],
])("a body is sent %s", async (_, mediaTypes, response, type, text, ...violations) => {
  expect(await sent({ 200: declared(mediaTypes) }, { status: 200, ...response })).toEqual({
    status: 200,
    type,
    text,
    violations,
  });
});

it("the contract of a status is its own, that of its class, or the default", async () => {
  const responses = {
    201: declared(text),
    "2XX": declared({ "text/csv": {} }),
    default: declared({ "text/html": {} }),
  };
  const typeOf = async (status: number) => (await sent(responses, { status, body: "ab" })).type;
  expect([await typeOf(201), await typeOf(299), await typeOf(300)]).toEqual([
    "text/plain",
    "text/csv",
    "text/html",
  ]);
});

it("headers are read in their style, checked, and found in any case, but not by the length of their name", async () => {
  const total = {
    name: "X-Total",
    required: true,
    type: "integer",
    validate: rule("must be 7", (value) => value === 7),
  } as const;
  const tags = {
    ...total,
    name: "X-Tags",
    required: false,
    type: { items: "integer" },
    validate: rule("must be a list", Array.isArray),
  } as const;
  const of = async (headers: NonNullable<PlainResponse["headers"]>) =>
    (await sent({ 200: declared(json, [total, tags]) }, { status: 200, headers, body: {} })).violations;
  expect(await of({ "x-TOTAL": 7, "X-Tags": "1, 2" })).toEqual([]);
  expect(await of({ "X-Total": " 7 " })).toEqual([]);
  expect(await of({ "X-Total": 8, "X-Tags": "" })).toEqual([problem("header", "/X-Total", "must be 7")]);
  expect(await of({ "X-Count": 7, "X-Tasg": "x" })).toEqual([problem("header", "/X-Total", "is required")]);
});
