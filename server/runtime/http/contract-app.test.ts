import { afterEach, describe, expect, it, vi } from "vitest";
import { type ContractAppOptions, contractApp } from "./contract-app.ts";
import { options } from "./testing/library.ts";

async function ask(path: string, init: RequestInit = {}, change: Partial<ContractAppOptions<string>> = {}) {
  const response = await contractApp({ ...options, requestIdOf: () => "r", ...change }).request(path, init);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const write = (method: string, body: string, headers: Record<string, string> = {}) => ({
  method,
  body,
  headers: { "Content-Type": "application/json", ...headers },
});

afterEach(() => vi.restoreAllMocks());

describe("a contract with only handlers and authenticators", () => {
  const add = (token: string, body = '"Dune"', headers = {}) =>
    ["/books", write("POST", body, { Authorization: `Bearer ${token}`, ...headers })] as const;

  it.each<
    [
      what: string,
      call: readonly [path: string, init?: RequestInit],
      status: number,
      title: string,
      code: string,
      detail: string,
    ]
  >([
    [
      "an unknown path",
      ["/shelves"],
      404,
      "Not Found",
      "route_not_found",
      "No operation has this path. Check the base URL and the path.",
    ],
    [
      "another method",
      ["/books", { method: "DELETE" }],
      405,
      "Method Not Allowed",
      "method_not_allowed",
      "The path does not support this method.",
    ],
    [
      "no credential",
      ["/books", write("POST", "1")],
      401,
      "Unauthorized",
      "credential_missing",
      "Send a credential.",
    ],
    [
      "an invalid credential",
      add("stranger"),
      401,
      "Unauthorized",
      "credential_invalid",
      "The credential is not valid.",
    ],
    [
      "a missing role",
      add("reader"),
      403,
      "Forbidden",
      "role_missing",
      "The credential may not call this operation.",
    ],
    [
      "a long body",
      add("writer", `"${"a".repeat(65_536)}"`),
      413,
      "Content Too Large",
      "content_too_large",
      "The request body is larger than 65536 bytes.",
    ],
    [
      "another media type",
      add("writer", "a", { "Content-Type": "text/plain" }),
      415,
      "Unsupported Media Type",
      "unsupported_media_type",
      "Send the request body as application/json, with this Content-Type.",
    ],
    [
      "malformed JSON",
      add("writer", "{"),
      400,
      "Bad Request",
      "malformed_content",
      "The request body is not valid JSON.",
    ],
  ])("responds to %s with problem details", async (_, [path, init], status, titleOfStatus, code, detail) => {
    const got = await ask(path, init);
    const body = { type: "about:blank", title: titleOfStatus, status, detail, code, request_id: "r" };
    expect([got.status, got.headers.get("content-type"), got.body]).toEqual([
      status,
      "application/problem+json",
      body,
    ]);
  });

  it("names the methods of the path, and the schemes of the document", async () => {
    expect((await ask("/books", { method: "DELETE" })).headers.get("allow")).toBe("GET, HEAD, POST");
    expect((await ask("/books", { method: "POST" })).headers.get("www-authenticate")).toBe(
      'Bearer, Basic realm="api", charset="UTF-8", ApiKey',
    );
  });

  it("lists problems with the status that the operation documents, or else with 400", async () => {
    const problems = [{ in: "body", pointer: "/title", message: "must be a string" }];
    expect(await ask(...add("writer", "1"))).toMatchObject({ status: 400, body: { problems } });
    expect(await ask("/books/1", write("PUT", "1"))).toMatchObject({ status: 422, body: { problems } });
  });

  it("responds to a handler that throws with 500, and logs the error without the request's secrets", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const renameBook = () => {
      throw new Error("no shelf opens with the PIN 4711");
    };
    const handlers = { ...options.handlers, renameBook };
    const got = await ask("/books/1?pin=4711", write("PUT", '"Dune"'), { handlers });
    expect(got).toMatchObject({
      status: 500,
      body: { code: "internal_error", title: "Internal Server Error" },
    });
    expect(log.mock.calls).toEqual([
      ["the request r failed:", expect.stringMatching(/^Error: no shelf opens with the PIN \[redacted\]\n/)],
    ]);
  });

  it("replaces a response that the document does not allow, and logs where it is wrong", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const handlers = { ...options.handlers, listBooks: () => ({ status: 418 }) };
    expect(await ask("/books", {}, { handlers })).toMatchObject({ status: 500 });
    expect(log.mock.calls.flat().join(" ")).toMatch(/listBooks.*is not documented/);
  });
});

it("one function makes the envelope of all errors", async () => {
  const errorEnvelope: ContractAppOptions<string>["errorEnvelope"] = ({ status, message }) => ({
    status,
    body: { wrong: message },
  });
  expect(await ask("/shelves", {}, { errorEnvelope })).toMatchObject({
    status: 404,
    body: { wrong: "No operation has this path. Check the base URL and the path." },
  });
});

it("operations are also served below the base path, but resources only at the root", async () => {
  const resources = {
    "/healthz": () => ({ status: 200, body: '"well"' }),
    "/books": () => ({ status: 200, body: '"of the service"' }),
  };
  const change = { basePath: "/v1", resources };
  expect((await ask("/books", {}, change)).body).toEqual([]);
  expect((await ask("/v1/books", {}, change)).body).toEqual([]);
  expect((await ask("/healthz", {}, change)).body).toBe("well");
  expect((await ask("/v1/healthz", {}, change)).status).toBe(404);
});
