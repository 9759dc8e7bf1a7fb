import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Store, UnstorableTextError } from "./store/store.ts";
import { RawConnection } from "./testing/http.ts";
import { startService, type TestService } from "./testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const submit = (body: unknown) =>
  service.send({ method: "GET", path: "/", key: service.acme.secretKey, body });
const webhookCallId = "0b6f3c1e-6a52-4d0e-9d6f-2f3a5d1c7e11";
const getWebhook = ({ send, acme }: TestService) =>
  send({
    method: "GET",
    path: "/v1/webhooks/1",
    key: acme.secretKey,
    headers: { "x-request-id": webhookCallId },
  });
const codeOf = (body: unknown) => (body as { error?: { code?: string } }).error?.code;

describe("in this order, the service", () => {
  const json = "application/json";
  it.each<
    [string, { method?: string; path?: string; key?: string; type?: string; body?: string }, number, string]
  >([
    ["an unknown path", { path: "/v2" }, 404, "route_not_found"],
    ["a method that the path does not support", { method: "PUT" }, 405, "method_not_allowed"],
    ["a missing key", {}, 401, "api_key_missing"],
    ["a wrong key", { key: "sk_x" }, 401, "api_key_invalid"],
    ["a key of the wrong kind", { key: "publishable" }, 403, "api_key_kind_forbidden"],
    ["a body that is too large", { key: "secret" }, 413, "content_too_large"],
    ["an unsupported media type", { key: "secret", body: "{" }, 415, "unsupported_media_type"],
    ["invalid JSON", { key: "secret", type: json, body: "{" }, 400, "malformed_content"],
    ["an invalid value", { key: "secret", type: json, body: "{}" }, 422, "request_invalid"],
  ])("rejects %s", async (_, { key, type = "a/b", ...call }, status, code) => {
    const { secretKey: secret, publishableKey: publishable } = service.acme;
    const keys: Record<string, string> = { secret, publishable };
    const response = await service.send({
      ...{ method: "GET", path: "/", body: "x".repeat(70_000), ...call },
      ...(key !== undefined && { key: keys[key] ?? key }),
      headers: { "content-type": type },
    });
    expect({ status: response.status, code: codeOf(response.body) }).toEqual({ status, code });
  });
});

describe("every response", () => {
  it.each([
    ["/healthz", 200],
    ["/openapi.json", 200],
    ["/openapi-3.2.json", 200],
    ["/nowhere", 404],
    ["/", 401],
  ])(
    "of %s contains a request id, and forbids caching and guesses of its media type",
    async (path, status) => {
      const response = await service.send({ method: "GET", path });
      expect(response).toMatchObject({
        status,
        headers: {
          "x-request-id": expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/),
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          "content-type": "application/json",
        },
      });
    },
  );

  it.each([
    ["a UUID", "0b6f3c1e-6a52-4d0e-9d6f-2f3a5d1c7e11"],
    ["a ULID", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
    ["a trace id", "4bf92f3577b34da6a3ce929d0e0e4736"],
  ])("contains the caller's request id, in header and error, if it is %s", async (_, id) => {
    const response = await service.send({
      method: "GET",
      path: "/",
      headers: { "x-request-id": id },
    });
    expect(response.headers["x-request-id"]).toBe(id);
    expect(response.body).toMatchObject({ error: { request_id: id } });
  });

  it.each(["", "order-42", "x".repeat(32), "4bf92f3577b34da6a3ce929d0e0e473", "81ARZ3NDEKTSV4RRFFQ69G5FAV"])(
    "does not contain the caller's invalid request id %j",
    async (id) => {
      const response = await service.send({
        method: "GET",
        path: "/healthz",
        headers: { "x-request-id": id },
      });
      expect(response.headers["x-request-id"]).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    },
  );

  it("to HEAD is the response to GET without the body", async () => {
    const response = await service.send({
      method: "HEAD",
      path: `/v1/webhooks/${service.acme.webhook.id}`,
      key: service.acme.secretKey,
    });
    expect({ status: response.status, body: response.body }).toEqual({ status: 200, body: undefined });
  });
});

describe("a request body", () => {
  it.each<[string, unknown, string]>([
    ["is truncated", '{"user":', "The request body is not valid JSON."],
    ["starts with a byte order mark", "\uFEFF{}", "The request body is not valid JSON."],
    ["is not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), "The request body is not valid UTF-8."],
    [
      "contains half of a surrogate pair",
      '{"user":{"uuid":"\\ud800"}}',
      "A string in the request body contains half of a surrogate pair.",
    ],
  ])("that %s is malformed", async (_, body, message) => {
    const response = await submit(body);
    expect({ status: response.status, body: response.body }).toMatchObject({
      status: 400,
      body: { error: { code: "malformed_content", message } },
    });
  });

  it("that exceeds the limit after several chunks is rejected as too large", async () => {
    using connection = await RawConnection.open(service.url);
    const lines = ["GET / HTTP/1.1", "Host: a", `Authorization: Bearer ${service.acme.secretKey}`];
    // The server starts to read the body before the first chunk is sent.
    lines.push("Content-Type: application/json", "Transfer-Encoding: chunked", "Expect: 100-continue");
    connection.write(`${lines.join("\r\n")}\r\n\r\n`);
    expect(await connection.interim()).toBe(100);
    connection.write(`${`4e20\r\n${" ".repeat(20_000)}\r\n`.repeat(4)}0\r\n\r\n`);
    expect((await connection.response())?.status).toBe(413);
  });

  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const head = (...lines: string[]) =>
    ["GET / HTTP/1.1", "Host: a", "Content-Type: application/json", ...lines, "", ""].join("\r\n");

  it.each<[how: string, framing: string[], now: (body: string) => string, later?: (body: string) => string]>([
    ["in one packet", ["Transfer-Encoding: chunked"], (body) => `${chunk(body)}0\r\n\r\n`],
    [
      "after 100 Continue",
      ["Transfer-Encoding: chunked", "Expect: 100-continue"],
      () => "",
      (body) => `${chunk(body.slice(0, 9))}${chunk(body.slice(9))}0\r\n\r\n`,
    ],
  ])(
    "of exactly the limit is accepted in chunks %s, and one byte more is rejected",
    async (_, framing, now, later) => {
      const limit = 100;
      await using own = await startService({ settings: { MAX_CONTENT_BYTES: `${limit}` } });
      const body = JSON.stringify({ commission: { title: "Limit", type: "supply", default_value: 1 } });
      const statuses = [];
      for (const framed of [body.padEnd(limit), body.padEnd(limit + 1)]) {
        using connection = await RawConnection.open(own.url);
        connection.write(head(`Authorization: Bearer ${own.acme.secretKey}`, ...framing) + now(framed));
        if (later) expect(await connection.interim()).toBe(100);
        if (later) connection.write(later(framed));
        statuses.push((await connection.response())?.status);
      }
      expect(statuses).toEqual([200, 413]);
    },
  );

  it("of exactly the limit is accepted with a length, and one byte more is rejected", async () => {
    const body = JSON.stringify({ commission: { title: "Limit", type: "supply", default_value: 1 } });
    expect((await submit(body.padEnd(65_536))).status).toBe(200);
    expect((await submit(body.padEnd(65_537))).status).toBe(413);
  });

  it.each([
    ["text/plain", "application/json"],
    ["application/json", "text/plain"],
    ["application/json", "application/json"],
  ])("with the two media types %s and %s is rejected", async (first, second) => {
    using connection = await RawConnection.open(service.url);
    const lines = ["GET / HTTP/1.1", "Host: a", `Authorization: Bearer ${service.acme.secretKey}`];
    lines.push(`Content-Type: ${first}`, `Content-Type: ${second}`, "Content-Length: 2");
    connection.write(`${lines.join("\r\n")}\r\n\r\n{}`);
    expect((await connection.response())?.status).toBe(415);
  });
});

describe("a handler that violates its contract", () => {
  const withWebhook = (webhook: Record<string, unknown>) => (store: Store) => ({
    ...store,
    webhooks: { ...store.webhooks, find: async () => webhook as never },
  });
  const broken = { id: "not a number", url: "https://shop.test/", events: [] };
  const violation = {
    msg: "a response violates the spec",
    request_id: webhookCallId,
    operationId: "getWebhook",
    status: 200,
    problems: [{ in: "body", pointer: "/data/webhook/id", message: "must be an integer" }],
  };

  it("results in a 500 without internals, and a log entry with the place but not the value", async () => {
    await using own = await startService({ wrapStore: withWebhook(broken) });
    const response = await getWebhook(own);
    expect({ status: response.status, body: response.body }).toEqual({
      status: 500,
      body: {
        status: false,
        error: {
          code: "internal_error",
          message: "The service failed. Include the request id if you report this error.",
          request_id: webhookCallId,
        },
      },
    });
    const entry = own.logged.find(({ msg }) => msg === "a response violates the spec");
    expect(entry).toMatchObject(violation);
    expect(JSON.stringify(own.logged)).not.toContain("not a number");
  });

  it("is only logged with the policy `report`: its response is still sent", async () => {
    await using own = await startService({
      wrapStore: withWebhook(broken),
      settings: { RESPONSE_VALIDATION: "report" },
    });
    expect(await getWebhook(own)).toMatchObject({
      status: 200,
      body: { data: { webhook: { id: "not a number" } } },
    });
    expect(own.logged).toContainEqual(expect.objectContaining(violation));
  });
});

describe("a request with more problems than the limit", () => {
  it("gets the first hundred problems and a message that there are more", async () => {
    const text = `{"commission":{${Array.from({ length: 4000 }, (_, index) => `"p${index}":1`).join(",")}}}`;
    const { status, body } = await submit(text);
    const { error } = body as { error: { message: string; problems: unknown[] } };
    expect({ status, message: error.message, listed: error.problems.length }).toEqual({
      status: 422,
      message: "The request has more than 100 problems. The first 100 are listed.",
      listed: 100,
    });
  });

  it("gets only these problems, and the rules of the operation are not checked on unvalidated values", async () => {
    const rule = { category: [1], type: 2, slab_value: [null, 1] };
    const commission = { title: "T", type: "supply", default_value: 1 };
    const commission_data = [...Array(1000).fill(0), rule];
    const { status, body } = await submit({ commission: { ...commission, commission_data } });
    expect({ status, code: codeOf(body) }).toEqual({ status: 422, code: "request_invalid" });
  });
});

const failingWith = (error: Error) =>
  startService({
    wrapStore: (store) => ({
      ...store,
      webhooks: { ...store.webhooks, find: () => Promise.reject(error) },
    }),
  });

it("a text that the database cannot store results in a 422", async () => {
  await using own = await failingWith(new UnstorableTextError());
  const { status, body } = await getWebhook(own);
  expect({ status, body }).toMatchObject({
    status: 422,
    body: { error: { code: "request_invalid", message: "A text must not contain U+0000." } },
  });
});

it("a store that throws results in a 500 without internals", async () => {
  await using own = await failingWith(new Error("internal detail"));
  const response = await getWebhook(own);
  expect({ status: response.status, code: codeOf(response.body) }).toEqual({
    status: 500,
    code: "internal_error",
  });
  expect(JSON.stringify(response)).not.toContain("internal detail");
  expect(own.logged).toContainEqual(
    expect.objectContaining({
      msg: "the request failed",
      error: expect.objectContaining({ message: "internal detail" }),
    }),
  );
});
