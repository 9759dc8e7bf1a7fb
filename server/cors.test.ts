import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Reply } from "./testing/http.ts";
import { startService, type TestService } from "./testing/service.ts";
import { specOperations } from "./testing/spec.ts";

const shop = "https://shop.example";
let service: TestService;
let closed: TestService;
let open: TestService;
beforeAll(async () => {
  service = await startService({ corsOrigins: [shop, "http://127.0.0.1:5173"], loginAttemptsPerAddress: 3 });
  closed = await startService();
  open = await startService({ corsOrigins: "*" });
});
afterAll(async () => {
  for (const each of [service, closed, open]) await each[Symbol.asyncDispose]();
});

/** The headers for browsers. */
function corsOf({ headers }: Reply): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith("access-control-") || name === "vary"),
  );
}

const login = "/v1/users/login";
const preflight = (to: TestService, path: string, origin = shop, method = "POST") =>
  to.send({
    method: "OPTIONS",
    path,
    headers: {
      "content-type": "",
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": "authorization,content-type",
    },
  });

describe("a preflight", () => {
  it("gets a response for an operation that publishable keys may call", async () => {
    const response = await preflight(service, login);
    expect({ status: response.status, body: response.body, cors: corsOf(response) }).toEqual({
      status: 204,
      body: undefined,
      cors: {
        "access-control-allow-origin": shop,
        "access-control-allow-methods": "POST",
        "access-control-allow-headers":
          "Authorization, Content-Type, X-End-User-Address, X-Request-Id, traceparent, tracestate",
        "access-control-max-age": "7200",
        vary: "Origin",
      },
    });
    expect(response.headers).toMatchObject({
      "cache-control": "no-store",
      "x-request-id": expect.any(String),
    });
  });

  it("gets a response for every origin if all are permitted", async () => {
    expect(corsOf(await preflight(open, login, "null"))).toEqual({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers":
        "Authorization, Content-Type, X-End-User-Address, X-Request-Id, traceparent, tracestate",
      "access-control-max-age": "7200",
    });
  });

  const rejected = async (response: Promise<Reply>) => {
    const { status, headers, ...rest } = await response;
    return { status, allow: headers.allow, cors: corsOf({ status, headers, ...rest }) };
  };

  it.each([
    "https://evil.example",
    "https://shop.example.evil.example",
    "https://shop.example/",
    "http://shop.example",
    "https://SHOP.example",
    "https://shop.example:8443",
    "null",
    "",
  ])("from %j is an OPTIONS request without special meaning", async (origin) => {
    expect(await rejected(preflight(service, login, origin))).toEqual({
      status: 405,
      allow: "POST",
      cors: {},
    });
  });

  it("for a method that the path does not support is an OPTIONS request without special meaning", async () => {
    expect(await rejected(preflight(service, login, shop, "DELETE"))).toEqual({
      status: 405,
      allow: "POST",
      cors: {},
    });
  });

  it("is rejected if no origin is permitted", async () => {
    expect(await rejected(preflight(closed, login))).toEqual({ status: 405, allow: "POST", cors: {} });
  });

  it("is rejected for resources", async () => {
    for (const path of ["/healthz", "/readyz", "/openapi.json", "/docs"])
      expect(await rejected(preflight(open, path, shop, "GET"))).toEqual({
        status: 405,
        allow: "GET, HEAD",
        cors: {},
      });
  });
});

describe("the operations that a page may call", () => {
  it.each(specOperations)("follow the spec's security: $operationId", async (operation) => {
    const { path, method } = operation;
    const { security } = operation as { security?: readonly { readonly apiKey?: readonly string[] }[] };
    const isOpen = security?.some(({ apiKey }) => apiKey?.every((role) => role === "publishable"));
    expect(typeof isOpen).toBe("boolean");
    const response = await preflight(open, path.replace(/\{\w+\}/, "1"), shop, method);
    expect(response.status).toBe(isOpen ? 204 : 405);
    const called = await open.send({ method, path: path.replace(/\{\w+\}/, "1"), headers: { origin: shop } });
    expect(called.headers["access-control-allow-origin"]).toBe(isOpen ? "*" : undefined);
  });
});

describe("the response to a page", () => {
  const readable = {
    "access-control-allow-origin": shop,
    "access-control-expose-headers":
      "X-Request-Id, WWW-Authenticate, RateLimit, RateLimit-Policy, Retry-After",
    vary: "Origin",
  };
  const user = { uuid: "page", type: "customer", dial_code: "91", mobile: "5550199", password: "wrong" };
  const call = (content: unknown, key: string | undefined, headers = {}) =>
    service.send({
      method: "POST",
      path: login,
      content,
      ...(key !== undefined && { key }),
      headers: { origin: shop, ...headers },
    });

  it.each<[number, () => Promise<Reply>]>([
    [401, () => call({ user }, undefined)],
    [401, () => call({ user }, service.acme.publishableKey)],
    [400, () => call("{", service.acme.publishableKey)],
    [413, () => call("x".repeat(70_000), service.acme.publishableKey)],
    [415, () => call("x", service.acme.publishableKey, { "content-type": "text/plain" })],
    [422, () => call({}, service.acme.publishableKey)],
  ])("is readable if it is a %i", async (status, send) => {
    const response = await send();
    expect({ status: response.status, cors: corsOf(response) }).toEqual({ status, cors: readable });
  });

  it("is readable if it is a 429, with the time to wait", async () => {
    for (let tries = 0; tries < 3; tries += 1) await call({ user }, service.acme.publishableKey);
    const response = await call({ user }, service.acme.publishableKey);
    expect({
      status: response.status,
      retry: Number(response.headers["retry-after"]) > 0,
      cors: corsOf(response),
    }).toEqual({ status: 429, retry: true, cors: readable });
  });

  it("tells caches that it depends on the origin, also for an origin that may not read it", async () => {
    const response = await call({}, service.acme.publishableKey, { origin: "https://evil.example" });
    expect({ status: response.status, cors: corsOf(response) }).toEqual({
      status: 422,
      cors: { vary: "Origin" },
    });
  });

  it("never permits cookies", async () => {
    const responses = [
      await preflight(service, login),
      await preflight(open, login),
      await call({}, undefined),
    ];
    for (const { headers } of responses)
      expect(headers).not.toHaveProperty("access-control-allow-credentials");
  });
});
