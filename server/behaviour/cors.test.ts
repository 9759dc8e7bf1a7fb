import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StoreUnavailableError } from "../store/store.ts";
import type { ReceivedResponse } from "../testing/http.ts";
import { startService, type TestService } from "../testing/service.ts";
import { specOperations } from "../testing/spec.ts";

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
    settings: { CORS_ORIGINS: `${shop}, http://127.0.0.1:5173`, CORS_SECRET_ORIGINS: office },
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
function corsOf({ headers }: ReceivedResponse): Record<string, unknown> {
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
      "x-content-type-options": "nosniff",
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

  const rejected = async (response: Promise<ReceivedResponse>) => {
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
  const loginHeaders =
    "X-Request-Id, WWW-Authenticate, RateLimit, RateLimit-Policy, Accept-Query, Retry-After";
  const officeHeaders = "X-Request-Id, Accept-Query, WWW-Authenticate, Retry-After";
  const commission = { title: "Flat", type: "supply", default_value: 10 };
  const fromOffice = (to: TestService, path: string, body?: unknown) =>
    to.send({ method: "GET", path, body, key: to.acme.secretKey, headers: { origin: office } });
  const call = (body: unknown, key: string | undefined, headers = {}) =>
    service.send({
      method: "POST",
      path: login,
      body,
      ...(key !== undefined && { key }),
      headers: { origin: shop, ...headers },
    });

  it.each<[status: number, origin: string, exposed: string, call: () => Promise<ReceivedResponse>]>([
    [401, shop, loginHeaders, () => call({}, undefined)],
    [422, shop, loginHeaders, () => call({}, service.acme.publishableKey)],
    [200, office, officeHeaders, () => fromOffice(service, "/", { commission })],
    [503, office, officeHeaders, () => fromOffice(failing, "/v1/webhooks/1")],
  ])("is readable if it is a %i to %s", async (status, origin, exposed, send) => {
    const response = await send();
    expect({ status: response.status, cors: corsOf(response) }).toEqual({
      status,
      cors: {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": exposed,
        vary: "Origin",
      },
    });
  });

  it.each([
    ["an origin that may not read it", stranger],
    ["a request without an origin", ""],
  ])("tells caches that it depends on the origin, also for %s", async (_, origin) => {
    const response = await call({}, service.acme.publishableKey, { origin });
    expect({ status: response.status, cors: corsOf(response) }).toEqual({
      status: 422,
      cors: { vary: "Origin" },
    });
  });
});
