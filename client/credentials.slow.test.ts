/** Tests the client of a spec with every kind of credential and with QUERY, in a copy of the project. */
import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyTree } from "../scripts/testing/copied-tree.ts";
import { typeErrors } from "../scripts/testing/type-errors.ts";

const responses = { 204: { description: "Done." } };
const get = (operationId: string, ...security: object[]) => ({ get: { operationId, security, responses } });
const titled = { type: "object", required: ["title"], properties: { title: { type: "string" } } };
const found = {
  operationId: "find",
  security: [],
  requestBody: { required: true, content: { "application/json": { schema: titled } } },
  responses: {
    200: { description: "Books.", content: { "application/json": { schema: titled } } },
    503: { description: "Busy." },
  },
};
const idempotencyKey = { name: "Idempotency-Key", in: "header", schema: { type: "string" } };
const spec = {
  openapi: "3.2.0",
  info: { title: "Credentials", version: "1.0.0" },
  paths: {
    "/header": get("byHeader", { inHeader: [] }),
    "/query": get("byQuery", { inQuery: [] }),
    "/cookies": get("byCookies", { inCookie: [], otherCookie: [] }),
    "/basic": get("byPassword", { password: [] }),
    "/token": get("byToken", { token: [] }),
    "/second": get("bySecond", { missing: [] }, { inHeader: [] }),
    "/open": get("openly", {}),
    "/found": { query: found },
    "/repeated": {
      post: { operationId: "create", security: [], parameters: [idempotencyKey], responses },
    },
  },
  components: {
    securitySchemes: {
      inHeader: { type: "apiKey", in: "header", name: "X-Key" },
      inQuery: { type: "apiKey", in: "query", name: "key" },
      inCookie: { type: "apiKey", in: "cookie", name: "session" },
      otherCookie: { type: "apiKey", in: "cookie", name: "csrf" },
      missing: { type: "apiKey", in: "header", name: "X-Missing" },
      password: { type: "http", scheme: "basic" },
      token: { type: "openIdConnect", openIdConnectUrl: "https://id.test/.well-known/openid-configuration" },
    },
  },
};

const program = `
import { createServer } from "node:http";
import { createClient } from "./client/index.ts";

const received = [];
let status = 204;
const server = createServer(({ method, url, headers }, response) => {
  const { "x-key": key, cookie, authorization, "idempotency-key": idempotency } = headers;
  received.push(Object.entries({ method, url, key, cookie, authorization }).flatMap(([, value]) => value ?? []).join(" "));
  keys.add(idempotency);
  response.writeHead(status, { "retry-after": "0" }).end();
  status = 204;
});
const keys = new Set();
server.listen(0, "127.0.0.1", async () => {
  let tokens = 0;
  const client = createClient({
    baseUrl: "http://127.0.0.1:" + server.address().port,
    credentials: {
      inHeader: "k1",
      inQuery: "k 2".replace(" ", "&"),
      inCookie: "c1",
      otherCookie: "c;2",
      password: { user: "ä", password: "p:w" },
      token: async () => "t" + ++tokens,
    },
  });
  for (const call of ["byHeader", "byQuery", "byCookies", "byPassword", "byToken", "byToken", "bySecond", "openly"]) await client[call]();
  keys.clear();
  status = 503;
  await client.create();
  const failed = [];
  for (const options of [{ credentials: { inHeaders: "x" } }, { credentials: { inHeader: "a\\nhush" } }])
    try {
      await createClient({ baseUrl: "http://a.test", ...options }).byHeader();
    } catch (error) {
      failed.push(error.message);
    }
  console.log(JSON.stringify({ received, keys: [...keys].map((key) => typeof key), failed }));
  server.closeAllConnections();
  server.close();
});
`;

const queryingProgram = `
import { Hono } from "hono";
import { createClient } from "./client/index.ts";
import { contract } from "./generated/contract.ts";
import { bindContract } from "./server/contract/bind.ts";
import { serveContract } from "./server/contract/hono.ts";
import { listen } from "./server/listen.ts";

let calls = 0;
const app = new Hono();
const { find } = contract.operations;
const statuses = { method_not_allowed: 405, media_type_unsupported: 415, request_invalid: 422 };
const bound = bindContract({
  contract: { ...contract, operations: { find } },
  handlers: { find: ({ body }) => (calls++ === 0 ? { status: 503 } : { status: 200, body }) },
  authenticate: {},
  reject: ({ reason, allowed }) => ({ status: statuses[reason], headers: { Allow: String(allowed) } }),
  rejectsBeyondContract: true,
  fail: (error) => { throw error; },
  requestIdOf: () => "r",
  onViolation() {},
  responsePolicy: "enforce",
  maxContentBytes: 100,
});
serveContract(app, bound);
const server = await listen(app, { host: "127.0.0.1", port: 0, onMalformed() {} });
const baseUrl = server.url;
const init = { body: { title: "Ulysses" } };
const results = [await createClient({ baseUrl }).find(init), await createClient({ baseUrl, fetch }).QUERY("/found", init)];
const rejected = [];
for (const [method, type, body] of [
  ["PUT", "application/json", "{}"],
  ["QUERY", "text/plain", "{}"],
  ["QUERY", "application/json", "{}"],
]) {
  const { status, headers } = await fetch(baseUrl + "/found", { method, body, headers: { "content-type": type } });
  rejected.push([status, headers.get("allow")]);
}
console.log(JSON.stringify({ calls, results: results.map(({ status, data }) => [status, data]), rejected }));
await server.stop(1000);
`;

const typedCalls = `
import { createClient } from "./client/index.ts";

export async function titles(client: ReturnType<typeof createClient>): Promise<string[]> {
  const results = [await client.find({ body: { title: "a" } }), await client.QUERY("/found", { body: { title: "a" } })];
  // @ts-expect-error the path has no QUERY operation
  client.QUERY("/open");
  // @ts-expect-error the body is required
  client.QUERY("/found");
  // @ts-expect-error the title must be a string
  client.QUERY("/found", { body: { title: 1 } });
  return results.map((result) => (result.status === 200 ? result.data.title : String(result.status)));
}
`;

let folder: string;
beforeAll(async () => {
  folder = copyTree();
  await writeFile(join(folder, "other.json"), JSON.stringify(spec));
  await writeFile(join(folder, "program.ts"), program);
  await writeFile(join(folder, "querying.ts"), queryingProgram);
  await writeFile(join(folder, "typed-calls.ts"), typedCalls);
  await promisify(execFile)(process.execPath, ["scripts/generate.ts", "--spec", "other.json", "--lenient"], {
    cwd: folder,
  });
});
afterAll(() => rm(folder, { recursive: true }));

it("sends each credential where its scheme requires it, and retries a POST with the same idempotency key", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["program.ts"], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({
    received: [
      "GET /header k1",
      "GET /query?key=k%262",
      "GET /cookies session=c1; csrf=c%3B2",
      `GET /basic Basic ${Buffer.from("ä:p:w").toString("base64")}`,
      "GET /token Bearer t1",
      "GET /token Bearer t2",
      "GET /second k1",
      "GET /open",
      "POST /repeated",
      "POST /repeated",
    ],
    keys: ["string"],
    failed: [
      "createClient: options /credentials/inHeaders is unknown. Use one of inHeader, inQuery, inCookie, otherCookie, password, token, missing",
      "byHeader: options /credentials/inHeader must be visible ASCII characters without spaces",
    ],
  });
});

it("sends QUERY by function and by path, and retries it", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["querying.ts"], { cwd: folder });
  const found = [200, { title: "Ulysses" }];
  expect(JSON.parse(stdout)).toEqual({
    calls: 3,
    results: [found, found],
    rejected: [
      [405, "QUERY"],
      [415, "undefined"],
      [422, "undefined"],
    ],
  });
  expect(typeErrors([join(folder, "typed-calls.ts")], { types: ["node"] })).toEqual([]);
});
