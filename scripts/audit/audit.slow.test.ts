/** Recordings of real traffic, held to the spec: what it describes passes, and each departure from it is named. */
import { readFileSync } from "node:fs";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../client/index.ts";
import { type Contract, contract } from "../../generated/contract.ts";
import { send } from "../../server/testing/http.ts";
import { plainUser, rightPassword, startService, type TestService } from "../../server/testing/service.ts";
import { ended, type Run } from "../generate/testing.ts";
import { audit } from "./audit.ts";
import { maxBytes, readHar } from "./har.ts";
import type { AuditFinding } from "./judge.ts";
import { terminalReport } from "./report.ts";
import { serversOf, targetBelow } from "./servers.ts";
import { type HarEntry, harOf, type Recorder, record } from "./testing/recorder.ts";

const spec = readFileSync("spec/openapi.yaml", "utf8");

/** As an editor opens it. */
function placeAfter(before: string, text: string): string {
  const lines = spec.slice(0, spec.indexOf(text, spec.indexOf(before))).split("\n");
  return `spec/openapi.yaml:${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
}

let folder: string;
let service: TestService;
let recorder: Recorder;
/** Of real exchanges, by what was asked. */
let real: { webhook: HarEntry; login: HarEntry; submission: HarEntry };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "audit-test-"));
  service = await startService({ corsOrigins: "*" });
  recorder = await record(service.url);
  const client = createClient({ baseUrl: recorder.url, apiKey: service.acme.secretKey });
  await client.getWebhook({ params: { path: { webhook_id: service.acme.webhook.id } } });
  await client.loginUser({ body: { user: { ...plainUser, uuid: "till-1", password: rightPassword } } });
  await client.submitCommission({
    body: { commission: { title: "Flat", type: "supply", default_value: 10 } },
  });
  const [webhook, login, submission] = recorder.entries;
  if (!webhook || !login || !submission) throw new Error("three exchanges should have been recorded");
  real = { webhook, login, submission };
});
afterAll(async () => {
  await recorder?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function fileOf(content: string | Uint8Array): Promise<string> {
  const file = join(await mkdtemp(join(folder, "har-")), "traffic.har");
  await writeFile(file, content);
  return file;
}

async function audited(...entries: unknown[]) {
  return audit(contract, [service.url], await readHar(await fileOf(harOf(entries))));
}

/** Of a finding, what tells it from others of its exchange. */
const found = ({ side, in: place, pointer, message }: AuditFinding) =>
  [side, place, pointer, message].join(" ");

const command = (args: readonly string[]): Promise<Run> =>
  ended([process.execPath, "scripts/audit.ts", ...args]);

const jsonOf = ({ response }: HarEntry): Record<string, unknown> =>
  JSON.parse(Buffer.from(response.content.text, "base64").toString());

/** The entry with other content of its answer. */
function answering(entry: HarEntry, body: unknown): HarEntry {
  const text = Buffer.from(JSON.stringify(body)).toString("base64");
  return { ...entry, response: { ...entry.response, content: { ...entry.response.content, text } } };
}

function withHeader(side: "request" | "response", entry: HarEntry, name: string, value?: string): HarEntry {
  const headers = entry[side].headers.filter((header) => header.name.toLowerCase() !== name);
  if (value !== undefined) headers.push({ name, value });
  return { ...entry, [side]: { ...entry[side], headers } };
}

function asking(entry: HarEntry, text: string): HarEntry {
  const postData = { mimeType: "application/json", text };
  return { ...entry, request: { ...entry.request, postData, bodySize: text.length } };
}

const calling = (entry: HarEntry, target: string, method = entry.request.method): HarEntry => ({
  ...entry,
  request: { ...entry.request, method, url: service.url + target },
});

const answeredBy = (entry: HarEntry, status: number): HarEntry => ({
  ...entry,
  response: { ...entry.response, status },
});

const none = { described: 0, refused: 0, preflights: 0, unanswered: 0, undescribed: 0, others: {} };

describe("real traffic", () => {
  it("of the client and of strangers is described, whatever the server refused", async () => {
    const { url } = recorder;
    const key = service.acme.secretKey;
    const before = recorder.entries.length;
    const path = `/v1/webhooks/${service.acme.webhook.id}`;
    await send(url, { method: "HEAD", path, key });
    await send(url, { method: "GET", path: "/v1/webhooks/77", key });
    await send(url, { method: "GET", path });
    await send(url, { method: "GET", path, key: service.acme.publishableKey });
    await send(url, { method: "GET", path: "/nowhere", key });
    await send(url, { method: "DELETE", path, key });
    await send(url, { method: "GET", path: "/", key, content: { commission: { title: 1 } } });
    await send(url, { method: "GET", path: "/", key, content: "{" });
    await send(url, { method: "GET", path: "/", key, content: "x".repeat(70_000) });
    await send(url, {
      method: "POST",
      path: "/v1/users/login",
      key,
      headers: { "content-type": "text/plain" },
      content: "x",
    });
    const asks = {
      "content-type": "",
      origin: "https://shop.example",
      "access-control-request-method": "POST",
    };
    await send(url, { method: "OPTIONS", path: "/v1/users/login", headers: asks });
    const strangers = recorder.entries.slice(before);
    expect(strangers.map(({ response }) => response.status)).toEqual([
      200, 404, 401, 403, 404, 405, 422, 400, 413, 415, 204,
    ]);
    expect(await audited(...Object.values(real), ...strangers)).toEqual({
      servers: [service.url],
      entries: { described: 6, refused: 7, preflights: 1, unanswered: 0, undescribed: 0, others: {} },
      findings: [],
      unjudged: {},
    });
  });

  it("may be answered before it was known what it asks for", async () => {
    const entry = withHeader("response", real.login, "x-request-id", "r-1");
    const error = {
      code: "malformed_request",
      message: "The request did not arrive in time.",
      request_id: "r-1",
    };
    const late = answeredBy(answering(entry, { status: false, error }), 408);
    const { entries, findings } = await audited(late);
    expect({ entries, findings }).toEqual({ entries: { ...none, described: 1 }, findings: [] });
  });

  it("of a page in Chromium is described, its other origins and what it aborted are named", async () => {
    const file = "scripts/audit/fixtures/chromium-login.har";
    const { status, stdout, stderr } = await command([file, "--server", "http://127.0.0.1:44965"]);
    expect({ status, lines: stdout.split("\n"), stderr }).toEqual({
      status: 0,
      lines: [
        "not judged: 1 without an answer",
        "not judged: other servers, http://127.0.0.1:4444 (1)",
        `${file}, http://127.0.0.1:44965: 4 described, 1 of them invalid requests refused as the spec says; 0 not described`,
        "",
      ],
      stderr: "",
    });
  });
});

describe("an exchange that the spec does not describe", () => {
  const cases: readonly [title: string, change: () => HarEntry, expected: readonly string[]][] = [
    [
      "an unknown path that was served",
      () => calling(real.webhook, "/v1/hooks/1"),
      ["request address  is not that of an operation"],
    ],
    [
      "an unknown path that failed in an undocumented way",
      () => answeredBy(calling(real.webhook, "/v1/hooks/1"), 502),
      ["answer status  502 is not documented"],
    ],
    [
      "an unknown method that was served",
      () => calling(real.webhook, "/v1/webhooks/1", "PUT"),
      ["request method  is not one that the address takes"],
    ],
    ["an undocumented status", () => answeredBy(real.webhook, 201), ["answer status  201 is not documented"]],
    [
      "a status of unknown paths for a known one",
      () => answeredBy(real.login, 404),
      ["answer status  404 is not documented"],
    ],
    [
      "another media type",
      () => withHeader("response", real.webhook, "content-type", "text/html"),
      ["answer media type  is not a documented one"],
    ],
    [
      "no media type",
      () => withHeader("response", real.webhook, "content-type"),
      ["answer media type  is missing"],
    ],
    [
      "a missing header",
      () => withHeader("response", real.webhook, "x-request-id"),
      ["answer header /X-Request-Id is required"],
    ],
    [
      "a header that breaks its schema",
      () => withHeader("response", real.webhook, "cache-control", "public"),
      ['answer header /Cache-Control must be "no-store"'],
    ],
    [
      "content that breaks its schema, at each place",
      () => answering(real.webhook, { status: true, data: { webhook: { id: "1", url: 2 } } }),
      [
        "answer body /data/webhook/id must be an integer",
        "answer body /data/webhook/url must be a string",
        "answer body /data/webhook/events is required",
      ],
    ],
    [
      "a property that the schema does not name",
      () => answering(real.webhook, { ...jsonOf(real.webhook), trace: "x" }),
      ["answer body /trace is not declared"],
    ],
    [
      "a request without its credential that was served",
      () => withHeader("request", real.webhook, "authorization"),
      ["request credential  is required"],
    ],
    [
      "a path parameter out of range that was served",
      () => calling(real.webhook, "/v1/webhooks/0"),
      ["request path /webhook_id must be at least 1"],
    ],
    [
      "one that only looks like a preflight",
      () =>
        withHeader(
          "request",
          calling(real.webhook, "/v1/webhooks/0"),
          "access-control-request-method",
          "GET",
        ),
      ["request path /webhook_id must be at least 1"],
    ],
    [
      "a preflight that failed in an undocumented way",
      () => {
        const preflight = calling(real.webhook, "/v1/users/login", "OPTIONS");
        return answeredBy(withHeader("request", preflight, "access-control-request-method", "POST"), 500);
      },
      ["answer status  500 is not documented"],
    ],
    [
      "a query that no parameter declares",
      () => calling(real.webhook, "/v1/webhooks/1?verbose=1&deep"),
      ["request query /verbose is not declared", "request query /deep is not declared"],
    ],
    [
      "content of a request that breaks its schema and was served",
      () =>
        asking(real.submission, '{"commission":{"title":"a","type":"supply","default_value":1,"rate":2}}'),
      ["request body /commission/rate is not a known property"],
    ],
    [
      "content of a request that is no JSON and was served",
      () => asking(real.login, "user=1"),
      ["request content  cannot be read as its media type"],
    ],
    [
      "content of a request of another media type that was served",
      () => withHeader("request", real.login, "content-type", "text/plain"),
      ["request media type  is not a documented one"],
    ],
    [
      "a request without its content that was served",
      () => {
        const { postData, ...request } = withHeader("request", real.login, "content-length").request;
        return { ...real.login, request: { ...request, bodySize: 0 } };
      },
      ["request body  is required"],
    ],
  ];

  it.each(cases)("is named: %s", async (_, change, expected) => {
    const { findings, entries } = await audited(real.submission, change());
    expect(findings.map(found)).toEqual(expected);
    expect(new Set(findings.map(({ entry }) => entry))).toEqual(new Set([1]));
    expect(entries).toEqual({
      described: 1,
      refused: 0,
      preflights: 0,
      unanswered: 0,
      undescribed: 1,
      others: {},
    });
  });

  it("is told with its place in the recording and in the spec, and with the remedy", async () => {
    const { findings } = await audited(real.login, answering(real.webhook, { status: true, data: {} }));
    expect(findings).toEqual([
      {
        entry: 1,
        time: real.webhook.startedDateTime,
        method: "GET",
        url: `${service.url}/v1/webhooks/${service.acme.webhook.id}`,
        operationId: "getWebhook",
        status: 200,
        side: "answer",
        in: "body",
        pointer: "/data/webhook",
        message: "is required",
        remedy: "Let the server answer as the spec says, or describe this answer there.",
        spec: "/paths/~1v1~1webhooks~1{webhook_id}/get/responses/200",
      },
    ]);
  });

  it("is told once, with all entries that have it, and fails the command", async () => {
    const faulty = answering(real.webhook, { status: true, data: {} });
    const file = await fileOf(harOf([real.login, faulty, real.login, ...Array(7).fill(faulty)]));
    expect(await command([file, "--server", service.url])).toEqual({
      status: 1,
      stdout: [
        `GET ${service.url}/v1/webhooks/${service.acme.webhook.id} (getWebhook) answered 200`,
        "  answer   /data/webhook: is required",
        `           Let the server answer as the spec says, or describe this answer there. ${placeAfter("operationId: getWebhook", '"200"')}`,
        `           entries 1, 3, 4, 5, 6 and 3 more, first at ${real.webhook.startedDateTime}`,
        "",
        `${file}, ${service.url}: 2 described; 8 not described`,
        "",
      ].join("\n"),
      stderr: "",
    });
  });
});

describe("a recording", () => {
  const plain = (entry: HarEntry, text: string | undefined | null, more: object = {}) => ({
    ...entry,
    response: { ...entry.response, content: { mimeType: "application/json", text, ...more } },
  });
  const unsent = (entry: HarEntry, more: object, ...added: { name: string; value: string }[]) => {
    const { postData, ...request } = withHeader("request", entry, "content-length").request;
    return { ...entry, request: { ...request, headers: [...request.headers, ...added], ...more } };
  };
  const decoded = (entry: HarEntry) => Buffer.from(entry.response.content.text, "base64").toString();
  it.each<[string, () => unknown]>([
    ["content as text", () => plain(real.webhook, decoded(real.webhook))],
    [
      "content still compressed",
      () => {
        const text = gzipSync(decoded(real.webhook)).toString("base64");
        const entry = withHeader("response", real.webhook, "content-encoding", "gzip");
        return plain(entry, text, { encoding: "base64" });
      },
    ],
    [
      "content decompressed, though its header says otherwise",
      () => plain(withHeader("response", real.webhook, "content-encoding", "br"), decoded(real.webhook)),
    ],
    [
      "the pseudo headers of HTTP/2",
      () => {
        const { request } = real.webhook;
        const headers = [
          { name: ":authority", value: "x" },
          { name: ":path", value: "/" },
          ...request.headers,
        ];
        return { ...real.webhook, request: { ...request, headers } };
      },
    ],
    [
      "no content of an answer to HEAD",
      () => plain(calling(real.webhook, "/v1/webhooks/1", "HEAD"), undefined),
    ],
    ["a method in small letters", () => calling(real.webhook, "/v1/webhooks/1", "get")],
    ["a fragment in its address", () => calling(real.webhook, "/v1/webhooks/1#top")],
    [
      "a credential that was redacted",
      () => withHeader("request", real.webhook, "authorization", "Bearer ***"),
    ],
  ])("may hold %s", async (_, entry) => {
    expect(await audited(entry())).toEqual({
      servers: [service.url],
      entries: { ...none, described: 1 },
      findings: [],
      unjudged: {},
    });
  });

  it("is decompressed before it is judged", async () => {
    const body = Buffer.from(JSON.stringify({ status: true, data: {} }));
    const entry = withHeader("response", real.webhook, "content-encoding", "br");
    const faulty = plain(entry, brotliCompressSync(body).toString("base64"), { encoding: "base64" });
    expect((await audited(faulty)).findings.map(found)).toEqual(["answer body /data/webhook is required"]);
  });

  it.each<[string, () => unknown, object]>([
    [
      "the content of a GET, which many recorders leave out",
      () => {
        const { postData, ...request } = real.submission.request;
        return { ...real.submission, request };
      },
      { "the content of the request was not recorded": [0] },
    ],
    [
      "the content of a request that only its size tells of",
      () => unsent(real.login, { bodySize: 125 }),
      { "the content of the request was not recorded": [0] },
    ],
    [
      "the content of a request that only Content-Length tells of",
      () => unsent(real.login, { bodySize: -1 }, { name: "Content-Length", value: "125" }),
      { "the content of the request was not recorded": [0] },
    ],
    [
      "the content of a request that only Transfer-Encoding tells of",
      () => unsent(real.login, { bodySize: -1 }, { name: "Transfer-Encoding", value: "chunked" }),
      { "the content of the request was not recorded": [0] },
    ],
    [
      "the content of an answer",
      () => plain(real.webhook, undefined, { size: 102 }),
      { "the content of the answer was not recorded": [0] },
    ],
    [
      "what was redacted",
      () => {
        const user = { ...plainUser, uuid: "a", password: "[REDACTED]", token: "[REDACTED]" };
        return asking(real.login, JSON.stringify({ user }));
      },
      { "values were redacted": [0] },
    ],
    [
      "a header that was redacted",
      () => withHeader("response", real.webhook, "cache-control", "[redacted]"),
      { "values were redacted": [0] },
    ],
    [
      "content that is null",
      () => ({ ...real.webhook, response: { ...real.webhook.response, content: null } }),
      { "the content of the answer was not recorded": [0] },
    ],
    [
      "text that is null",
      () => plain(real.webhook, null),
      { "the content of the answer was not recorded": [0] },
    ],
    [
      "credentials where it has none, as browsers export it",
      () => withHeader("request", real.webhook, "authorization"),
      { "no request of the recording has a credential": [0] },
    ],
  ])("says that it cannot be judged by %s", async (_, entry, unjudged) => {
    const result = await audited(entry());
    expect(result).toEqual({
      servers: [service.url],
      entries: { ...none, described: 1 },
      findings: [],
      unjudged,
    });
  });

  it("may hold a form by its fields alone", async () => {
    const mimeType = "application/x-www-form-urlencoded; charset=utf-8";
    const params = [{ name: "a", value: "1 &" }, { name: "b" }];
    const { request } = withHeader("request", real.login, "content-type");
    const file = await fileOf(
      harOf([{ ...real.login, request: { ...request, postData: { mimeType, params } } }]),
    );
    const [exchange] = await readHar(file);
    expect(Buffer.from(exchange?.request.content ?? []).toString()).toBe("a=1+%26&b=");
    expect(exchange?.request.headers).toContainEqual(["content-type", mimeType]);
  });

  it("is still judged by its headers where content was not recorded", async () => {
    const entry = withHeader(
      "response",
      plain(real.webhook, undefined, { size: 9 }) as HarEntry,
      "x-request-id",
    );
    expect((await audited(entry)).findings.map(found)).toEqual(["answer header /X-Request-Id is required"]);
  });

  it.each([0, -1])("may hold what was aborted, as status %i, which is counted", async (status) => {
    expect((await audited(real.login, answeredBy(real.webhook, status))).entries).toEqual({
      ...none,
      described: 1,
      unanswered: 1,
    });
  });

  it("of other servers is counted by origin, and judged by no spec", async () => {
    const elsewhere = (url: string) => ({ ...real.webhook, request: { ...real.webhook.request, url } });
    const others = [
      "https://cdn.example/a.js",
      "https://cdn.example/b.js",
      "data:,x",
      `${service.url.replace("127.0.0.1", "localhost")}/x`,
    ];
    expect((await audited(real.login, ...others.map(elsewhere))).entries).toEqual({
      ...none,
      described: 1,
      others: { "https://cdn.example": 2, "data:": 1, [service.url.replace("127.0.0.1", "localhost")]: 1 },
    });
  });

  it("of a preflight for what is no operation is no preflight", async () => {
    const preflight = withHeader(
      "request",
      calling(real.webhook, "/v1/hooks", "OPTIONS"),
      "access-control-request-method",
      "GET",
    );
    expect((await audited(real.login, answeredBy(preflight, 204))).findings.map(found)).toEqual([
      "request address  is not that of an operation",
    ]);
  });
});

describe("a report", () => {
  it.each([[[]], [["--json"]]])("gives no secret away: %j", async (options) => {
    const { secretKey } = service.acme;
    const { key } = (jsonOf(real.login) as { data: { user: { key: Record<string, string> } } }).data.user;
    const entries = [
      calling(real.webhook, `/v1/${secretKey}?code=hunter2hunter2`),
      calling(real.login, `/v1/${rightPassword}`, "POST"),
      withHeader("request", calling(real.webhook, "/v1/chocolate"), "cookie", "a=b; sid=chocolate"),
      answering(real.login, { ...jsonOf(real.login), [key.auth_key ?? ""]: 1, [secretKey]: 1 }),
    ];
    const file = await fileOf(harOf(entries));
    const { status, stdout, stderr } = await command([file, "--server", service.url, ...options]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(stdout).toContain("[redacted]");
    const secrets = [
      secretKey,
      "hunter2",
      "chocolate",
      rightPassword,
      encodeURI(rightPassword),
      ...Object.values(key),
    ];
    expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
  });

  it("tells a fault of many items of a list once", () => {
    const finding = (entry: number, pointer: string): AuditFinding => ({
      entry,
      time: "2026-01-01T00:00:00.000Z",
      method: "GET",
      url: "https://a.example/things",
      operationId: "listThings",
      status: 200,
      side: "answer",
      in: "body",
      pointer,
      message: "is required",
      remedy: "Mend it.",
      spec: "/paths",
    });
    const findings = [finding(0, "/0/id"), finding(0, "/17/id"), finding(2, "/0/id"), finding(2, "/0/name")];
    const entries = { ...none, undescribed: 2 };
    const report = terminalReport(
      "a.har",
      { servers: ["https://a.example"], entries, findings, unjudged: {} },
      false,
      (pointer) => `things.yaml:7:3${pointer}`,
    );
    expect(report.split("\n")).toEqual([
      "GET https://a.example/things (listThings) answered 200",
      "  answer   /0/id: is required",
      "           Mend it. things.yaml:7:3/paths",
      "           entries 0, 2, first at 2026-01-01T00:00:00.000Z",
      "  answer   /0/name: is required",
      "           Mend it. things.yaml:7:3/paths",
      "           entry 2, first at 2026-01-01T00:00:00.000Z",
      "",
      "a.har, https://a.example: 0 described; 2 not described",
      "",
    ]);
  });

  it("lets no recording move the cursor", async () => {
    const file = await fileOf(harOf([answering(real.webhook, { ...jsonOf(real.webhook), "\u001b[2J": 1 })]));
    const { stdout } = await command([file, "--server", service.url]);
    expect(stdout).toContain("/\\u001b[2J: is not declared");
    expect(stdout).not.toContain("\u001b");
  });
});

describe("another spec", () => {
  const spec = "scripts/generate/fixtures/real/museum/openapi.yaml";
  const entry = (url: string, body: unknown) => ({
    startedDateTime: "2026-01-01T00:00:00.000Z",
    request: { method: "GET", url, headers: [{ name: "authorization", value: "Basic eA==" }], bodySize: 0 },
    response: {
      status: 200,
      headers: [{ name: "content-type", value: "application/json" }],
      content: { text: JSON.stringify(body) },
    },
  });

  it("is judged by in the same way, at the servers that it names", async () => {
    const hours = { date: "2026-09-11", timeOpen: "09:00", timeClose: "18:00" };
    const address = "https://redocly.com/_mock/docs/openapi/museum-api/museum-hours";
    const file = await fileOf(
      harOf([
        entry(`${address}?page=1`, [hours]),
        entry(`${address}?page=x`, [hours, { ...hours, date: 1, guide: "Asha" }]),
        entry(`${address}?page=***`, [hours]),
        entry("https://redocly.com/", {}),
      ]),
    );
    const { status, stdout } = await command([file, "--spec", spec, "--json"]);
    const { findings, entries, unjudged } = JSON.parse(stdout);
    expect({ status, found: findings.map(found), entries, unjudged }).toEqual({
      status: 1,
      found: [
        "request query /page must be an integer",
        "answer body /1/date must be a string",
        "answer body /1/guide is not declared",
      ],
      entries: { ...none, described: 2, undescribed: 1, others: { "https://redocly.com": 1 } },
      unjudged: { "values were redacted": [2] },
    });
  });

  it.each([
    ["query", "?api_key=k-1", {}],
    ["header", "", { name: "Api_Key", value: "k-1" }],
    ["cookie", "", { name: "Cookie", value: "a=b; api_key=k-1" }],
  ] as const)("may take its credential from the %s", async (place, query, header) => {
    const keyed: Contract = {
      operations: {
        listThings: {
          method: "GET",
          path: "/things",
          security: [[{ scheme: "key", roles: [], sent: { in: place, name: "api_key" } }]],
          parameters: [],
          responses: { 200: { headers: [], mediaTypes: { "application/json": {} } } },
        },
      },
      unmatched: {},
      sensitive: [],
    };
    const bare = entry("https://things.example/things", []);
    const without = { ...bare, request: { ...bare.request, headers: [] } };
    const request = {
      ...without.request,
      url: `${without.request.url}${query}`,
      headers: "name" in header ? [header] : [],
    };
    const file = await fileOf(harOf([{ ...without, request }, without]));
    const { findings, unjudged } = await audit(keyed, ["https://things.example"], await readHar(file));
    expect({
      findings: findings.map((each) => [each.entry, found(each)]),
      unjudged,
    }).toEqual({
      findings: [[1, "request credential  is required"]],
      unjudged: {},
    });
  });
});

describe("the servers", () => {
  it("of a spec are its own, with the defaults of their variables", () => {
    const variables = { host: { default: "a.example" }, port: { default: "8443" } };
    const servers = [
      { url: "https://{host}:{port}/v1/", variables },
      { url: "/relative" },
      { url: "http://b" },
    ];
    expect(serversOf({ servers })).toEqual(["https://a.example:8443/v1", "http://b"]);
  });

  it.each([
    ["https://a.example/v1", "/"],
    ["https://a.example/v1/", "/"],
    ["https://a.example:443/v1/things?x=1#top", "/things?x=1"],
    ["https://a.example/v1/admin/x", "/x"],
    ["https://a.example/v10/things", undefined],
    ["https://a.example/", undefined],
    ["http://a.example/v1/things", undefined],
    ["https://b.example/v1/things", undefined],
  ])("are what is called by %s: %s", (url, target) => {
    const servers = ["https://a.example/v1", "https://a.example/v1/admin"];
    expect(targetBelow(servers, new URL(url))).toBe(target);
  });
});

describe("bad input", () => {
  const chromium = "scripts/audit/fixtures/chromium-login.har";
  it.each<[string, string[], string]>([
    ["no recording", [], "name one recording; see npm run audit -- --help\n"],
    ["two recordings", ["a", "b"], "name one recording; see npm run audit -- --help\n"],
    ["a missing file", ["nowhere.har"], "nowhere.har  no such file; name a HAR file\nNothing was judged.\n"],
    ["a folder", ["docs"], "docs  is a folder; name a HAR file\nNothing was judged.\n"],
    [
      "an unknown option",
      ["a", "--servers", "x"],
      "Unknown option '--servers'; see npm run audit -- --help\n",
    ],
    [
      "a server that is no address",
      ["a", "--server", "localhost"],
      '--server must be a URL such as https://api.example, not "localhost"; see npm run audit -- --help\n',
    ],
    [
      "a missing spec",
      [chromium, "--spec", "nowhere.yaml"],
      "nowhere.yaml  no such file; name the spec with --spec FILE\nNothing was judged.\n",
    ],
    [
      "a spec with a fault",
      [chromium, "--spec", "scripts/generate/fixtures/reject/info-missing.yaml"],
      "scripts/generate/fixtures/reject/info-missing.yaml:2:1  The field `info` must be present on this level. [struct]\nNothing was judged.\n",
    ],
    [
      "nothing of the server",
      [chromium],
      "no entry is of http://127.0.0.1:3000, but of http://127.0.0.1:4444, http://127.0.0.1:44965; name the server with --server URL\nNothing was judged.\n",
    ],
    [
      "a spec without a server's host",
      [chromium, "--spec", "scripts/generate/fixtures/accept/library.yaml"],
      "the spec names no server with its host; name the server with --server URL\nNothing was judged.\n",
    ],
  ])("is told in one line: %s", async (_, args, stderr) => {
    expect(await command(args)).toEqual({ status: 2, stdout: "", stderr });
  });

  it.each<[string, string | Uint8Array, string]>([
    ["no JSON", '{"password":"hunter2"', "  is not JSON"],
    ["no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), "  is not JSON"],
    [
      "a ZIP archive",
      "PK\u0003\u0004hunter2",
      '  is a ZIP archive, and not HAR itself; record again into a .har file that holds content too (Playwright: content: "embed")',
    ],
    ["no HAR", "{}", "  /log/entries  is no list; this is no HAR (1.2), export one"],
    ["no entries", harOf([]), "  /log/entries  is empty: nothing was recorded"],
    ["no request", harOf([{}]), "  /log/entries/0/request  must be an object"],
    [
      "a relative address",
      harOf([{ request: { method: "GET", url: "/v1" } }]),
      "  /log/entries/0/request/url  must be an absolute URL",
    ],
    [
      "headers that are none",
      harOf([
        {
          request: { method: "GET", url: "http://a/", headers: [{ name: 1 }] },
          response: { status: 200, headers: [] },
        },
      ]),
      "  /log/entries/0/request/headers/0  must have a name and a value",
    ],
    [
      "many faults, of which it names the first",
      harOf(Array(12).fill(7)),
      `${Array.from({ length: 10 }, (_, index) => `  /log/entries/${index}  must be an object`).join("\n")}\n  2 more`,
    ],
  ])("is told with its place, and quotes nothing: %s", async (_, content, message) => {
    const file = await fileOf(content);
    const lines = message.split("\n").map((line) => `${file}${line}`);
    const error = await readHar(file).then(
      () => undefined,
      (thrown: Error) => thrown.message,
    );
    expect(error?.replace(/(is not JSON).*$/, "$1")).toBe(lines.join("\n"));
    expect(error).not.toContain("hunter2");
  });

  it("is told before it is read, where it is larger than can be", async () => {
    const file = join(folder, "large.har");
    const handle = await open(file, "w");
    await handle.truncate(maxBytes + 1);
    await handle.close();
    await expect(readHar(file)).rejects.toThrow(
      `${file}  is 420 MB, and 420 MB is the most that is read; record less at once`,
    );
  });
});
