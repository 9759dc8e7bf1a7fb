import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { Json } from "../../openapi/document.ts";
import { sampleValue } from "../model/sample-value.ts";
import { clientCall } from "./client-call.ts";
import { curlSample } from "./http-samples.ts";
import { type SampleInput, type SampleRequest, sampleRequest } from "./sample-request.ts";

const request: SampleInput = {
  method: "GET",
  baseUrl: "http://a.test/",
  path: "/x",
  parameters: [],
  security: [],
  body: undefined,
};

/** The words that a shell passes to `curl`. */
async function wordsOf(part: Partial<SampleInput>): Promise<string[]> {
  const written = curlSample(sampleRequest({ ...request, ...part }) as SampleRequest);
  const script = `curl() { printf '%s\\0' "$@"; }\n${written}`;
  const env = { PATH: process.env.PATH, API_KEY: "sk_'x", USERNAME: "me", PASSWORD: "p w" };
  const { stdout } = await promisify(execFile)("sh", ["-c", script], { env });
  return stdout.split("\0").slice(0, -1);
}

const nasty = `'; touch /tmp/x; $(id) \`id\` "\\ \n & ?#%`;

describe("a curl command", () => {
  it("is not changed by special characters in values", async () => {
    const words = await wordsOf({
      path: "/x/{id}",
      parameters: [
        { in: "path", name: "id", value: nasty },
        { in: "query", name: "q'", value: nasty },
        { in: "header", name: "X-A", value: "it's $HOME" },
        { in: "cookie", name: "c", value: "it's" },
      ],
      security: [{ credential: "bearer" }],
      body: { mediaType: "application/json", value: { nasty } },
    });
    const url = `http://a.test/x/${encodeURIComponent(nasty)}?q'=${encodeURIComponent(nasty)}`;
    const data = JSON.stringify({ nasty }, null, 2);
    expect(words).toEqual(
      ["-X", "GET", url, "-H", "Authorization: Bearer sk_'x", "-H", "X-A: it's $HOME", "-b", "c=it's"].concat(
        ["-H", "Content-Type: application/json", "-d", data],
      ),
    );
  });

  it.each<[string, Partial<SampleInput["parameters"][number]>, Json, string]>([
    ["a list", {}, ["a", "b c"], "?q=a&q=b%20c"],
    ["a list with pipes", { style: "pipeDelimited" }, ["a", "b"], "?q=a%7Cb"],
    ["an object", {}, { a: 1, b: true }, "?a=1&b=true"],
    ["an object in one value", { explode: false }, { a: 1, b: true }, "?q=a,1,b,true"],
    ["a deep object", { style: "deepObject", explode: true }, { a: 1 }, "?q%5Ba%5D=1"],
    ["JSON", { mediaType: "application/json" }, { a: 1 }, "?q=%7B%22a%22%3A1%7D"],
  ])("writes %s in a query as OpenAPI defines it", async (_, part, value, search) => {
    const words = await wordsOf({ parameters: [{ in: "query", name: "q", value, ...part }] });
    expect(words).toEqual(["-X", "GET", `http://a.test/x${search}`]);
  });

  it.each<[SampleInput["security"][number]["credential"], string[]]>([
    ["basic", ["http://a.test/x", "-u", "me:p w"]],
    [{ in: "header", name: "X-Key" }, ["http://a.test/x", "-H", "X-Key: sk_'x"]],
    [{ in: "cookie", name: "key" }, ["http://a.test/x", "-b", "key=sk_'x"]],
    [{ in: "query", name: "key" }, ["http://a.test/x?key=sk_'x"]],
  ])("sends a credential by %j", async (credential, words) => {
    expect(await wordsOf({ security: [{ credential }] })).toEqual(["-X", "GET", ...words]);
  });

  it("sends a text that begins with @ instead of the file with this name", async () => {
    const body = { mediaType: "text/plain", value: "@file" };
    expect(await wordsOf({ body })).toEqual([
      "-X",
      "GET",
      "http://a.test/x",
      "-H",
      "Content-Type: text/plain",
      "--data-raw",
      "@file",
    ]);
  });

  it.each<[string, Partial<SampleInput>]>([
    ["a file", { body: { mediaType: "image/png", value: "" } }],
    ["a form with parts", { body: { mediaType: "multipart/form-data", value: {} } }],
    ["a path of the style matrix", { parameters: [{ in: "path", name: "id", style: "matrix", value: "a" }] }],
  ])("does not exist for %s", (_, part) => {
    expect(sampleRequest({ ...request, ...part })).toBeUndefined();
  });
});

describe("a call of the client", () => {
  it("escapes quotes and line ends in values, and the name `__proto__`", () => {
    const body = JSON.parse('{"__proto__":{"a":1},"b-c":"\\"\\n\\u2028"}');
    const parameters = [{ in: "path", name: "i d", value: 1 }];
    expect(clientCall({ operationId: "make", parameters, body })).toBe(
      `client.make({\n  params: { path: { "i d": 1 } },\n  body: { ["__proto__"]: { a: 1 }, "b-c": "\\"\\n\u2028" },\n})`,
    );
    expect(clientCall({ operationId: "list", parameters: [], body: undefined })).toBe("client.list()");
  });
});

it("a sample has every required property, even those next to `allOf`, `oneOf` and `$ref`", () => {
  const named = { required: ["name"], properties: { name: { type: "string" } } };
  const schema = {
    $ref: "#/components/schemas/Named",
    allOf: [{ properties: { size: { type: "integer", minimum: 3 } } }],
    oneOf: [{ required: ["kind"], properties: { kind: { const: "a" } } }, { type: "null" }],
    required: ["size", "isNew"],
    properties: { isNew: { type: "boolean" } },
  };
  const sample = sampleValue({ components: { schemas: { Named: named } } }, schema);
  expect(sample).toEqual({ name: "text", size: 3, isNew: true, kind: "a" });
});

it("a sample value has a limited size", () => {
  const names = Array.from({ length: 40 }, (_, index) => `name${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: "#/components/schemas/Wide" }]));
  const document = { components: { schemas: { Wide: { type: "object", required: names, properties } } } };
  const sample = JSON.stringify(sampleValue(document, { $ref: "#/components/schemas/Wide" }));
  expect(sample.length).toBeLessThan(100_000);
});
