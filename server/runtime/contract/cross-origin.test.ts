import { expect, it } from "vitest";
import type { OperationContract, SecurityRequirement } from "#specbind/contract";
import { admitPages, preflightHeaders } from "./cross-origin.ts";

const operation = (method: string, role: string): OperationContract => ({
  method,
  path: "/loans",
  security: [[{ scheme: "card", roles: [role] }]],
  parameters: [],
  responses: {},
});
const loans = [operation("GET", "reader"), operation("QUERY", "reader"), operation("DELETE", "staff")];
const hall = "https://hall.example";
const desk = "https://desk.example";

const preflight = (readers: "*" | readonly string[], origin: string, method: string) =>
  preflightHeaders(loans, {
    pages: [
      { origins: readers, roles: ["reader"] },
      { origins: [desk], roles: ["reader", "staff"] },
    ],
    requestHeaders: [],
  })?.({
    method: "OPTIONS",
    header: (name) => ({ origin, "access-control-request-method": method })[name],
  });
const permitted = (origin: string, methods: string) => ({
  "Access-Control-Allow-Origin": origin,
  "Access-Control-Allow-Methods": methods,
  "Access-Control-Allow-Headers": "Authorization",
  "Access-Control-Max-Age": "7200",
  Vary: "Origin",
});

it("a preflight lists the methods of the path that its origin may call", () => {
  expect(preflight([hall], hall, "QUERY")).toEqual(permitted(hall, "GET, QUERY"));
  expect(preflight([hall], desk, "QUERY")).toEqual(permitted(desk, "GET, QUERY, DELETE"));
  expect(preflight([hall], desk, "DELETE")).toEqual(permitted(desk, "GET, QUERY, DELETE"));
  expect(preflight([hall], hall, "DELETE")).toBe(undefined);
});

it("caches learn that the allowed methods depend on the origin, even if some methods are allowed for every origin", () => {
  expect(preflight("*", hall, "GET")).toEqual(permitted("*", "GET, QUERY"));
  expect(preflight("*", desk, "GET")).toEqual(permitted("*", "GET, QUERY, DELETE"));
});

const readers = { pages: [{ origins: [hall], roles: ["reader"] }], requestHeaders: [] };

it("no page may call an operation whose credential a script cannot send", () => {
  const of = (credential: NonNullable<SecurityRequirement["credential"]>) =>
    admitPages(
      { ...operation("GET", "reader"), security: [[{ scheme: "card", roles: ["reader"], credential }]] },
      readers,
    );
  expect([of("basic"), of("unknown"), of({ in: "cookie", name: "c" })].map((each) => typeof each)).toEqual([
    "function",
    "undefined",
    "undefined",
  ]);
});

it("the origin is added to the names that a response already varies by", () => {
  const headers = { Vary: "Accept" };
  admitPages(operation("GET", "reader"), readers)?.(headers, undefined);
  expect(headers).toEqual({ Vary: "Accept, Origin" });
});

it("an operation that no page may call has neither a preflight nor other headers", () => {
  const nobody = { pages: [{ origins: [], roles: ["reader"] }], requestHeaders: [] };
  expect([preflightHeaders(loans, nobody), admitPages(operation("GET", "reader"), nobody)]).toEqual([
    undefined,
    undefined,
  ]);
});

it("a preflight permits the headers of credentials, bodies and parameters, and those of the service", () => {
  const parameter = { required: false, type: "string", validate: () => true } as const;
  const needed = [
    { scheme: "door", roles: [], credential: "basic" },
    { scheme: "badge", roles: [], credential: { in: "header", name: "X-Badge" } },
    { scheme: "desk", roles: [], credential: { in: "query", name: "desk" } },
  ] as const;
  const lend: OperationContract = {
    ...operation("PUT", "reader"),
    security: [needed],
    requestBody: { required: true, mediaTypes: {} },
    parameters: [
      { ...parameter, in: "header", name: "X-Hall" },
      { ...parameter, in: "query", name: "page" },
    ],
  };
  const headers = preflightHeaders([lend], { ...readers, requestHeaders: ["X-Request-Id"] })?.({
    method: "OPTIONS",
    header: (name) => ({ origin: hall, "access-control-request-method": "PUT" })[name],
  });
  expect(headers?.["Access-Control-Allow-Headers"]).toBe(
    "Authorization, X-Badge, Content-Type, X-Hall, X-Request-Id",
  );
});

it("scripts may read the headers of every response, and those that the Fetch standard permits are not listed", () => {
  const permitted = ["Cache-Control", "Content-Language", "Content-Length", "Content-Type", "Expires"];
  const names = [...permitted, "Last-Modified", "Pragma", "X-Total", "Link"];
  const declared = names.map(
    (name) => ({ name, required: true, type: "string", validate: () => true }) as const,
  );
  const headers = {};
  admitPages(
    { ...operation("GET", "reader"), responses: { 200: { headers: declared, mediaTypes: {} } } },
    readers,
  )?.(headers, hall);
  expect(headers).toEqual({
    Vary: "Origin",
    "Access-Control-Allow-Origin": hall,
    "Access-Control-Expose-Headers": "X-Total, Link",
  });
});
