import { describe, expect, it } from "vitest";
import { contract } from "../../../generated/contract.ts";
import document from "../../../generated/openapi.json" with { type: "json" };
import { readSpec } from "../openapi/read-spec.ts";
import { type Cell, Coverage, keyOf, type ObservedExchange, usedCell } from "./cells.ts";
import { described, summarise } from "./summary.ts";

const coverage = new Coverage(document);
const cells = coverage.cells();
const all = new Set(cells.map(keyOf));
const headers = [
  ["X-Request-Id", "r"],
  ["Cache-Control", "no-store"],
  ["Accept-Query", "application/json"],
  ["Content-Type", "application/json"],
] as const;
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const failure = (code: string) => bytes({ status: false, error: { code, message: "m", request_id: "r" } });

const exchange = (
  status: number,
  bytes: Uint8Array,
  more: Partial<ObservedExchange> = {},
): ObservedExchange => ({
  operationId: "submitCommission",
  method: "GET",
  response: { status, headers, body: bytes },
  ...more,
});
const record = bytes({ status: true, data: { commission: { id: 1, rate: 1 } } });

/** Returns the covered cells of the operation, or those that responses share. */
function shown(observed: ObservedExchange, isShared = false): string[] {
  return coverage
    .shownBy(observed)
    .filter(({ operation }) => (operation === "responses") === isShared)
    .map(({ kind, row, column }) => `${kind} ${row} ${column}`);
}

describe("an exchange", () => {
  it("covers its response and its error code", () => {
    expect([shown(exchange(200, record)), shown(exchange(500, failure("internal_error")))]).toEqual([
      ["response 200 application/json"],
      ["response 500 application/json", "code 500 internal_error"],
    ]);
  });

  it("by the method of a twin covers this method, and everything else for the GET", () => {
    const method = "QUERY";
    expect([
      shown(exchange(200, record, { method })),
      shown(exchange(500, failure("internal_error"), { method })).length,
    ]).toEqual([["response 200 application/json", "method success QUERY"], 2]);
    expect(cells.filter(({ kind }) => kind === "method").map(described)).toEqual(
      ["submitCommission", "getWebhook"].map(
        (id) => `${id} with QUERY; add a test that sends QUERY and succeeds`,
      ),
    );
  });

  it("covers no cell if its response violates the document", () => {
    expect(shown(exchange(200, bytes({ status: true, data: {} })))).toEqual([]);
    expect(shown(exchange(418, record))).toEqual([]);
  });

  it("covers each property and header of its response at the place that declares it", () => {
    const problems = [{ in: "body", pointer: "/commission", message: "is required" }];
    const error = { code: "request_invalid", message: "m", request_id: "r", problems };
    const observed = exchange(422, bytes({ status: false, error }));
    expect(coverage.shownBy(observed).filter((cell) => !all.has(keyOf(cell)))).toEqual([]);
    expect(shown(observed, true)).toEqual([
      "property /components/schemas/Error status",
      "property /components/schemas/Error error",
      ...["code", "message", "request_id", "problems"].map(
        (name) => `property /components/schemas/Error/properties/error ${name}`,
      ),
      ...["in", "pointer", "message"].map((name) => `property /components/schemas/Problem ${name}`),
      "header /components/responses/InvalidRequest X-Request-Id",
      "header /components/responses/InvalidRequest Cache-Control",
    ]);
  });

  it("with HEAD covers headers, but no property of the body", () => {
    const held = shown(exchange(200, new Uint8Array(), { method: "HEAD" }), true);
    expect(held.map((each) => each.replace(/ \S+ /, " "))).toEqual([
      "header X-Request-Id",
      "header Cache-Control",
      "header Accept-Query",
    ]);
  });
});

describe("the matrix", () => {
  it("has every documented status of every operation and of unmatched requests", () => {
    const statuses = Object.values(contract.operations).flatMap(({ responses }) => Object.keys(responses));
    expect(cells.filter(({ kind }) => kind === "response").length).toBe(
      statuses.length + Object.keys(contract.unmatched).length,
    );
  });

  it("has every error code of the spec", () => {
    const codes = new Set(cells.filter(({ kind }) => kind === "code").map(({ column }) => column));
    expect([...codes].toSorted()).toEqual(document.components.schemas.ErrorCode.enum);
  });

  it("contains each cell once", () => expect(all.size).toBe(cells.length));
});

describe("a summary", () => {
  it("lists each cell that no test covers, and says which test to add", () => {
    const missing: Cell[] = [
      { operation: "loginUser", kind: "response", row: "422", column: "application/json" },
      { operation: "loginUser", kind: "code", row: "401", column: "totp_invalid" },
      usedCell("getWebhook", "path /webhook_id"),
    ];
    const { lines, untested } = summarise(cells, all.difference(new Set(missing.map(keyOf))));
    expect(untested).toEqual(missing);
    expect(lines[0]).toBe(`contract coverage: ${cells.length - missing.length} of ${cells.length} cells`);
    expect(lines.filter((line) => line.startsWith("untested"))).toEqual([
      "untested: loginUser 422 (application/json); add a test with this response, for example to a query parameter that is given twice",
      "untested: loginUser 401 with the code totp_invalid; add a test with this response",
      "untested: getWebhook path /webhook_id; no handler reads it: use it in the operation's handler, or remove it from the spec",
    ]);
  });

  it("lists declared properties and headers that no response contains", () => {
    const changed = structuredClone(document);
    const { schemas, responses } = changed.components;
    Object.assign(schemas.Commission.properties, { note: { type: "string" } });
    Object.assign(responses.Unavailable.headers, { "X-Cause": { schema: true } });
    const { lines } = summarise(new Coverage(changed).cells(), all);
    expect(lines.filter((line) => line.startsWith("untested"))).toEqual([
      "untested: the property note of /components/schemas/Commission; no response contains it: add a test with a response that does, or remove it from the spec",
      "untested: the header X-Cause of /components/responses/Unavailable; no response contains it: add a test with a response that does, or remove it from the spec",
    ]);
  });
});

it("webhooks and callbacks are covered by the responses of a receiver", async () => {
  const { document: separate } = await readSpec("scripts/toolkit/generate/fixtures/accept/webhooks.yaml");
  const ofShop = new Coverage(separate);
  const rows = ofShop
    .cells()
    .filter(({ operation }) => operation === "newOrder")
    .map(({ kind, row, column }) => `${kind} ${row} ${column}`);
  expect(rows).toEqual([
    "response 200 application/json",
    "response 410 no content",
    "parameter header /X-Topic used",
    "parameter query /urgent used",
  ]);
  const gone = {
    operationId: "newOrder",
    method: "POST",
    response: { status: 410, headers: [], body: bytes("") },
  };
  const empty = { ...gone, response: { ...gone.response, body: new Uint8Array() } };
  expect([ofShop.shownBy(gone), ofShop.shownBy(empty).map(keyOf)]).toEqual([
    [],
    [keyOf({ operation: "newOrder", kind: "response", row: "410", column: "no content" })],
  ]);
});
