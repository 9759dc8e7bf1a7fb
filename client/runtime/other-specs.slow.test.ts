/** Tests the parts of the client that this service's spec does not have, with generated code in a copy of the project. */
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyTree } from "../../scripts/testing/copied-tree.ts";
import { typeErrors } from "../../scripts/testing/type-errors.ts";
import { fixtures } from "../../scripts/toolkit/generate/testing/programs.ts";

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

const run = async (cwd: string, ...args: string[]) =>
  (await promisify(execFile)(process.execPath, args, { cwd })).stdout;

/** Returns a copy of the project that has these files and the code generated from the spec. */
async function generated(spec: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = copyTree();
  folders.push(folder);
  for (const [name, text] of Object.entries({ ...files, "other.yaml": spec }))
    await writeFile(join(folder, name), text);
  await run(folder, "scripts/generate.ts", "--spec", "other.yaml", "--lenient");
  return folder;
}

/** Runs a program that prints JSON. */
async function printedBy(folder: string, program: string): Promise<unknown> {
  await writeFile(join(folder, "program.ts"), program);
  return JSON.parse(await run(folder, "program.ts"));
}

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
const credentialsSpec = {
  openapi: "3.2.0",
  info: { title: "Credentials", version: "1.0.0" },
  paths: {
    "/header": get("byHeader", { inHeader: [] }),
    "/query": get("byQuery", { inQuery: [] }),
    "/cookies": get("byCookies", { inCookie: [], otherCookie: [] }),
    "/basic": get("byPassword", { password: [] }),
    "/token": get("byToken", { token: [] }),
    "/second": get("bySecond", { missing: [] }, { inHeader: [] }),
    "/gate": get("byCertificate", { gate: [] }, { inHeader: [] }),
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
      gate: { type: "mutualTLS" },
      missing: { type: "apiKey", in: "header", name: "X-Missing" },
      password: { type: "http", scheme: "basic" },
      token: { type: "openIdConnect", openIdConnectUrl: "https://id.test/.well-known/openid-configuration" },
    },
  },
};

const programWithCredentials = `
import { createServer } from "node:http";
import { createClient } from "./client/index.ts";

const received = [];
let status = 204;
const server = createServer(async (request, response) => {
  const { method, url, headers } = request;
  const { "x-key": key, cookie, authorization, "idempotency-key": idempotency } = headers;
  const body = Buffer.concat(await request.toArray());
  received.push([method, url, key, cookie, authorization, body.toString()].filter(Boolean).join(" "));
  keys.add(idempotency);
  response.writeHead(status, { "retry-after": "0" }).end();
  status = 204;
});
const keys = new Set();
server.listen(0, "127.0.0.1", async () => {
  let tokens = 0;
  const baseUrl = "http://127.0.0.1:" + server.address().port;
  const client = createClient({
    baseUrl,
    credentials: {
      inHeader: "k1",
      inQuery: "k&2",
      inCookie: "c1",
      otherCookie: "c;2",
      password: { user: "ä", password: "p:w" },
      token: async () => "t" + ++tokens,
    },
  });
  for (const call of ["byHeader", "byQuery", "byCookies", "byPassword", "byToken", "byToken", "bySecond", "byCertificate", "openly"]) await client[call]();
  keys.clear();
  status = 503;
  await client.create();
  const sentKeys = [...keys].map((key) => typeof key);
  const init = { body: { title: "Ulysses" } };
  status = 503;
  await client.find(init);
  await createClient({ baseUrl, fetch }).QUERY("/found", init);
  const failed = [];
  for (const options of [{ credentials: { inHeaders: "x" } }, { credentials: { inHeader: "a\\nhush" } }])
    try {
      await createClient({ baseUrl: "http://a.test", ...options }).byHeader();
    } catch (error) {
      failed.push(error.message);
    }
  console.log(JSON.stringify({ received, keys: sentKeys, failed }));
  server.closeAllConnections();
  server.close();
});
`;

const callsWithQuery = `
import { createClient } from "./client/index.ts";

// @ts-expect-error the certificate is in the option \`tls\`
createClient({ baseUrl: "", credentials: { gate: "x" } });

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

it("the client sends credentials where their schemes require them, retries QUERY, and retries POST with the same idempotency key", async () => {
  const folder = await generated(JSON.stringify(credentialsSpec), { "typed-calls.ts": callsWithQuery });
  expect(await printedBy(folder, programWithCredentials)).toEqual({
    received: [
      "GET /header k1",
      "GET /query?key=k%262",
      "GET /cookies session=c1; csrf=c%3B2",
      `GET /basic Basic ${Buffer.from("ä:p:w").toString("base64")}`,
      "GET /token Bearer t1",
      "GET /token Bearer t2",
      "GET /second k1",
      "GET /gate k1",
      "GET /open",
      "POST /repeated",
      "POST /repeated",
      'QUERY /found {"title":"Ulysses"}',
      'QUERY /found {"title":"Ulysses"}',
      'QUERY /found {"title":"Ulysses"}',
    ],
    keys: ["string"],
    failed: [
      "createClient: options /credentials/inHeaders is unknown. Did you mean inHeader?",
      "byHeader: options /credentials/inHeader must be the key alone, in visible ASCII",
    ],
  });
  expect(typeErrors([join(folder, "typed-calls.ts")], { types: ["node"] })).toEqual([]);
});

const service = `
import { Hono } from "hono";
import { contract } from "./generated/contract.ts";
import { bindContract } from "./server/runtime/contract/bind.ts";
import { serveContract } from "./server/runtime/http/hono.ts";
import { listen } from "./server/runtime/http/listen.ts";
import document from "./generated/openapi.json" with { type: "json" };
import { createMockApp } from "./scripts/toolkit/mock/mock-app.ts";
import { generatedValues } from "./scripts/toolkit/mock/generated-values.ts";

const added = Promise.withResolvers();
export const left = Promise.withResolvers();
async function* watch() {
  const encoder = new TextEncoder();
  try {
    yield encoder.encode("data: 1\\n\\n");
    await added.promise;
    for (;;) yield encoder.encode("data: 2\\n\\n");
  } finally {
    left.resolve("left");
  }
}
const done = () => ({ status: 204 });
const statuses = { route_not_found: 404, method_not_allowed: 405, request_invalid: 422, failed: 500 };
const reject = ({ reason, allowed, problems }) =>
  ({ status: statuses[reason], headers: { Allow: String(allowed) }, body: problems });
const app = new Hono();
serveContract(app, bindContract({
  contract,
  handlers: {
    findBooks: ({ query }) => ({ status: 200, body: { query } }),
    findAuthors: ({ query }) => ({ status: 200, body: { query } }),
    findShelves: ({ query }) => ({ status: 200, body: { query: query ?? null } }),
    watchBooks: () => ({ status: 200, body: watch() }),
    exportBooks: ({ signal }) => ({
      status: 200,
      body: new Blob(['{"id":1}\\n', '{"id":2}\\n']).stream(),
      headers: { "Content-Type": "application/jsonl" },
    }),
    getBook: () => {
      added.resolve();
      return { status: 204 };
    },
    mSearchBooksId: done,
    copyBook: ({ path, header }) => ({ status: 201, body: { id: path.id + header.Destination.length } }),
  },
  authenticate: {},
  reject,
  fail: (error) => { throw error; },
  requestIdOf: () => "r",
  onViolation: (violation) => console.error(violation),
  responsePolicy: "enforce",
  maxContentBytes: 100,
}));
const start = (app) => listen(app, { host: "127.0.0.1", port: 0, onMalformed() {} });
export const server = await start(app);
export const mock = await start(createMockApp({
  contract,
  document,
  reject,
  generate: generatedValues(document, contract, 1).response,
  log() {},
}));
`;

/** Returns a program that prints the results of the expressions as one JSON list. */
const program = (...expressions: string[]) => `
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createClient } from "./client/index.ts";
import { left, mock, server } from "./service.ts";
const client = createClient({ baseUrl: server.url });
const mocked = createClient({ baseUrl: mock.url });
const shown = ({ status, data, text }) => [status, data ?? text];
const conformance = async () => {
  const args = ["scripts/conform.ts", "--spec", "other.yaml", "--url", server.url, "--generate"];
  const { stdout } = await promisify(execFile)(process.execPath, args).catch((error) => error);
  return /no difference found|\\d+ failed/.exec(stdout)?.[0];
};
const raw = async (method, path, headers) => {
  const response = await fetch(server.url + path, { method, headers });
  return [response.status, response.headers.get("allow"), await response.text()];
};
console.log(JSON.stringify([
${expressions.map((each) => `  await ${each},\n`).join("")}]));
await Promise.all([server.stop(1000), mock.stop(1000)]);
`;

const typedCalls = `
import { createClient } from "./client/index.ts";

export async function calls(client: ReturnType<typeof createClient>): Promise<unknown[]> {
  const copied = await client.copyBook({ params: { path: { id: 1 }, header: { Destination: "a" } } });
  const id: number | undefined = copied.status === 201 ? copied.data.id : undefined;
  // @ts-expect-error the header is required
  client.COPY("/books/{id}", { params: { path: { id: 1 } } });
  // @ts-expect-error no path has the method
  client.PUT;
  await client.findBooks();
  await client.findBooks({ params: { query: { tags: ["a"] } } });
  await client.findShelves({ params: { query: { title: "a", author: { name: "a" } } } });
  const exported = await client.exportBooks();
  if (exported.status === 200 && exported.data instanceof ReadableStream) {
    const bytes: ReadableStream<Uint8Array> = exported.data;
    const item: NonNullable<typeof exported.data.item> = { id: 1 };
    return [bytes, item];
  }
  // @ts-expect-error the query is required
  client.findAuthors({});
  // @ts-expect-error the title is required
  client.findShelves({ params: { query: { pages: 1 } } });
  return [id, client["M-SEARCH"]("/books/{id}", { params: { path: { id: 1 } } })];
}
`;

let folder: string;
beforeAll(async () => {
  const spec = await readFile(join(fixtures, "accept/parts-3-2.yaml"), "utf8");
  folder = await generated(spec, { "service.ts": service, "typed-calls.ts": typedCalls });
});

const resultsOf = (...expressions: string[]) => printedBy(folder, program(...expressions));

it("the client calls operations with additional methods, by function and by path", async () => {
  const init = `{ params: { path: { id: 4 }, header: { Destination: "abc" } } }`;
  const results = await resultsOf(
    `shown(await client.copyBook(${init}))`,
    `shown(await client.COPY("/books/{id}", ${init}))`,
    `shown(await client["M-SEARCH"]("/books/{id}", { params: { path: { id: 4 } } }))`,
    `shown(await mocked.copyBook(${init}))`,
    `raw("COPY", "/books/4")`,
    `raw("MOVE", "/books/4")`,
  );
  const missing = JSON.stringify([{ in: "header", pointer: "/Destination", message: "is required" }]);
  expect(results).toEqual([
    [201, { id: 7 }],
    [201, { id: 7 }],
    [204, null],
    [201, { id: expect.any(Number) }],
    [422, "undefined", missing],
    [405, "GET,HEAD,COPY,M-SEARCH", ""],
  ]);
});

it("the client sends a query string that one schema describes, as a form or as JSON", async () => {
  const author = { name: "a&=+ä" };
  const filter = JSON.stringify({ title: "%", pages: 2, author });
  const results = await resultsOf(
    `shown(await client.findBooks({ params: { query: { tags: ["a&b", "c"] } } }))`,
    "shown(await client.findBooks())",
    `shown(await client.findAuthors({ params: { query: ${filter} } }))`,
    `shown(await client.GET("/shelves", { params: { query: ${filter} } }))`,
    "shown(await client.findShelves())",
    `shown(await mocked.findAuthors({ params: { query: ${filter} } }))`,
    `raw("GET", "/books?tags=a&tags=b&limit=c")`,
    `raw("GET", "/authors")`,
    `raw("GET", "/authors?title=%zz&other=1&author=1")`,
    `raw("GET", "/shelves?{}")`,
    `raw("GET", "/shelves?title=a")`,
    `raw("GET", "/shelves?%22%ff")`,
  );
  const received = (query: unknown) => [200, { query }];
  const invalid = (...problems: [pointer: string, message: string][]) => [
    422,
    "undefined",
    JSON.stringify(problems.map(([pointer, message]) => ({ in: "query", pointer, message }))),
  ];
  expect(results).toEqual([
    received({ tags: ["a&b", "c"], limit: 10 }),
    received({ limit: 10 }),
    received(JSON.parse(filter)),
    received(JSON.parse(filter)),
    received(null),
    [200, expect.any(Object)],
    invalid(["/limit", "must be an integer"]),
    invalid(["/title", "is required"]),
    invalid(
      ["/title", "must be percent-encoded UTF-8"],
      ["/author", "must be an object"],
      ["/other", "is not a known property"],
    ),
    invalid(["/title", "is required"]),
    invalid(["", "must be JSON"]),
    invalid(["", "must be percent-encoded UTF-8"]),
  ]);
});

it("a stream reaches the caller in pieces, until the caller cancels it", async () => {
  const results = await resultsOf(
    `(async () => {
    const { data } = await client.watchBooks({ timeoutMs: 1000 });
    const reader = data.getReader();
    const decoder = new TextDecoder();
    const read = async () => decoder.decode((await reader.read()).value).slice(0, 9);
    const pieces = [await read()];
    await client.getBook({ params: { path: { id: 1 } } });
    pieces.push(await read());
    await reader.cancel();
    return [...pieces, await left.promise];
  })()`,
    `(async () => {
    const fetched = createClient({ baseUrl: server.url, fetch });
    const controller = new AbortController();
    const { data } = await fetched.watchBooks({ signal: controller.signal });
    controller.abort(new Error("enough"));
    return new Response(data).text().catch((error) => error.message);
  })()`,
    "client.exportBooks().then(({ data }) => new Response(data).text())",
    "mocked.watchBooks().then(({ data }) => new Response(data).text())",
  );
  expect(results).toEqual([
    ["data: 1\n\n", "data: 2\n\n", "left"],
    "enough",
    '{"id":1}\n{"id":2}\n',
    "event: added\ndata: {\ndata: }\n\ndata: 1\n\n",
  ]);
});

it("the server passes all conformance checks", async () => {
  expect(await resultsOf("conformance()")).toEqual(["no difference found"]);
});

it("the calls have exact types", () => {
  expect(typeErrors([join(folder, "typed-calls.ts")], { types: ["node"] })).toEqual([]);
});
