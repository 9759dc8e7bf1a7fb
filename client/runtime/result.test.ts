import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { mediaTypeCases } from "../../server/runtime/shared/testing/media-type-cases.ts";
import { type ApiError, unwrap } from "./errors.ts";
import { readBody } from "./parts/bodies.ts";
import { readJson, resultOf } from "./result.ts";

const operationId = "getThing";
const operation = {
  method: "POST",
  path: "/things",
  responses: {
    200: ["application/json; charset=utf-8", "text/csv"],
    204: [],
    404: ["application/problem+json"],
    409: [],
    504: ["text/plain"],
    "5XX": ["application/*"],
    default: ["image/png", "text/plain"],
  },
};

const utf8 = (text: string) => new Uint8Array(Buffer.from(text));

function result(status: number, contentType: string | undefined, text: string) {
  const headers = {
    "x-request-id": "r-1",
    ...(contentType !== undefined && { "content-type": contentType }),
  };
  const response = new Response(null, { status, headers });
  Object.defineProperty(response, "url", { value: "http://api.test/things?key=k" });
  return resultOf(operationId, operation, [response, utf8(text)], "sent", readBody);
}
function read(...given: Parameters<typeof result>) {
  const { response, operationId: id, ...rest } = result(...given);
  expect([response.status, id]).toEqual([given[0], operationId]);
  return rest;
}
const requestId = "r-1";

describe("a documented response", () => {
  it.each([
    ["application/json", '{"a":1}', { a: 1 }],
    ["Application/JSON ; charset=utf-8", "[]", []],
    ["application/json", '\ufeff{"a":1}', { a: 1 }],
    ["text/csv;header=present", "a,b", "a,b"],
  ])("of type %s has its body in `data`", (contentType, text, data) => {
    expect(read(200, contentType, text)).toEqual({ status: 200, requestId, data });
  });

  it("with an error status has its body in `error`", () => {
    expect(read(404, "application/problem+json", '{"title":"gone"}')).toEqual({
      status: 404,
      requestId,
      error: { title: "gone" },
    });
  });

  it("without a body has null there, so that `data` and `error` are never both undefined", () => {
    expect([read(204, undefined, ""), read(409, undefined, "")]).toEqual([
      { status: 204, requestId, data: null },
      { status: 409, requestId, error: null },
    ]);
  });
});

it("a response is read by the entry of its exact status, even if the spec also documents a class such as 5XX", () => {
  expect(read(504, "text/plain", "late")).toEqual({ status: 504, requestId, error: "late" });
});

describe("a response whose status is not documented separately", () => {
  it("is documented by its class of statuses and a range of media types", () => {
    expect(read(599, "application/problem+json", '{"title":"busy"}')).toEqual({
      status: 599,
      requestId,
      error: { title: "busy" },
    });
  });

  it("is documented by the default response, and bytes become a Blob", async () => {
    expect(read(201, "text/plain", "made")).toEqual({ status: 201, requestId, data: "made" });
    const { data } = read(206, "image/png", "png");
    expect(data).toBeInstanceOf(Blob);
    expect(await (data as Blob).text()).toBe("png");
  });
});

describe("the media type of a response", () => {
  it.each(mediaTypeCases)("%s", (_, received, documented, chosen) => {
    const headers = { "content-type": received };
    const readResponse = [new Response(null, { headers }), utf8("{}")] as const;
    const { status } = resultOf(
      operationId,
      { ...operation, responses: { 200: documented } },
      readResponse,
      requestId,
      readBody,
    );
    expect(status).toBe(chosen === undefined ? "undocumented" : 200);
  });
});

describe("a response is undocumented and keeps its raw text", () => {
  it.each([
    ["if its media type is documented only for another status", 418, "application/json", '{"a":1}'],
    ["if its media type is undocumented", 200, "text/html", "<h1>Sign in</h1>"],
    ["if it has no media type", 200, undefined, '{"a":1}'],
    ["if its JSON is invalid", 200, "application/json", '{"a":'],
    ["if its JSON is missing", 404, "application/problem+json", ""],
    ["if it has an undocumented body", 409, "text/plain", "conflict"],
  ])("%s", (_, httpStatus, contentType, text) => {
    expect(read(httpStatus, contentType, text)).toEqual({
      status: "undocumented",
      requestId,
      error: { httpStatus, contentType, text },
    });
  });
});

it.each([400, 401, 403, 405, 413, 415, 422, 429, 431])(
  "a rejection %d that the spec does not describe is undocumented, and its text has the envelope",
  async (httpStatus) => {
    const text = JSON.stringify({ status: false, error: { code: "rejected", message: "Not like this." } });
    const response = new Response(null, {
      status: httpStatus,
      headers: { "content-type": "application/json" },
    });
    Object.defineProperty(response, "url", { value: "http://api.test/things" });
    const silent = { ...operation, responses: { 200: ["application/json"] } };
    const received = [response, utf8(text)] as const;
    const found = resultOf(operationId, silent, received, "sent", readJson);
    expect(found).toMatchObject({ status: "undocumented", error: { httpStatus, text }, requestId: "sent" });
    const origin = "undocumented response from http://api.test/things";
    await expect(unwrap(Promise.resolve(found))).rejects.toMatchObject({
      code: "rejected",
      message: `getThing failed: ${httpStatus} rejected: ${origin}: Not like this.`,
    });
  },
);

it("a response with JSON that is not in UTF-8 is undocumented, and its text is the decoded bytes", () => {
  const response = new Response(null, { headers: { "content-type": "application/json" } });
  const bytes = new Uint8Array([0x22, 0xe4, 0x22]);
  const { status, error } = resultOf(operationId, operation, [response, bytes], "sent", readBody);
  expect([status, error]).toMatchObject(["undocumented", { text: '"\ufffd"' }]);
});

it("a redirect that a browser hides is undocumented, even if the spec has a default response", () => {
  const hidden = [Response.error(), utf8("")] as const;
  const documented = { ...operation, responses: { default: [] } };
  const { status } = resultOf(operationId, documented, hidden, "sent", readBody);
  expect(status).toBe("undocumented");
});

describe("unwrap", () => {
  const thrownBy = (...given: Parameters<typeof result>): Promise<ApiError> =>
    unwrap(result(...given)).then(
      () => expect.fail("nothing was thrown"),
      (thrown) => thrown,
    );

  it("returns the data of a result or of a promise, even if it is null", async () => {
    expect([
      await unwrap(result(200, "application/json", '{"a":1}')),
      await unwrap(Promise.resolve(result(200, "text/csv", "a"))),
      await unwrap(result(200, "application/json", "null")),
    ]).toEqual([{ a: 1 }, "a", null]);
  });

  it("adds the first problems of an invalid request to the message", async () => {
    const problem = { in: "body", pointer: "/a", message: "is required" };
    const messageOf = async (problems: unknown) => {
      const body = { error: { code: "request_invalid", message: "The request has problems.", problems } };
      const error = await thrownBy(404, "application/problem+json", JSON.stringify(body));
      return error.message;
    };
    expect([
      await messageOf([problem]),
      await messageOf([problem, problem, problem, problem]),
      await messageOf([]),
    ]).toEqual([
      "getThing failed: 404 request_invalid: The request has problems. (body /a is required)",
      "getThing failed: 404 request_invalid: The request has problems. (body /a is required; body /a is required; body /a is required; …)",
      "getThing failed: 404 request_invalid: The request has problems.",
    ]);
  });

  it.each([['"text"'], ["null"], ['{"error":null}'], ['{"error":{"code":1,"message":2}}']])(
    "throws a documented error whose body has no valid code and message (%s)",
    async (text) => {
      const { message, code, body } = await thrownBy(404, "application/problem+json", text);
      expect([message, code, body]).toEqual(["getThing failed: 404", undefined, JSON.parse(text)]);
    },
  );

  it("throws an error that is logged in a few lines, without the internals of the response", async () => {
    const body = '{"error":{"code":"gone","message":"It is gone."}}';
    const error = await thrownBy(404, "application/problem+json", body);
    expect(error.response.status).toBe(404);
    const [first, printed] = inspect(error).split(/^ {4}at .*\{$/m);
    expect(first).toContain("ApiError: getThing failed: 404 gone: It is gone.\n");
    expect(printed).toBe(`
  operationId: 'getThing',
  status: 404,
  code: 'gone',
  requestId: 'r-1',
  url: 'http://api.test/things',
  body: { error: { code: 'gone', message: 'It is gone.' } }
}`);
  });

  it.each([
    [{ title: "Gone", detail: "It was sold.", code: "gone" }, " gone: It was sold."],
    [{ title: "Gone" }, ": Gone"],
  ])("throws an error with the text of problem details: %j", async (problem, text) => {
    const { message } = await thrownBy(404, "application/problem+json", JSON.stringify(problem));
    expect(message).toBe(`getThing failed: 404${text}`);
  });

  it.each([
    [() => {}, "function"],
    [undefined, "undefined"],
    ["text", "string"],
    [{ data: 1 }, "object"],
  ])("rejects an argument that is not a result, and says what it is: %s", async (given, type) => {
    const error = new TypeError(`unwrap needs a result, not data: ${type}`);
    await expect(unwrap(given as never)).rejects.toThrow(error);
  });

  it("throws an error with the text of an undocumented response", async () => {
    expect(await thrownBy(502, "text/html", "<h1>Bad gateway</h1>")).toMatchObject({
      message: "getThing failed: 502: undocumented response from http://api.test/things",
      status: 502,
      body: "<h1>Bad gateway</h1>",
    });
  });
});
