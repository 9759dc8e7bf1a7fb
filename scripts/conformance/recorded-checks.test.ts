/** Findings in a HAR recording, and notes about what was not recorded. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../openapi/document.ts";
import { loadSpec } from "../openapi/load.ts";
import { readHar } from "./har.ts";
import { checkRecording } from "./recorded-checks.ts";

let folder: string;
let notes: JsonObject;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorded-checks-"));
  notes = (await loadSpec("scripts/conformance/fixtures/notes.yaml")).document;
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(content: string | Uint8Array): Promise<string> {
  const file = join(await mkdtemp(join(folder, "har-")), "traffic.har");
  await writeFile(file, content);
  return file;
}

const api = "https://notes.example/v1";
type Headers = Readonly<Record<string, string>>;
const listOf = (headers: Headers) => Object.entries(headers).map(([name, value]) => ({ name, value }));
const authorization = "Bearer k-secret";
const type = "application/json";

/** A HAR entry as a browser writes it: creates a note. */
function entry({
  method = "POST",
  url = `${api}/notes`,
  headers = { authorization } as Headers,
  body = '{"text":"Buy milk."}' as string | null,
  status = 201,
  received = { "Content-Type": type } as Headers,
  content = { text: '{"id":1}' } as object | null,
  bodySize = -1,
} = {}) {
  const postData = body === null ? null : { mimeType: type, text: body };
  return {
    request: { method, url, headers: listOf(headers), postData, bodySize },
    response: { status, headers: listOf(received), content, bodySize: -1 },
  };
}

const get = {
  method: "GET",
  url: `${api}/notes/1`,
  headers: { authorization, "X-Tenant": "acme" },
  body: null,
};
const found = {
  status: 200,
  received: { "content-type": type, "x-count": "1" },
  content: { text: '["Buy milk."]' },
};

async function checked(...entries: unknown[]) {
  const recording = await readHar(await fileOf(JSON.stringify({ log: { entries } })));
  const { results, notes: noted } = checkRecording(notes, [], recording);
  return { found: results.flatMap(({ findings }) => findings.map(({ message }) => message)), noted };
}

it("of requests and responses that the document describes, and of rejected requests, has no finding", async () => {
  const rejected = { status: 422, received: {}, content: { size: 0, text: "" } };
  expect(await checked(entry(), entry({ ...get, ...found }), entry({ body: "{}", ...rejected }))).toEqual({
    found: [],
    noted: [],
  });
});

describe("a finding", () => {
  it.each<[string, ReturnType<typeof entry>, string[]]>([
    [
      "an unknown path that was served",
      entry({ url: `${api}/hooks` }),
      ["was accepted with 201, although path is not documented"],
    ],
    [
      "a response without a required header",
      entry({ ...get, ...found, received: { "content-type": type } }),
      ["response 200: header /X-Count is required"],
    ],
    [
      "a response body that breaks its schema, at each place",
      entry({ content: { text: '{"more":1}' } }),
      ["response 201: body /id is required", "response 201: body /more is not a known property"],
    ],
    [
      "a request that breaks its schema and was accepted, at each place",
      entry({ body: '{"text":1,"pin":"1"}' }),
      [
        "was accepted with 201, although body /text violates `type: string`",
        "was accepted with 201, although body /pin violates `minLength: 4`",
      ],
    ],
    [
      "a request without its credential that was accepted",
      entry({ headers: {} }),
      ["was accepted with 201, although credential is required"],
    ],
    [
      "a body that is still compressed",
      entry({
        received: { "content-type": type, "content-encoding": "br" },
        content: { text: brotliCompressSync('{"id":"1"}').toString("base64"), encoding: "base64" },
      }),
      ["response 201: body /id violates `type: integer`"],
    ],
  ])("is %s", async (_, wrong, messages) => {
    expect(await checked(entry(), wrong)).toEqual({ found: messages, noted: [] });
  });

  it("names its entry, and hides secrets and queries", async () => {
    const url = `${api}/notes/hunter2?code=chocolate`;
    const headers = { authorization, cookie: "a=b; sid=hunter2" };
    const text = '{"id":1,"k-secret":1,"123456":1}';
    const entries = [
      entry(),
      entry({ ...get, url, headers }),
      entry({ body: '{"text":"a","pin":"123456"}', content: { text } }),
    ];
    const recording = await readHar(await fileOf(JSON.stringify({ log: { entries } })));
    const { results } = checkRecording(notes, [api], recording);
    expect(
      results.flatMap(({ findings }) => findings.map(({ request, message }) => `${request}: ${message}`)),
    ).toEqual([
      "entry 2: POST https://notes.example/v1/notes: response 201: body /[redacted] is not a known property",
      "entry 2: POST https://notes.example/v1/notes: response 201: body /[redacted] is not a known property",
      "entry 1: GET https://notes.example/v1/notes/[redacted]: was accepted with 201, although path /id violates `type: integer`",
      "entry 1: GET https://notes.example/v1/notes/[redacted]: was accepted with 201, although header /X-Tenant is required",
      "entry 1: GET https://notes.example/v1/notes/[redacted]: response 201: status 201 is not documented",
    ]);
  });
});

describe("a note", () => {
  const gzipped = { text: gzipSync('{"id":1}').toString("base64"), encoding: "base64" };
  it.each<[string, ReturnType<typeof entry>, string[]]>([
    [
      "nothing, for a body that was decompressed although its header says otherwise",
      entry({ received: { "content-type": type, "content-encoding": "br" } }),
      [],
    ],
    [
      "nothing, for a body that is still compressed",
      entry({ received: { "content-type": type, "content-encoding": "gzip" }, content: gzipped }),
      [],
    ],
    ["nothing, for the pseudo headers of HTTP/2", entry({ headers: { authorization, ":path": "/" } }), []],
    [
      "a request body of which only the size is known",
      entry({ body: null, bodySize: 20 }),
      ["request body that was not recorded ×1"],
    ],
    [
      "a request body of which only Content-Length is known",
      entry({ body: null, headers: { authorization, "Content-Length": "20" } }),
      ["request body that was not recorded ×1"],
    ],
    [
      "a response body that was not recorded",
      entry({ content: { size: 8 } }),
      ["response body that was not recorded ×1"],
    ],
    [
      "a value that was redacted",
      entry({ body: '{"text":"a","pin":"***"}' }),
      ["value that was redacted ×1"],
    ],
    ["a request that was aborted", entry({ status: 0 }), ["entry without a response ×1"]],
    ["an entry of another server", entry({ url: "https://cdn.example/a.js" }), ["entry of cdn.example ×1"]],
    [
      "a preflight",
      entry({
        method: "OPTIONS",
        headers: { "Access-Control-Request-Method": "POST" },
        body: null,
        status: 204,
      }),
      ["CORS preflight request ×1"],
    ],
  ])("counts %s", async (_, recorded, noted) => {
    expect(await checked(entry(), recorded)).toEqual({
      found: [],
      noted: noted.map((each) => `not checked: ${each}`),
    });
  });

  it("counts credentials if the recording holds none, as browsers export it", async () => {
    expect(await checked(entry({ headers: {} }), entry({ headers: {} }))).toEqual({
      found: [],
      noted: ["not checked: credential, because the recording holds none ×2"],
    });
  });
});

it.each<[string, string | Uint8Array, string]>([
  ["not JSON", '{"password":"hunter2"', "is not JSON of at most 512 MB; export the recording as HAR again"],
  [
    "not UTF-8",
    new Uint8Array([0x7b, 0xff, 0x7d]),
    "is not JSON of at most 512 MB; export the recording as HAR again",
  ],
  [
    "a ZIP archive",
    "PK\u0003\u0004hunter2",
    'is a ZIP archive; record a .har file (Playwright: content: "embed")',
  ],
  ["not HAR", "{}", "has no list /log/entries, so it is not HAR 1.2; export it again"],
  ["empty", '{"log":{"entries":[]}}', "has no entries: nothing was recorded"],
  [
    "broken in an entry",
    JSON.stringify({ log: { entries: [entry(), { request: { url: "hunter2" }, response: {} }] } }),
    "/log/entries/1 is not a HAR entry with a request and a response; export it again",
  ],
])("a file that is %s is rejected, and not quoted", async (_, content, message) => {
  const file = await fileOf(content);
  await expect(readHar(file)).rejects.toThrow(new Error(`${file}  ${message}`));
});
