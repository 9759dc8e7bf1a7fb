/** Rejections that the document does not describe, from a server on a socket. */
import { Hono } from "hono";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Contract, ResponseContract, ResponseContracts, Validate } from "#specbind/contract";
import {
  type Binding,
  bindContract,
  type ContractEnv,
  type ResponsePolicy,
  serveContract,
} from "#specbind/server";
import { type Listening, listen } from "#specbind/server/node";
import { rejectionResponse } from "./rejections.ts";
import { type Call, send } from "./testing/http.ts";
import { generousLimits } from "./testing/service.ts";

const nothing: Validate = (_, problems) => problems.push({ pointer: "", message: "is wrong" }) === 0;
const anything = { validate: () => true, project: (value: unknown) => value };
const success: ResponseContract = { headers: [], mediaTypes: { "application/json": anything } };
/** A media type, a schema and a header that the service's rejections do not have. */
const ofOthers: ResponseContract = {
  headers: [{ name: "X-Reason", required: true, type: "string", validate: () => true }],
  mediaTypes: { "text/html": {} },
};
const closed: ResponseContract = {
  headers: [],
  mediaTypes: {
    "application/json": {
      validate: nothing,
      project: () => ({}),
    },
  },
};
const documents: { readonly [what: string]: ResponseContracts } = {
  "the document does not describe": { 200: success },
  "the document describes with another media type": { 200: success, default: ofOthers },
  "the document describes with another schema": { 200: success, "4XX": closed },
  "the document describes without a body": { 200: success, "4XX": { headers: [], mediaTypes: {} } },
};

const operation = (path: string, responses: ResponseContracts): Contract["operations"][string] => ({
  method: "POST",
  path,
  security: [[{ scheme: "key", roles: ["writer"] }]],
  parameters: [],
  requestBody: {
    required: true,
    mediaTypes: {
      "application/json": { validate: (value, problems) => value === 1 || nothing(value, problems) },
    },
  },
  responses,
});
const contract: Contract = {
  format: 1,
  validators: 1,
  operations: Object.fromEntries(
    Object.entries(documents).map(([what, responses], index) => [what, operation(`/${index}`, responses)]),
  ),
  unmatched: {},
  sensitive: [],
};

const calls: readonly (readonly [what: string, status: number, code: string, call: Partial<Call>])[] = [
  ["no key", 401, "api_key_missing", { headers: { authorization: "" } }],
  ["a wrong key", 401, "api_key_invalid", { key: "unknown" }],
  ["a key without the role", 403, "api_key_kind_forbidden", { key: "reader" }],
  ["a key for other operations", 403, "api_key_kind_forbidden", { key: "restricted" }],
  ["a body over the limit", 413, "content_too_large", { body: "1".repeat(100) }],
  ["another media type", 415, "unsupported_media_type", { headers: { "content-type": "text/plain" } }],
  ["a content coding", 415, "unsupported_media_type", { headers: { "content-encoding": "gzip" } }],
  ["malformed JSON", 400, "malformed_content", { body: "{" }],
  ["an invalid body", 422, "request_invalid", { body: "2" }],
];

const violations: Parameters<Binding<unknown>["onViolation"]>[0][] = [];
let app: Hono<ContractEnv>;
let server: Listening;

/** No rejection is reported yet. */
function bind(responsePolicy: ResponsePolicy): void {
  violations.length = 0;
  app = new Hono<ContractEnv>();
  const binding: Binding<string> = {
    contract,
    handlers: Object.fromEntries(Object.keys(documents).map((id) => [id, () => ({ status: 200, body: 1 })])),
    authenticate: {
      key: (credential) => {
        const operations = credential === "restricted" ? ["another"] : null;
        const roles = credential === "reader" ? [] : ["writer"];
        return credential === "unknown" ? undefined : { principal: credential, roles, operations };
      },
    },
    reject: rejectionResponse,
    fail: () => ({ status: 500 }),
    requestIdOf: () => "r",
    onViolation: (violation) => void violations.push(violation),
    responsePolicy,
    maxContentBytes: 99,
  };
  const below = Object.entries(contract.operations).map(([id, each]) => [
    id,
    { ...each, path: `/base${each.path}` },
  ]);
  const based = bindContract({
    ...binding,
    contract: { ...contract, operations: Object.fromEntries(below) },
  });
  const own = bindContract(binding);
  serveContract(app, { ...own, paths: [...based.paths, ...own.paths] });
}

beforeAll(async () => {
  const front = new Hono<ContractEnv>();
  front.all("*", (c) => app.fetch(c.req.raw, c.env));
  server = await listen(front, {
    host: "127.0.0.1",
    port: 0,
    reject: rejectionResponse,
    onMalformed() {},
    limits: generousLimits,
  });
});
beforeEach(() => bind("enforce"));
afterAll(() => server.stop(1000));

const post = (path: string, call: Partial<Call> = {}) =>
  send(server.url, { method: "POST", path, key: "writer", body: "1", ...call });

describe.each(Object.keys(documents).map((what, index) => [what, `/${index}`] as const))(
  "a rejection that %s",
  (id, path) => {
    it.each(calls)("is sent with its own status and the envelope: %s", async (_, status, code, call) => {
      const error = { code, request_id: "r" };
      expect(await post(path, call)).toMatchObject({ status, body: { status: false, error } });
    });

    it("is reported once for the operation, even if it is bound at two paths", async () => {
      for (const [, , , call] of calls) await post(path, call);
      await post(`/base${path}`, { key: "unknown" });
      expect(violations).toMatchObject([{ operationId: id, status: 401, isRejection: true }]);
    });
  },
);

it.each(["report", "off"] as const)(
  "an undocumented rejection is sent with the policy %s, too",
  async (policy) => {
    bind(policy);
    for (const [, status, code, call] of calls)
      for (const path of ["/0", "/1", "/2", "/3"])
        expect(await post(path, call)).toMatchObject({ status, body: { error: { code } } });
    expect(violations).toHaveLength(policy === "off" ? 0 : 4);
  },
);

it("an unknown route or method is not reported if the document describes no such response", async () => {
  expect(await post("/nowhere")).toMatchObject({ status: 404, body: { error: { code: "route_not_found" } } });
  expect(await post("/0", { method: "PUT" })).toMatchObject({
    status: 405,
    headers: { allow: "POST" },
    body: { error: { code: "method_not_allowed" } },
  });
  expect(violations).toEqual([]);
});
