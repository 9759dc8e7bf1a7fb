/** The real client calls the mock over real sockets. The program is tested too. */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examplesOf, type ResponseExamples } from "#specbind/client/mock";
import { methodsOf, type OperationContract } from "#specbind/contract";
import { type Client, createClient } from "../../../client/index.ts";
import { contract } from "../../../generated/contract.ts";
import document from "../../../generated/openapi.json" with { type: "json" };
import { rejectionResponse as reject, rejectionResponse } from "../../../server/rejections.ts";
import { type Listening, listen } from "../../../server/runtime/http/listen.ts";
import { send } from "../../../server/testing/http.ts";
import { ended, Program } from "../../testing/program.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { generatedValues } from "./generated-values.ts";
import { createMockApp } from "./mock-app.ts";
import { readInterface, startMock } from "./start-mock.ts";

const examples = examplesOf(document, contract.operations);
const lines: string[] = [];
let server: Listening;
let client: Client;

beforeAll(async () => {
  const app = createMockApp({ contract, document, reject, log: (line) => lines.push(line) });
  server = await listen(app, {
    host: "127.0.0.1",
    port: 0,
    reject: rejectionResponse,
    onMalformed: () => {},
  });
  client = createClient({ baseUrl: server.url, apiKey: "sk_mock" });
});
afterAll(() => server.stop(0));

type Headers = Readonly<Record<string, string>>;
const requests = document.components.requestBodies.CommissionDefinition.content["application/json"].examples;
const logins = document.paths["/v1/users/login"].post.requestBody.content["application/json"].examples;

const calls = {
  submitCommission: (headers: Headers) =>
    client.submitCommission({
      body: { commission: { title: "Mine", type: "supply", default_value: 3 } },
      headers,
    }),
  loginUser: (headers: Headers) => client.loginUser({ body: logins.withoutMfa.value, headers }),
  getWebhook: (headers: Headers) => client.getWebhook({ params: { path: { webhook_id: 1 } }, headers }),
} satisfies Record<keyof typeof contract.operations, unknown>;

const methods = Object.values<OperationContract>(contract.operations).flatMap(methodsOf);

/** A response without a body has no example. */
const every = Object.entries(calls).flatMap(([id, call]) =>
  responsesOf(id).flatMap(([status, { bodies }]) =>
    bodies.size === 0
      ? [{ id, call, status, name: "without a body", prefer: `code=${status}`, body: null }]
      : [...bodies].map(([name, body]) => {
          return { id, call, status, name, prefer: `code=${status}, example=${name}`, body };
        }),
  ),
);

function responsesOf(id: string): [status: number, ResponseExamples][] {
  return Object.entries(examples.get(id)?.responses ?? {}).map(([status, each]) => [Number(status), each]);
}

it("an operation returns the response example with the name of the request's example, even if the request omits a default", async () => {
  const flat = await client.submitCommission({ body: requests.defaultOnly.value });
  expect(flat.data).toEqual({ status: true, data: { commission: { id: 2, rate: 10 } } });
  const commission = { ...requests.defaultOnly.value.commission, active: true, commission_data: [] };
  const same = await client.submitCommission({ body: { commission } });
  expect(same.data).toEqual(flat.data);
  const login = await client.loginUser({ body: logins.withMfa.value });
  expect(login.status === 200 && login.data.data.user.first_name).toBe("Sam");
});

describe("Prefer", () => {
  it.each(every)(
    "selects $id $status $name, with its headers",
    async ({ id, call, status, prefer, body }) => {
      const result = await call({ Prefer: prefer });
      expect({ status: result.status, body: result.error ?? result.data }).toEqual({
        status,
        body,
      });
      for (const [header, value] of Object.entries(examples.get(id)?.responses[status]?.headers ?? {}))
        expect(result.response.headers.get(header)).toBe(String(value));
    },
  );

  it.each([
    ["code=503", 503, "unavailable"],
    ["example=missing, code=401", 401, "api_key_missing"],
    ['code="401"; example="totpRequired"', 401, "totp_required"],
    ["respond-async, wait=10, CODE=429", 429, "too_many_attempts"],
    ["code=500, code=503", 500, "internal_error"],
  ])("is read from %s", async (prefer, status, code) => {
    const result = await calls.loginUser({ Prefer: prefer });
    expect({ status: result.status, error: result.error }).toMatchObject({
      status,
      error: { error: { code } },
    });
  });

  it("selects the example of a success response if the header names no status", async () => {
    const result = await calls.loginUser({ Prefer: "example=withMfa" });
    expect(result.status === 200 && result.data.data.user.first_name).toBe("Sam");
  });

  it.each([
    [
      "code=418",
      "Prefer: submitCommission does not document 418. Choose from 200, 400, 401, 403, 413, 415, 422, 500, 503.",
    ],
    [
      "example=nothing",
      'Prefer: submitCommission 200 has no example "nothing". Choose from fixedAndSlabs, defaultOnly.',
    ],
    [
      "code=401, example=defaultOnly",
      'Prefer: submitCommission 401 has no example "defaultOnly". Choose from missing, invalid.',
    ],
  ])(
    "with %s, which is not in the spec, returns a 404 that lists the possible values",
    async (Prefer, message) => {
      const request = { method: "GET", path: "/", key: "sk_mock", body: requests.defaultOnly.value };
      const response = await send(server.url, { ...request, headers: { Prefer } });
      expect(response).toMatchObject({
        status: 404,
        body: { status: false, error: { code: "route_not_found", message } },
      });
    },
  );

  it.each(["code=teapot", "code", "code=99", "example=", "code=4040"])(
    "with %s is malformed and returns a 422",
    async (Prefer) => {
      const { status, error } = await calls.getWebhook({ Prefer });
      const message = "must be code=STATUS, example=NAME, or both, separated by a comma";
      const problems = [{ in: "header", pointer: "/Prefer", message }];
      expect({ status, error }).toMatchObject({ status: 422, error: { error: { problems } } });
    },
  );
});

describe("a response without a valid example", () => {
  const called = async (broken: typeof document, seed: number) => {
    const logged: string[] = [];
    const generate = generatedValues(broken, contract, seed).response;
    const source = { contract, document: broken, reject, generate };
    const app = createMockApp({ ...source, log: (line) => logged.push(line) });
    const headers = { Authorization: "Bearer sk_mock" };
    const response = await app.request("/v1/webhooks/1", { headers });
    return {
      status: response.status,
      header: response.headers.get("x-mock-generated"),
      body: await response.json(),
      logged,
    };
  };

  it("is made from its schema, and the same seed makes the same response", async () => {
    const lacking = structuredClone(document);
    const { WebhookRetrieved } = lacking.components.responses;
    const media: { examples?: object } = WebhookRetrieved.content["application/json"];
    delete media.examples;
    const first = await called(lacking, 1);
    expect(first).toMatchObject({ status: 200, header: "seed=1", logged: ["GET /v1/webhooks/1 200"] });
    expect(await called(lacking, 1)).toEqual(first);
    expect((await called(lacking, 2)).body).not.toEqual(first.body);
  });

  it("is small and valid, and its request is made, even if schemas contain each other or a bound exceeds 2^53", async () => {
    const mocked = await readInterface("scripts/toolkit/conformance/fixtures/unfillable.yaml");
    const { response, requests } = generatedValues(mocked.document, mocked.contract, 1);
    const validate =
      mocked.contract.operations.mutual?.responses?.[200]?.mediaTypes["application/json"]?.validate;
    const body = response("mutual", "200")?.body;
    expect(validate?.(body, [])).toBe(true);
    expect(JSON.stringify(body).length).toBeLessThan(20_000);
    const targets = [...requests(() => undefined).values()].map((request) => request?.target);
    expect(targets).toEqual([expect.stringMatching(/^\/large-bound\?n=\d+$/), "/mutual", "/mutual"]);
  });

  it("is made from its schema if the example violates it, and the place is logged", async () => {
    const broken = structuredClone(document);
    const media = broken.components.responses.WebhookRetrieved.content["application/json"];
    const { oneEvent } = media.examples;
    Object.assign(media, { examples: { oneEvent } });
    oneEvent.value.data.webhook.id = 0;
    expect(await called(broken, 1)).toMatchObject({
      status: 200,
      header: "seed=1",
      logged: [
        "the example of getWebhook 200 violates the spec: /data/webhook/id must be at least 1",
        "GET /v1/webhooks/1 200",
      ],
    });
  });
});

const folder = temporaryFolder();

/** The mock of a document with one operation, and its log. */
async function mockOf(openapi: string, response: object) {
  const file = join(folder, "openapi.json");
  const get = { operationId: "getBook", responses: { 200: { description: "Book.", ...response } } };
  const info = { title: "t", version: "1.0.0" };
  await writeFile(file, JSON.stringify({ openapi, info, paths: { "/book": { get } } }));
  const { contract, document } = await readInterface(file);
  const logged: string[] = [];
  const app = createMockApp({
    contract,
    document,
    reject,
    generate: generatedValues(document, contract, 1).response,
    log: (line) => logged.push(line),
  });
  return { app, logged };
}

it.each([
  ["3.2.0", "application/jsonl", { itemSchema: { const: { id: 1 } } }, '{"id":1}\n'],
  ["3.1.0", "application/json", { schema: {} }, expect.stringMatching(/./)],
])("a response without an example is never empty (%s, %s)", async (version, mediaType, media, body) => {
  const { app } = await mockOf(version, { content: { [mediaType]: media } });
  const response = await app.request("/book");
  expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
    200,
    mediaType,
    body,
  ]);
});

it("a response without an example whose schema allows no value is a 500, and the log has the reason", async () => {
  const content = { "application/json": { schema: false } };
  const headers = { "X-Size": { required: true, schema: { type: "integer", minimum: 2, maximum: 1 } } };
  const { app, logged } = await mockOf("3.1.0", { headers, content });
  expect((await app.request("/book")).status).toBe(500);
  expect(logged).toEqual([
    "getBook 200 has no example of a body, and no valid value of its schema was found",
    "getBook 200 has no example of the header X-Size, and no valid value of its schema was found",
    "GET /book 500",
  ]);
});

describe("the mock of another document", () => {
  const spec = {
    openapi: "3.1.0",
    info: { title: "Books", version: "1" },
    paths: {
      "/books": {
        get: {
          operationId: "findBooks",
          parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }],
          responses: {
            "200": {
              description: "A code.",
              content: {
                "application/json": { schema: { type: "string", pattern: "^(?=.*\\d)(?!0)[a-z0-9]{4}$" } },
              },
            },
            "400": {
              description: "Wrong.",
              content: { "application/vnd.books+json": { schema: {}, example: { oops: "Wrong." } } },
            },
          },
        },
        post: {
          operationId: "addBook",
          requestBody: { required: true, content: { "application/json": { schema: { type: "object" } } } },
          responses: {
            "204": { description: "Added." },
            default: {
              description: "Wrong.",
              content: {
                "application/json": { schema: { type: "array", items: { const: 7 }, minItems: 1 } },
              },
            },
          },
        },
        put: {
          operationId: "putBook",
          security: [{ key: [] }],
          responses: { "204": { description: "Put." } },
        },
      },
    },
    components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
  };

  it("rejects requests with the documented response, and makes values for patterns with a look-ahead", async () => {
    const file = join(folder, "books.json");
    await writeFile(file, JSON.stringify(spec));
    let printed = "";
    const mocked = await readInterface(file);
    const mock = await startMock(mocked, { host: "127.0.0.1", port: 0 }, 1, (text) => {
      printed += text;
    });
    const responses = await Promise.all(
      (
        [
          ["GET", "?limit=x"],
          ["POST", ""],
          ["PUT", ""],
          ["GET", ""],
        ] as const
      ).map(async ([method, query]) => {
        const response = await fetch(`${mock.url}/books${query}`, { method });
        return [response.status, response.headers.get("content-type"), await response.json()];
      }),
    );
    await mock.stop(0);
    expect(responses).toEqual([
      [400, "application/vnd.books+json", { oops: "Wrong." }],
      [422, "application/json", [7]],
      [401, "application/problem+json", expect.objectContaining({ code: "credential_missing" })],
      [200, "application/json", expect.stringMatching(/^(?=.*\d)(?!0)[a-z0-9]{4}$/)],
    ]);
    expect(printed).toContain("findBooks 400: query /limit must be an integer\n");
  });
});

/** Starts the mock of a spec. Also returns its contract and what it printed. */
async function started(spec: string) {
  let printed = "";
  const mocked = await readInterface(spec);
  const mock = await startMock({ ...mocked, reject }, { host: "127.0.0.1", port: 0 }, 1, (text) => {
    printed += text;
  });
  return { ...mocked, url: mock.url, printed, [Symbol.asyncDispose]: async () => void (await mock.stop(0)) };
}

it("the operations are also served below the path of the first server in the document", async () => {
  await using mock = await started("scripts/toolkit/generate/fixtures/real/petstore/openapi.yaml");
  expect(mock.printed.split("\n")[0]).toBe(`listening on ${mock.url}, also below /api/v3, seed 1`);
  const [plain, based] = await Promise.all(
    ["", "/api/v3"].map(async (base) => {
      const response = await fetch(`${mock.url}${base}/user/eve`);
      return [response.status, await response.text()];
    }),
  );
  expect(plain?.[0]).toBe(200);
  expect(based).toEqual(plain);
});

describe("a page of another origin", () => {
  it("may call every operation and read every header", async () => {
    const asked = { Origin: "https://page.test", "Access-Control-Request-Method": "GET" };
    const headers = { ...asked, "Access-Control-Request-Headers": "authorization,prefer" };
    const preflight = await fetch(`${server.url}/v1/webhooks/1`, { method: "OPTIONS", headers });
    const response = await fetch(`${server.url}/v1/webhooks/1`, { headers: { Origin: "https://page.test" } });
    const allowed = ({ headers: sent }: Response, name: string) => sent.get(`access-control-${name}`);
    expect([preflight.status, allowed(preflight, "allow-headers")]).toEqual([204, "authorization,prefer"]);
    expect(new Set(allowed(preflight, "allow-methods")?.split(","))).toEqual(new Set(["HEAD", ...methods]));
    expect([preflight, response].map((each) => allowed(each, "allow-origin"))).toEqual(["*", "*"]);
    const optionsOf = ({ headers }: Response) => headers.get("x-content-type-options");
    expect([preflight, response].map(optionsOf)).toEqual(["nosniff", "nosniff"]);
    expect([response.status, allowed(response, "expose-headers")]).toEqual([401, "*"]);
  });
});

describe("npm run mock", () => {
  it("prints its URL, and stops after a signal", async () => {
    await using mock = new Program([process.execPath, "scripts/mock.ts", "--port", "0"]);
    await mock.next(/^listening on http:\/\/127\.0\.0\.1:\d+, seed 1\n\n#.*\n\n$/s);
    // Ctrl-C in a terminal sends two signals: one from the terminal and one from npm.
    mock.child.kill("SIGINT");
    expect(await mock.stop("SIGINT")).toBe(0);
  });

  it("reports the address that is in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const stderr = `could not start: 127.0.0.1:${port} is in use; stop the program that listens there, or set --port to another port\n`;
    const run = ended([process.execPath, "scripts/mock.ts", "--port", String(port)]);
    expect(await run).toEqual({ status: 1, stdout: "", stderr });
    taken.close();
  });

  it.each([
    "spec/openapi.yaml",
    "scripts/toolkit/conformance/fixtures/wire.yaml",
    "scripts/toolkit/generate/fixtures/accept/everything.yaml",
    "scripts/toolkit/generate/fixtures/accept/oddities.yaml",
    "scripts/toolkit/generate/fixtures/accept/version-3-0.yaml",
    "scripts/toolkit/generate/fixtures/real/petstore/openapi.yaml",
  ])("serves %s, and every printed command succeeds", async (spec) => {
    await using mock = await started(spec);
    const commands = mock.printed.split("\n").filter((line) => /\bcurl -sS -w '\\n' -/.test(line));
    expect(commands).toHaveLength(Object.values(mock.contract.operations).flatMap(methodsOf).length);
    const script = commands.map((command) => `${command} -o /dev/null -w '%{http_code}\\n'`).join("\n");
    // One process of curl sends many requests, because its start takes longer than a request.
    const joined = script.replaceAll("\ncurl ", " --next ");
    const { stdout } = await ended(["sh", "-c", joined]);
    expect(stdout.trim().split("\n")).toHaveLength(commands.length);
    expect(stdout.split("\n").filter((status) => status !== "" && !/^[23]/.test(status))).toEqual([]);
  });
});
