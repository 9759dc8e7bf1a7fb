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
const server = createServer(async (request, response) => {
  const { method, url, headers } = request;
  const { "x-key": key, cookie, authorization, "idempotency-key": idempotency } = headers;
  const body = Buffer.concat(await request.toArray());
  received.push(Object.entries({ method, url, key, cookie, authorization }).flatMap(([, value]) => value ?? []).join(" "));
  keys.add(idempotency);
  response.writeHead(status, { "retry-after": "0", ...(url === "/found" && { "content-type": "application/json" }) });
  response.end(body);
  status = url === "/found" ? 200 : 204;
});
const keys = new Set();
server.listen(0, "127.0.0.1", async () => {
  let tokens = 0;
  const baseUrl = "http://127.0.0.1:" + server.address().port;
  const client = createClient({
    baseUrl,
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
  const sentKeys = [...keys].map((key) => typeof key);
  const init = { body: { title: "Ulysses" } };
  status = 503;
  const found = [await client.find(init), await createClient({ baseUrl, fetch }).QUERY("/found", init)];
  const failed = [];
  for (const options of [{ credentials: { inHeaders: "x" } }, { credentials: { inHeader: "a\\nhush" } }])
    try {
      await createClient({ baseUrl: "http://a.test", ...options }).byHeader();
    } catch (error) {
      failed.push(error.message);
    }
  const results = found.map(({ status, data }) => [status, data]);
  console.log(JSON.stringify({ received, keys: sentKeys, results, failed }));
  server.closeAllConnections();
  server.close();
});
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
  await writeFile(join(folder, "typed-calls.ts"), typedCalls);
  await promisify(execFile)(process.execPath, ["scripts/generate.ts", "--spec", "other.json", "--lenient"], {
    cwd: folder,
  });
});
afterAll(() => rm(folder, { recursive: true }));

it("sends credentials where their schemes require them, and retries QUERY, and POST with the same idempotency key", async () => {
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
      "QUERY /found",
      "QUERY /found",
      "QUERY /found",
    ],
    keys: ["string"],
    results: [
      [200, { title: "Ulysses" }],
      [200, { title: "Ulysses" }],
    ],
    failed: [
      "createClient: options /credentials/inHeaders is unknown. Use one of inHeader, inQuery, inCookie, otherCookie, password, token, missing",
      "byHeader: options /credentials/inHeader must be the key alone, in visible ASCII",
    ],
  });
});

it("calls with QUERY have exact types", () => {
  expect(typeErrors([join(folder, "typed-calls.ts")], { types: ["node"] })).toEqual([]);
});
