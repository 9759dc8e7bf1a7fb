import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StoreUnavailableError } from "./store/store.ts";
import type { Reply } from "./testing/http.ts";
import { startService, type TestService } from "./testing/service.ts";
import { specOperations } from "./testing/spec.ts";

const shop = "https://shop.example";
/** Its pages may use secret keys. */
const office = "https://office.example";
const stranger = "https://evil.example";
let service: TestService;
let closed: TestService;
let open: TestService;
let failing: TestService;
beforeAll(async () => {
  service = await startService({
    settings: {
      CORS_ORIGINS: `${shop}, http://127.0.0.1:5173`,
      CORS_SECRET_ORIGINS: office,
      LOGIN_ATTEMPTS_PER_ADDRESS: "3",
    },
  });
  closed = await startService();
  open = await startService({ settings: { CORS_ORIGINS: "*", CORS_SECRET_ORIGINS: office } });
  const find = () => Promise.reject(new StoreUnavailableError(new Error("gone")));
  failing = await startService({
    settings: { CORS_SECRET_ORIGINS: office },
    wrapStore: (store) => ({ ...store, webhooks: { ...store.webhooks, find } }),
  });
});
afterAll(async () => {
  for (const each of [service, closed, open, failing]) await each[Symbol.asyncDispose]();
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

  it("from a page that may use secret keys gets a response for their operations", async () => {
    const preflights = await Promise.all(
      ["GET", "QUERY"].map((method) => preflight(service, "/", office, method)),
    );
    const allowed = {
      "access-control-allow-origin": office,
      "access-control-allow-methods": specOperations
        .filter(({ path }) => path === "/")
        .flatMap(({ method, twin }) => (twin === undefined ? [method] : [method, twin]))
        .join(", "),
      "access-control-allow-headers": "Authorization, Content-Type, X-Request-Id, traceparent, tracestate",
      "access-control-max-age": "7200",
      vary: "Origin",
    };
    expect(preflights.map(corsOf)).toEqual([allowed, allowed]);
  });

  const rejected = async (response: Promise<Reply>) => {
    const { status, headers, ...rest } = await response;
    return { status, allow: headers.allow, cors: corsOf({ status, headers, ...rest }) };
  };

  it.each([
    stranger,
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
      expect(await rejected(preflight(open, path, office, "GET"))).toEqual({
        status: 405,
        allow: "GET, HEAD",
        cors: {},
      });
  });
});

describe("the operations that a page may call", () => {
  it.each(specOperations)("follow the spec's security and its origin: $operationId", async (operation) => {
    const { method } = operation;
    const { security } = operation as { security?: readonly { readonly apiKey?: readonly string[] }[] };
    const isOpen = security?.some(({ apiKey }) => apiKey?.every((role) => role === "publishable"));
    expect(typeof isOpen).toBe("boolean");
    const path = operation.path.replace(/\{\w+\}/, "1");
    for (const [to, origin, admitted] of [
      [service, shop, isOpen ? shop : undefined],
      [service, office, office],
      [service, stranger, undefined],
      [open, shop, isOpen ? "*" : undefined],
      [open, office, isOpen ? "*" : office],
    ] as const) {
      const { status, headers } = await preflight(to, path, origin, method);
      const called = await to.send({ method, path, headers: { origin } });
      expect([
        status,
        headers["access-control-allow-origin"],
        called.headers["access-control-allow-origin"],
      ]).toEqual([admitted === undefined ? 405 : 204, admitted, admitted]);
    }
  });
});

describe("the response to a page", () => {
  const readableBy = (origin: string, exposed: string) => ({
    "access-control-allow-origin": origin,
    "access-control-expose-headers": exposed,
    vary: "Origin",
  });
  const readable = readableBy(
    shop,
    "X-Request-Id, WWW-Authenticate, RateLimit, RateLimit-Policy, Accept-Query, Retry-After",
  );
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

  const fromOffice = (path: string, key: string | undefined, content?: unknown, to = service, type = "") =>
    to.send({
      method: "GET",
      path,
      content,
      ...(key !== undefined && { key }),
      headers: { origin: office, ...(type !== "" && { "content-type": type }) },
    });
  const commission = { title: "Flat", type: "supply", default_value: 10 };

  it.each<[number, () => Promise<Reply>]>([
    [200, () => fromOffice("/", service.acme.secretKey, { commission })],
    [401, () => fromOffice("/", undefined)],
    [403, () => fromOffice("/", service.acme.publishableKey)],
    [404, () => fromOffice("/v1/webhooks/404", service.acme.secretKey)],
    [413, () => fromOffice("/", service.acme.secretKey, "x".repeat(70_000))],
    [415, () => fromOffice("/", service.acme.secretKey, "x", service, "text/plain")],
    [400, () => fromOffice("/", service.acme.secretKey, "{")],
    [422, () => fromOffice("/", service.acme.secretKey, {})],
    [503, () => fromOffice("/v1/webhooks/1", failing.acme.secretKey, undefined, failing)],
  ])("whose origin may use secret keys is readable if it is a %i", async (status, send) => {
    const response = await send();
    expect({ status: response.status, cors: corsOf(response) }).toEqual({
      status,
      cors: readableBy(office, "X-Request-Id, Accept-Query, WWW-Authenticate, Retry-After"),
    });
  });

  it("tells caches that it depends on the origin, also for an origin that may not read it", async () => {
    const response = await call({}, service.acme.publishableKey, { origin: stranger });
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
