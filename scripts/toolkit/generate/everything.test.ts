/** Tests the server's binding with the contract of a document that uses every way to write a value. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Hono } from "hono";
import { beforeAll, describe, expect, it } from "vitest";
import type { Contract, OperationDescription } from "#specbind/contract";
import { writePath, writeQuery } from "../../../client/runtime/parts/parameters.ts";
import { bindContract } from "../../../server/runtime/contract/bind.ts";
import type { PlainResponse, ResponseProblem } from "../../../server/runtime/contract/response.ts";
import { type ContractEnv, serveContract } from "../../../server/runtime/http/hono.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { generate } from "./pipeline.ts";

const folder = temporaryFolder();
let contract: Contract;
let operations: { readonly [id: string]: OperationDescription };
let secretKeyPrefixes: readonly string[];
beforeAll(async () => {
  const files = await generate("scripts/toolkit/generate/fixtures/accept/everything.yaml");
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  ({ contract } = await import(/* @vite-ignore */ join(folder, "contract.ts")));
  ({ operations, secretKeyPrefixes } = await import(/* @vite-ignore */ join(folder, "operations.ts")));
});

/** Handlers return `given`, or else the request that they received. */
function server(given?: PlainResponse) {
  const app = new Hono<ContractEnv>();
  const violations: unknown[] = [];
  const echo = async (request: Record<string, unknown>): Promise<PlainResponse> =>
    given ?? { status: 200, body: await shown(request) };
  const contracted = bindContract<undefined>({
    contract,
    handlers: Object.fromEntries(Object.keys(contract.operations).map((id) => [id, echo])),
    authenticate: Object.fromEntries(
      ["gate", "key", "card", "door", "desk", "accounts"].map((scheme) => [scheme, async () => undefined]),
    ),
    reject: (detail) => ({ status: detail.reason === "media_type_unsupported" ? 415 : 422, body: detail }),
    fail: (error) => ({ status: 500, body: String(error) }),
    requestIdOf: () => "r",
    onViolation: ({ problems }) => void violations.push(problems),
    responsePolicy: given === undefined ? "report" : "enforce",
    maxContentBytes: 10_000,
  });
  serveContract(app, contracted);
  return { app, violations };
}

/** Shows files and bytes as JSON. */
async function shown(value: unknown): Promise<unknown> {
  if (value instanceof Uint8Array) return { bytes: [...value] };
  if (value instanceof Blob) return { file: await value.text(), type: value.type };
  if (Array.isArray(value)) return Promise.all(value.map(shown));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([key, item]) => [key, await shown(item)] as const)),
  );
}

async function ask(path: string, init?: RequestInit): Promise<Record<string, unknown>> {
  return (await (await server().app.request(path, init)).json()) as Record<string, unknown>;
}

describe("path parameters", () => {
  it("without the prefix that their style requires are rejected, and the error names them", async () => {
    expect((await ask("/paths/x/1,b/1.5/.3/5/;x=1;z=2/a...b")).problems).toEqual([
      { in: "path", pointer: "/simple", message: "must be an integer" },
      { in: "path", pointer: "/list/1", message: "must be an integer" },
      { in: "path", pointer: "/label", message: "must be written in style label" },
      { in: "path", pointer: "/matrix", message: "must be written in style matrix" },
      { in: "path", pointer: "/object/z", message: "is not a known property" },
    ]);
  });

  it("that are not percent-encoded UTF-8 are rejected, and the error names them", async () => {
    expect((await ask("/paths/7/1,2/.1.5/.3.4/;matrix=5,6/;x=1;y=2/a%...%E4")).problems).toEqual([
      { in: "path", pointer: "/from", message: "must be percent-encoded UTF-8" },
      { in: "path", pointer: "/to", message: "must be percent-encoded UTF-8" },
    ]);
  });

  it("and fixed text may contain characters of the router's syntax", async () => {
    const { app } = server({ status: 204 });
    expect((await app.request("/files/*/:cancel", { method: "POST" })).status).toBe(204);
    expect(await ask("/files/a/:cancel", { method: "POST" })).toMatchObject({ path: { name: "a" } });
    expect((await app.request("/files/a/b/c", { method: "POST" })).status).toBe(422);
  });
});

describe("query parameters", () => {
  it.each<[query: string, want: Record<string, unknown>]>([
    ["", {}],
    ["names=a,b%2Cc,d+e", { names: ["a", "b,c", "d e"] }],
    ["names=", { names: [] }],
    ["spaced=1%202+3", { spaced: [1, 2, 3] }],
    ["piped=1|2%7C3", { piped: [1, 2, 3] }],
    ["deep[name]=n&deep%5Bsize%5D%5Bmax%5D=2", { deep: { name: "n", size: { max: 2 } } }],
    ["deep[tags][]=a&deep[tags][]=b", { deep: { tags: ["a", "b"] } }],
    ["x=1", { point: { x: 1, y: 0 } }],
    ["either=1", { either: 1 }],
    ["either=true", { either: true }],
    ["none=", { none: null }],
    ["any=1", { any: "1" }],
    ["empty=", { empty: "" }],
  ])("%s", async (query, want) => {
    expect((await ask(`/query?${query}`)).query).toEqual({ ids: [1], ...want });
  });

  it.each<[query: string, pointer: string, message: string]>([
    ["ids=1&ids=a", "/ids/1", "must be an integer"],
    ["names=a&names=b", "/names", "must be given once"],
    ["flat=x,1,y", "/flat", "must alternate names and values"],
    ["x=a", "/point/x", "must be an integer"],
    ["x=1&x=2", "/point", "x must be given once"],
    ["json={", "/json", "must be JSON"],
    ['json={"name":"\\ud800"}', "/json", "must be Unicode text"],
    [`deep${"[a]".repeat(33)}=1`, "/deep", "must not be nested more than 32 levels deep"],
    ["either=a", "/either", "must be a boolean, a number or an array"],
    ["names=a,%zz", "/names", "must be percent-encoded UTF-8"],
    ["undeclared=%", "/undeclared", "must be percent-encoded UTF-8"],
    ["%=1", "/%", "must be percent-encoded UTF-8"],
  ])("%s is rejected", async (query, pointer, message) => {
    const { problems } = await ask(`/query?${query}`);
    expect(problems).toEqual([{ in: "query", pointer, message }]);
  });

  it("with the name `__proto__` do not change a prototype", async () => {
    const { query } = await ask("/query?deep[__proto__][min]=1&deep[name]=n");
    expect(Object.keys(query as object)).toEqual(["ids", "deep"]);
    expect(({} as { min?: unknown }).min).toBeUndefined();
  });
});

describe("what the client writes", () => {
  it("is read by the server with the same values, in every style, even several in one path segment", async () => {
    const { readQuery, readPath } = operations;
    const query = {
      ids: [1, 2],
      names: ["a,b", "c d"],
      spaced: [1, 2],
      piped: [3, 4],
      deep: { name: "n&=", size: { min: 1 }, tags: ["a", "b"] },
      flat: { x: 1, y: 2 },
      point: { x: 3, y: 4 },
      json: { size: { max: 2 } },
      either: [1, 2],
      any: "+%",
    };
    expect((await ask(`/query?${writeQuery(readQuery?.parameters ?? [], query)}`)).query).toEqual(query);
    const path = {
      simple: 7,
      list: [1, 2],
      label: 1.5,
      labels: [3, 4],
      matrix: [5, 6],
      object: { x: 1, y: 2 },
      from: "a/b",
      to: "c,d",
    };
    const { parameters = [], path: template = "" } = readPath ?? {};
    expect((await ask(writePath(template, parameters, path))).path).toEqual(path);
  });
});

describe("headers and cookies", () => {
  it("are read in their styles, with defaults filled in, except those that OpenAPI ignores", async () => {
    const ignored = { Authorization: "x" };
    const headers = { "X-Ids": "1, 2", "X-Point": "x=1", Cookie: "sizes=3,4; other=1", ...ignored };
    const { header, cookie } = await ask("/headers", { headers });
    expect({ header, cookie }).toEqual({
      header: { "X-Ids": [1, 2], "X-Point": { x: 1, y: 0 } },
      cookie: { sizes: [3, 4], theme: "dark" },
    });
    expect(operations.readHeaders?.parameters?.map(({ name }) => name)).not.toContain("authorization");
  });

  it("are rejected if they are invalid, and the error names them", async () => {
    const headers = { "X-Ids": "1;2", "X-Point": "x", Cookie: "sizes=a; theme=red" };
    expect((await ask("/headers", { headers })).problems).toEqual([
      { in: "header", pointer: "/X-Ids/0", message: "must be an integer" },
      { in: "header", pointer: "/X-Point", message: "must be written as name=value" },
      { in: "cookie", pointer: "/sizes/0", message: "must be an integer" },
      { in: "cookie", pointer: "/theme", message: 'must be one of "dark", "light"' },
    ]);
  });
});

describe("credentials", () => {
  it("are read from the place that the spec's schemes define", () => {
    expect(contract.operations.readSecrets?.security).toEqual([
      [
        { scheme: "gate", roles: [], credential: "certificate" },
        { scheme: "key", roles: [], credential: { in: "header", name: "X-Key" } },
      ],
      [
        { scheme: "key", roles: [], credential: { in: "header", name: "X-Key" } },
        { scheme: "card", roles: ["reader"] },
      ],
      [{ scheme: "door", roles: [], credential: { in: "cookie", name: "door" } }],
      [{ scheme: "desk", roles: [], credential: "basic" }],
      [{ scheme: "accounts", roles: ["read"] }],
      [],
    ]);
  });

  it("are secret if they have the prefix that their scheme defines", () => {
    expect(secretKeyPrefixes).toEqual(["card_"]);
  });
});

describe("content", () => {
  const point = { x: 1, y: 0 };
  const post = (contentType: string | undefined, body: BodyInit) =>
    ask("/contents", {
      method: "POST",
      body,
      ...(contentType !== undefined && { headers: { "Content-Type": contentType } }),
    });

  it.each<[contentType: string, body: string, want: unknown]>([
    ["application/json", '{"name":"n"}', { name: "n" }],
    ["application/vnd.point+json; charset=utf-8", '{"x":1}', point],
    [
      "application/x-www-form-urlencoded",
      "name=a+b&numbers=1,2&point=%7B%22x%22%3A1%7D&points=%7B%22x%22%3A1%7D&points=%7B%22x%22%3A2%7D",
      { name: "a b", numbers: [1, 2], point, points: [point, { x: 2, y: 0 }], agreed: false },
    ],
    ["text/plain", "ä", "ä"],
    ["application/octet-stream", "abc", { bytes: [97, 98, 99] }],
    ["image/gif", "abcdef", { bytes: [97, 98, 99, 100, 101, 102] }],
  ])("of %s is read by its media type", async (contentType, body, want) => {
    expect((await post(contentType, body)).body).toEqual(want);
  });

  it.each<[contentType: string, body: string, pointer: string, message: string]>([
    ["application/json", '{"size":1}', "/size", "must be an object"],
    ["application/x-www-form-urlencoded", "numbers=1,b", "/numbers/1", "must be an integer"],
    ["application/x-www-form-urlencoded", "numbers=1&points=%7B%7D&points=x", "/points", "must be JSON"],
    ["application/x-www-form-urlencoded", "numbers=1&name=%4", "/name", "must be percent-encoded UTF-8"],
    ["text/plain", "abcdef", "", "must be at most 5 characters"],
    ["application/octet-stream", "abcde", "", "must be at most 4 characters"],
  ])("of %s is validated against its schema: %s", async (contentType, body, pointer, message) => {
    expect((await post(contentType, body)).problems).toEqual([{ in: "body", pointer, message }]);
  });

  it("without a schema may have any value", async () => {
    const form = new FormData();
    form.append("name", "n");
    form.append("scan", new File(["png"], "a.png", { type: "image/png" }));
    const bodies: BodyInit[] = ["[1, null]", new URLSearchParams("tags=a&tags=b&size=1"), form];
    const received = bodies.map(async (body) => {
      const headers = typeof body === "string" ? { "Content-Type": "application/json" } : {};
      return (await ask("/anything", { method: "POST", body, headers })).body;
    });
    expect(await Promise.all(received)).toEqual([
      [1, null],
      { tags: ["a", "b"], size: "1" },
      { name: "n", scan: { file: "png", type: "image/png" } },
    ]);
  });

  it("of an empty form is valid, but a missing body is not", async () => {
    const send = (headers: Record<string, string>) => ask("/wishes", { method: "POST", body: "", headers });
    const type = "application/x-www-form-urlencoded";
    expect((await send({ "Content-Type": type })).body).toEqual({ agreed: false });
    expect((await send({ "Content-Type": "text/plain" })).problems).toEqual([
      { in: "body", pointer: "", message: "is required" },
    ]);
  });

  it("of several parts is read as files, lists, JSON and typed values", async () => {
    const form = new FormData();
    form.append("image", new File(["png"], "a.png", { type: "image/png" }));
    for (const page of ["1", "2"]) form.append("pages", new File([page], page));
    form.append("point", '{"x":1}');
    form.append("notes", "one");
    form.append("raw", new Blob(["any"]));
    const { requestBody } = contract.operations.readContent ?? {};
    expect(requestBody?.mediaTypes["multipart/form-data"]?.fields?.raw?.mediaType).toBe(
      "application/octet-stream",
    );
    expect((await post(undefined, form)).body).toEqual({
      image: { file: "png", type: "image/png" },
      pages: ["1", "2"].map((file) => ({ file, type: "application/octet-stream" })),
      point,
      notes: ["one"],
      raw: { file: "any", type: "application/octet-stream" },
      count: 1,
    });
  });

  it("of several parts is rejected with a problem for each invalid part", async () => {
    const form = new FormData();
    form.append("image", new File(["gif"], "a.gif", { type: "image/gif" }));
    form.append("count", "1");
    form.append("count", "2");
    expect((await post(undefined, form)).problems).toEqual([
      { in: "body", pointer: "/image", message: "must have the media type image/png or image/jpeg" },
      { in: "body", pointer: "/count", message: "must be given once" },
    ]);
    const large = new FormData();
    large.append("image", new File(["123456789"], "a.png", { type: "image/png" }));
    expect((await post(undefined, large)).problems).toEqual([
      { in: "body", pointer: "/image", message: "must be at most 8 characters" },
    ]);
    expect(await post("multipart/form-data; boundary=a", "nonsense")).toEqual({
      reason: "malformed_content",
      problem: "multipart",
    });
  });
});

describe("responses", () => {
  const responseTo = async (given: PlainResponse) => {
    const { app, violations } = server(given);
    const response = await app.request("/answers");
    const type = response.headers.get("content-type");
    return { status: response.status, type, text: await response.text(), violations };
  };

  it.each<[title: string, given: PlainResponse, type: string | null, text: string]>([
    ["JSON by default", { status: 200, body: { x: 1, z: 2 } }, "application/json", '{"x":1}'],
    [
      "text if the handler sets the media type",
      { status: 200, body: "a,b", headers: { "Content-Type": "text/csv" } },
      "text/csv",
      "a,b",
    ],
    [
      "bytes",
      { status: 200, body: new Uint8Array([97]), headers: { "Content-Type": "application/octet-stream" } },
      "application/octet-stream",
      "a",
    ],
    [
      "those of a status class",
      { status: 409, body: { title: "t" } },
      "application/problem+json",
      '{"title":"t"}',
    ],
    ["those of `default`", { status: 503, body: "later" }, "text/plain", "later"],
  ])("are %s", async (_title, given, type, text) => {
    expect(await responseTo(given)).toEqual({ status: given.status, type, text, violations: [] });
  });

  it.each<[title: string, given: PlainResponse, problem: ResponseProblem]>([
    [
      "that violate the schema of a status class",
      { status: 409, body: {} },
      { in: "body", pointer: "/title", message: "is required" },
    ],
    [
      "with an undocumented body",
      { status: 204, body: 1 },
      { in: "body", pointer: "", message: "is not documented" },
    ],
    [
      "of another media type",
      { status: 200, body: "x", headers: { "Content-Type": "text/html" } },
      { in: "header", pointer: "/Content-Type", message: "is not a documented media type" },
    ],
    [
      "with a header that violates its schema",
      { status: 200, body: { x: 1 }, headers: { "X-Sizes": "1,b" } },
      { in: "header", pointer: "/X-Sizes/1", message: "must be an integer" },
    ],
  ])("%s become a 500", async (_title, given, problem) => {
    const { status, violations } = await responseTo(given);
    expect({ status, violations }).toEqual({ status: 422, violations: [[problem]] });
  });
});
