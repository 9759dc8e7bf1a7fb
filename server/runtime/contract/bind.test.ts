import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { Contract, Problem, ResponseContract } from "#specbind/contract";
import { type ContractEnv, serveContract } from "../http/hono.ts";
import { bindContract, type Resources } from "./bind.ts";
import type { Binding } from "./pipeline.ts";
import { BodyAbortedError, NotImplemented, type RequestView } from "./request.ts";

// The binding must serve any contract, so this contract is written by hand and is not about commerce.
const anything = (): boolean => true;
const wholeNumber = (value: unknown, problems: Problem[]): boolean =>
  Number.isInteger(value) || problems.push({ pointer: "", message: "must be an integer" }) === 0;
const response: ResponseContract = {
  headers: [],
  mediaTypes: { "application/json": { validate: anything, project: (value) => value } },
};
const responses = {
  200: response,
  400: response,
  401: response,
  403: response,
  404: response,
  405: response,
  422: response,
  500: response,
};
const contract: Contract = {
  format: 1,
  validators: 1,
  operations: {
    lendBook: {
      method: "PUT",
      path: "/loans",
      security: [[{ scheme: "card", roles: ["reader", "adult"] }], [{ scheme: "badge", roles: [] }]],
      parameters: [],
      responses,
    },
    readMail: {
      method: "GET",
      path: "/mail",
      security: [
        [
          { scheme: "badge", roles: [], credential: { in: "header", name: "X-Badge" } },
          { scheme: "card", roles: ["reader"], credential: { in: "cookie", name: "card" } },
        ],
        [{ scheme: "door", roles: [], credential: { in: "query", name: "door" } }],
        [{ scheme: "desk", roles: [], credential: "basic" }],
        [{ scheme: "card", roles: [], credential: "unknown" }],
      ],
      parameters: [],
      responses,
    },
    readNews: {
      method: "GET",
      path: "/news",
      security: [[{ scheme: "card", roles: [] }], []],
      parameters: [],
      responses,
    },
    endLoan: {
      method: "DELETE",
      path: "/loans",
      security: [],
      parameters: [],
      responses: { 204: { headers: [], mediaTypes: {} }, 500: response },
    },
    countBooks: {
      method: "GET",
      path: "/counted",
      security: [],
      parameters: [],
      responses: {
        200: {
          ...response,
          headers: [{ name: "X-Total", required: true, type: "integer", validate: wholeNumber }],
        },
        500: response,
      },
    },
  },
  unmatched: { 404: response, 405: response },
  sensitive: [],
};

const handlers: Binding<string>["handlers"] = {
  lendBook: async (_request, { principal }) => ({ status: 200, body: { principal } }),
  endLoan: async () => ({ status: 204, body: undefined }),
  countBooks: async () => ({ status: 200, body: {} }),
  readMail: async (_request, { principal }) => ({ status: 200, body: { principal } }),
  readNews: async (_request, { principal }) => ({ status: 200, body: { principal: principal ?? "nobody" } }),
};

function binding(seen: unknown[]): Binding<string> {
  return {
    contract,
    handlers,
    authenticate: {
      card: async (text) => (text === "child" ? { principal: "child", roles: ["reader"] } : undefined),
      badge: async (text) => {
        const [principal, operation] = text.split("-of-");
        if (principal !== "staff") return undefined;
        return { principal, roles: [], ...(operation && { operations: [operation] }) };
      },
      door: async (text) => (text === "open sesame" ? { principal: "guest", roles: [] } : undefined),
      desk: async (text) => (text === "ann:p:w" ? { principal: "ann", roles: [] } : undefined),
    },
    reject: (detail) => ({ status: statuses[detail.reason] ?? 422, body: detail }),
    fail: () => ({ status: 500, body: { reason: "failed" } }),
    requestIdOf: () => "r",
    onViolation: (violation) => void seen.push(violation),
    responsePolicy: "enforce",
    maxContentBytes: 100,
  };
}

function library({ resources, ...change }: Partial<Binding<string>> & { resources?: Resources } = {}) {
  const app = new Hono<ContractEnv>();
  const seen: unknown[] = [];
  serveContract(app, bindContract<string>({ ...binding(seen), ...change }, resources));
  return { app, seen };
}

const statuses: Record<string, number> = {
  route_not_found: 404,
  method_not_allowed: 405,
  credential_missing: 401,
  credential_invalid: 401,
  role_missing: 403,
  failed: 500,
};

describe("security", () => {
  const put = (authorization?: string) =>
    library().app.request("/loans", { method: "PUT", ...(authorization && { headers: { authorization } }) });

  it("is satisfied by one of the alternatives", async () => {
    expect(await (await put("Bearer staff")).json()).toEqual({ principal: "staff" });
  });

  it("needs every role of an alternative", async () => {
    const response = await put("Bearer child");
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 403,
      body: { reason: "role_missing", needed: ["reader", "adult"] },
    });
  });

  it("is not satisfied by a credential that is restricted to other operations", async () => {
    expect((await put("Bearer staff-of-lendBook")).status).toBe(200);
    expect((await put("Bearer staff-of-endLoan")).status).toBe(403);
  });

  it.each([
    [undefined, "credential_missing"],
    ["Bearer stranger", "credential_invalid"],
    ["Digest staff", "credential_invalid"],
  ])("rejects %s", async (authorization, reason) => {
    expect(await (await put(authorization)).json()).toEqual({ reason });
  });
});

describe("credentials", () => {
  const mail = async (query: string, headers: Record<string, string>) =>
    (await library().app.request(`/mail${query}`, { headers })).json();
  const basic = (text: string) => ({ authorization: `Basic ${btoa(text)}` });

  it.each<[title: string, query: string, headers: Record<string, string>, principal: string]>([
    ["that are both needed", "", { "X-Badge": "staff", Cookie: "card=child" }, "staff"],
    ["in the query", "?door=open+sesame", {}, "guest"],
    ["of a user name and a password", "", basic("ann:p:w"), "ann"],
  ])("%s are found in the place that the contract says", async (_title, query, headers, principal) => {
    expect(await mail(query, headers)).toEqual({ principal });
  });

  it.each<[title: string, headers: Record<string, string>, reason: string]>([
    ["one of two required ones", { "X-Badge": "staff" }, "credential_missing"],
    [
      "one of two required ones, with a wrong second one",
      { "X-Badge": "staff", Cookie: "card=stranger" },
      "credential_invalid",
    ],
    ["a wrong password", basic("ann:wrong"), "credential_invalid"],
    ["credentials that are not base64", { authorization: "Basic ann:p:w" }, "credential_invalid"],
    ["requests without credentials", {}, "credential_missing"],
  ])("%s are rejected", async (_title, headers, reason) => {
    expect(await mail("", headers)).toEqual({ reason });
  });

  it("can be omitted if one alternative needs none, but must not be wrong", async () => {
    const news = async (headers: Record<string, string>) =>
      (await library().app.request("/news", { headers })).json();
    expect(await news({})).toEqual({ principal: "nobody" });
    expect(await news({ authorization: "Bearer child" })).toEqual({ principal: "child" });
    expect(await news({ authorization: "Bearer stranger" })).toEqual({ reason: "credential_invalid" });
  });
});

describe("responses", () => {
  it("without a body that the contract requires become a 500", async () => {
    const { app, seen } = library({ handlers: { ...handlers, lendBook: async () => ({ status: 200 }) } });
    const headers = { authorization: "Bearer staff" };
    expect((await app.request("/loans", { method: "PUT", headers })).status).toBe(500);
    const problems = [{ in: "body", pointer: "", message: "is required" }];
    expect(seen).toEqual([{ operationId: "lendBook", status: 200, problems }]);
  });

  it("without a required header become a 500", async () => {
    const { app, seen } = library();
    expect((await app.request("/counted")).status).toBe(500);
    expect(seen).toEqual([
      {
        operationId: "countBooks",
        status: 200,
        problems: [{ in: "header", pointer: "/X-Total", message: "is required" }],
      },
    ]);
  });
});

describe("an operation with a twin", () => {
  const acceptQuery = { name: "Accept-Query", required: true, type: "string", validate: anything } as const;
  const mediaTypes = { "application/json": {}, "text/csv; header=present": {} };
  const queryable = {
    path: "/counted",
    security: [],
    parameters: [],
    responses: { ...responses, 200: { ...response, headers: [acceptQuery] } },
  };
  const { app } = library({
    contract: {
      ...contract,
      operations: {
        countBooks: {
          ...queryable,
          method: "GET",
          twin: "QUERY",
          requestBody: { required: true, mediaTypes },
        },
        recountBooks: { ...queryable, method: "PUT" },
      },
    },
    handlers: {
      countBooks: async () => ({ status: 200, body: {} }),
      recountBooks: async () => ({ status: 200, body: {} }),
    },
  });
  const respond = async (method: string, type: string) => {
    const url = "http://library.test/counted";
    // In Node, a Request may have the method QUERY with a body.
    const response = await app.request(
      new Request(url, { method, body: "1", headers: { "Content-Type": type } }),
    );
    return {
      status: response.status,
      acceptQuery: response.headers.get("accept-query"),
      body: await response.json(),
    };
  };

  it("is called with both methods, which 405 lists, and all methods of the path send Accept-Query", async () => {
    const counted = {
      status: 200,
      acceptQuery: "application/json, text/csv;header=present",
      body: {},
    };
    expect(await respond("QUERY", "application/json")).toEqual(counted);
    expect(await respond("PUT", "application/json")).toEqual(counted);
    expect(await respond("POST", "application/json")).toEqual({
      status: 405,
      acceptQuery: null,
      body: { reason: "method_not_allowed", allowed: ["GET", "HEAD", "QUERY", "PUT"] },
    });
  });

  it("sends Accept-Query only in responses that declare this header", async () => {
    expect(await respond("QUERY", "text/html")).toMatchObject({ status: 422, acceptQuery: null });
  });
});

describe("a path that matches several templates", () => {
  const response200 = { parameters: [], security: [], responses: { 200: response } };
  const operations: Contract["operations"] = {
    removePet: { ...response200, method: "DELETE", path: "/pets/{id}" },
    findPets: { ...response200, method: "GET", path: "/pets/found" },
    removeAny: { ...response200, method: "DELETE", path: "/{any}" },
  };
  const respond = async (method: string, path: string) => {
    const { app } = library({
      contract: { ...contract, operations },
      handlers: Object.fromEntries(
        Object.keys(operations).map((id) => [id, async () => ({ status: 200, body: { id } })]),
      ),
      resources: { "/healthz": () => ({ status: 200, body: '{"id":"healthz"}' }) },
    });
    const response = await app.request(path, { method });
    return { status: response.status, body: await response.json() };
  };

  it.each([
    ["DELETE", "/pets/lost", "removePet"],
    ["GET", "/pets/found", "findPets"],
    ["DELETE", "/pets", "removeAny"],
    ["GET", "/healthz", "healthz"],
  ])("belongs to the most specific one: %s %s", async (method, path, id) => {
    expect(await respond(method, path)).toEqual({ status: 200, body: { id } });
  });

  it.each([
    ["DELETE", "/pets/found"],
    ["DELETE", "/healthz"],
  ])("does not have the methods of the others: %s %s", async (method, path) => {
    expect(await respond(method, path)).toEqual({
      status: 405,
      body: { reason: "method_not_allowed", allowed: ["GET", "HEAD"] },
    });
  });
});

describe("rejections of a contract that does not describe all of them", () => {
  const problem = { "Content-Type": "application/problem+json" };
  const reject: Binding<string>["reject"] = ({ reason }, _, documented) => ({
    status: 501,
    headers: problem,
    body: { reason, documented: Object.keys(documented) },
  });
  const respond = async (binding: Partial<Binding<string>>, path: string, method = "DELETE") => {
    const { app, seen } = library({ reject, ...binding });
    const response = await app.request(path, { method });
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      body: await response.json(),
      violations: seen,
    };
  };
  const rejected = (reason: string, documented: readonly string[]) => ({
    status: 501,
    type: "application/problem+json",
    body: { reason, documented },
    violations: [],
  });

  it("are sent unchanged if a handler is not written yet", async () => {
    const unwritten = { ...handlers, endLoan: () => Promise.reject(new NotImplemented()) };
    expect(await respond({ handlers: unwritten }, "/loans")).toEqual(
      rejected("not_implemented", ["204", "500"]),
    );
  });

  it("are sent unchanged if no operation matches", async () => {
    expect(await respond({}, "/nowhere")).toEqual(rejected("route_not_found", ["404", "405"]));
  });

  it("are sent unchanged if a handler fails", async () => {
    const failing = { ...handlers, endLoan: () => Promise.reject(new Error("unforeseen")) };
    const body = { reason: "failed" };
    const fail = () => ({ status: 501, headers: problem, body });
    expect(await respond({ handlers: failing, fail }, "/loans")).toEqual({ ...rejected("", []), body });
  });

  it("do not permit a handler to send undocumented responses", async () => {
    const handler = async () => ({ status: 418, body: {} });
    expect(await respond({ handlers: { ...handlers, endLoan: handler } }, "/loans")).toEqual({
      ...rejected("failed", ["204", "500"]),
      violations: [
        {
          operationId: "endLoan",
          status: 418,
          problems: [{ in: "status", pointer: "", message: "is not documented" }],
        },
      ],
    });
  });
});

describe("binding", () => {
  it("rejects an operation without a handler", () => {
    const { lendBook: _, ...others } = handlers;
    expect(() => library({ handlers: others })).toThrow("operation lendBook has no handler");
  });

  it("rejects a security scheme without an authenticator", () => {
    expect(() => library({ authenticate: { card: async () => undefined } })).toThrow(
      /^security scheme badge of lendBook has no authenticator$/,
    );
    const misspelt = { card: async () => undefined, bagde: async () => undefined };
    expect(() => library({ authenticate: misspelt })).toThrow(
      "security scheme badge of lendBook has no authenticator; `authenticate` has `bagde` instead",
    );
  });
});

it("a finished exchange is reported once, with its response, whether a handler was called or not", async () => {
  const settled: unknown[] = [];
  const { app } = library({
    responsePolicy: "off",
    addressOf: () => "192.0.2.1",
    resources: { "/healthz": () => ({ status: 200, body: "{}" }) },
    onSettled: ({ requestId, address, operation, request, rejection, response, reply, seconds }) =>
      settled.push([
        requestId,
        address,
        operation,
        request?.path,
        rejection,
        response.status,
        reply.status,
        seconds > 0,
      ]),
  });
  await app.request("/loans", { method: "PUT", headers: { authorization: "Bearer staff" } });
  await app.request("/loans", { method: "PUT" });
  await app.request("/nowhere");
  await app.request("/healthz");
  expect(settled).toEqual([
    ["r", "192.0.2.1", "lendBook", "/loans", undefined, 200, 200, true],
    ["r", "192.0.2.1", "lendBook", "/loans", "credential_missing", 401, 401, true],
    ["r", "192.0.2.1", "unmatched", "/nowhere", "route_not_found", 404, 404, true],
    ["r", "192.0.2.1", "/healthz", "/healthz", undefined, 200, 200, true],
  ]);
});

const newsRequest = (headers: Record<string, string> = {}): RequestView => ({
  method: "GET",
  path: "/news",
  query: "",
  header: (name) => headers[name],
  body: () => new Uint8Array(),
  peer: undefined,
  signal: AbortSignal.abort(),
});
const responderOf = (change: Partial<Binding<string>>) =>
  bindContract<string>({ ...binding([]), ...change }).paths.find(({ template }) => template === "/news")
    ?.byMethod.GET;

it("a handler sees only who calls and until when", async () => {
  const contexts: object[] = [];
  const readNews = (_: never, context: object) => {
    contexts.push(context);
    return { status: 200, body: {} };
  };
  const addressOf = () => "192.0.2.1";
  await responderOf({ handlers: { ...handlers, readNews }, addressOf })?.(newsRequest());
  const [context = {}] = contexts;
  expect([{ ...context }, (context as { signal: AbortSignal }).signal.aborted]).toEqual([
    { principal: undefined, requestId: "r", address: "192.0.2.1" },
    true,
  ]);
});

it("each exchange whose caller disconnects is reported without headers, also if pages may call the operation", async () => {
  const headers: object[] = [];
  const respond = responderOf({
    crossOrigin: { pages: [{ origins: ["https://hall.example"], roles: [] }], requestHeaders: [] },
    onSettled: ({ reply }) => headers.push({ ...reply.headers }),
  });
  const body = () => {
    throw new BodyAbortedError();
  };
  for (const request of [newsRequest(), newsRequest()]) await respond?.({ ...request, body });
  expect(headers).toEqual([{}, {}]);
});

describe("a request that does not have to wait", () => {
  const respond = (handler: Binding<string>["handlers"][string], headers?: Record<string, string>) =>
    responderOf({
      handlers: { ...handlers, readNews: handler },
      authenticate: {
        ...binding([]).authenticate,
        card: (text) => (text === "child" ? { principal: "child", roles: [] } : undefined),
      },
    })?.(newsRequest(headers));
  const headers = {
    "Content-Type": "application/json",
    "X-Request-Id": "r",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  };

  it("gets its response without a promise", () => {
    const handler = (_: never, { principal }: { principal: string }) => ({
      status: 200,
      body: { principal },
    });
    const reply = respond(handler, { authorization: "Bearer child" });
    expect(reply).toEqual({ status: 200, headers, body: '{"principal":"child"}' });
  });

  it("fails without a promise if its handler throws", () => {
    const handler = () => {
      throw new Error("unforeseen");
    };
    expect(respond(handler)).toEqual({ status: 500, headers, body: '{"reason":"failed"}' });
  });

  it("gets its response later if its handler waits", async () => {
    const reply = respond(async () => ({ status: 200, body: {} }));
    expect(reply).toBeInstanceOf(Promise);
    expect(await reply).toEqual({ status: 200, headers, body: "{}" });
  });
});
