import { describe, expect, it } from "vitest";
import { contract } from "../../generated/contract.ts";
import document from "../../generated/openapi.json" with { type: "json" };
import { type Cell, Coverage, keyOf, type ObservedExchange, usedCell } from "./cells.ts";
import { described, summarise } from "./summary.ts";

const coverage = new Coverage(document);
const matrix = coverage.matrix();
const headers = [
  ["X-Request-Id", "r"],
  ["Cache-Control", "no-store"],
  ["Accept-Query", "application/json"],
  ["Content-Type", "application/json"],
] as const;
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const failure = (code: string) => bytes({ status: false, error: { code, message: "m", request_id: "r" } });

function submission(
  content: unknown,
  status: number,
  received: Uint8Array,
  rejection?: ObservedExchange["rejection"],
): ObservedExchange {
  return {
    operationId: "submitCommission",
    request: {
      method: "GET",
      target: "/",
      headers: [["Content-Type", "application/json"]],
      content: bytes(content),
    },
    rejection,
    response: { status, headers, content: received },
  };
}
const record = bytes({ status: true, data: { commission: { id: 1, rate: 1 } } });
const commission = { title: "Flat", type: "supply", default_value: 1 };

/** Returns the cells that an exchange covers, without those of the response's properties and headers. */
function shown(exchange: ObservedExchange): string[] {
  return coverage
    .shownBy(exchange)
    .filter(({ operation }) => operation !== "responses")
    .map((cell) => keyOf(cell).replaceAll("\t", " ").replace("submitCommission ", ""));
}

describe("an exchange", () => {
  it("that succeeds covers its response, its credential, its body and each place that was sent or omitted", () => {
    expect(shown(submission({ commission: { ...commission, active: true } }, 200, record))).toEqual([
      "response 200 application/json",
      "credential credential valid",
      "content content application/json",
      "value body / valid",
      "value body /commission valid",
      "value body /commission/title valid",
      "value body /commission/type valid",
      "value body /commission/default_value valid",
      "value body /commission/active valid",
      "value body /commission/commission_data absent",
    ]);
  });

  it("by the method of a twin covers this method, and everything else for the GET", () => {
    const { request, ...got } = submission({ commission }, 200, record);
    const asked = request && { ...request, method: "QUERY" };
    expect(shown({ ...got, request: asked }).toSpliced(1, 1)).toEqual(shown({ ...got, request }));
    expect(shown({ ...got, request: asked })[1]).toBe("method success QUERY");
    const cells = matrix.cells.filter(({ kind }) => kind === "method");
    expect(cells.map(described)).toEqual(
      ["submitCommission", "getWebhook"].map(
        (id) => `${id} with QUERY; add a test that sends QUERY and succeeds`,
      ),
    );
  });

  it("that is rejected because of its values covers each violated constraint", () => {
    const sent = {
      commission: {
        type: "",
        default_value: -1,
        extra: 1,
        commission_data: [{ type: 3 }, { type: 1, category: [] }],
      },
    };
    const places = shown(submission(sent, 422, failure("request_invalid"), "request_invalid"));
    expect(places.filter((place) => place.startsWith("value") && !/ (valid|absent)$/.test(place))).toEqual([
      "value body /commission/title required",
      "value body /commission/type minLength",
      "value body /commission/default_value minimum",
      "value body /commission/commission_data/*/type tag",
      "value body /commission/commission_data/*/(FixedRule)/fixed_value required",
      "value body /commission additionalProperties",
    ]);
    expect(places.slice(0, 3)).toEqual([
      "response 422 application/json",
      "code 422 request_invalid",
      "credential credential valid",
    ]);
  });

  it("that is rejected before validation covers no place of the request", () => {
    const rejected = submission({ commission }, 401, failure("api_key_invalid"), "credential_invalid");
    const response = { ...rejected.response, headers: [...headers, ["WWW-Authenticate", "Bearer"] as const] };
    expect(shown({ ...rejected, response })).toEqual([
      "response 401 application/json",
      "code 401 api_key_invalid",
      "credential credential wrong",
    ]);
  });

  it("covers no cell if its response violates the document", () => {
    expect(shown(submission({ commission }, 200, bytes({ status: true, data: {} })))).toEqual([]);
    expect(shown(submission({ commission }, 418, record))).toEqual([]);
  });

  it("that accepts an invalid value does not cover its constraint", () => {
    expect(shown(submission({ commission: { ...commission, title: "" } }, 200, record))).not.toContain(
      "value body /commission/title minLength",
    );
  });

  it("that is rejected covers only invalid places", () => {
    const sent = { commission: { ...commission, title: "" } };
    expect(shown(submission(sent, 422, failure("request_invalid"), "request_invalid"))).toEqual([
      "response 422 application/json",
      "code 422 request_invalid",
      "credential credential valid",
      "value body /commission/title minLength",
    ]);
  });

  it("with a 500 covers only its response, because the request may not have been read", () => {
    expect(shown(submission({ commission }, 500, failure("internal_error")))).toEqual([
      "response 500 application/json",
      "code 500 internal_error",
    ]);
  });

  it("covers each property and header of its response at the place that declares it", () => {
    const problems = [{ in: "body", pointer: "/commission", message: "is required" }];
    const error = { code: "request_invalid", message: "m", request_id: "r", problems };
    const exchange = submission({}, 422, bytes({ status: false, error }), "request_invalid");
    const held = coverage.shownBy(exchange).filter(({ operation }) => operation === "responses");
    expect(held.map(({ kind, row, column }) => `${kind} ${row} ${column}`)).toEqual([
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

  it("does not cover the use of a parameter, so the report says that no handler reads it", () => {
    const isUsed = (cell: Cell) => keyOf(cell) === keyOf(usedCell("getWebhook", "path /webhook_id"));
    expect(matrix.cells.filter(isUsed).map(described)).toEqual([
      "getWebhook path /webhook_id; no handler reads it: use it in the operation's handler, or remove it from the spec",
    ]);
  });

  it("with HEAD covers headers, but no property of the body", () => {
    const { request, ...got } = submission({ commission }, 200, new Uint8Array());
    const asked = request && { ...request, method: "HEAD" };
    const held = coverage
      .shownBy({ ...got, request: asked })
      .filter(({ operation }) => operation === "responses");
    expect(held.map(({ kind, column }) => `${kind} ${column}`)).toEqual([
      "header X-Request-Id",
      "header Cache-Control",
      "header Accept-Query",
    ]);
  });

  it("covers only cells of the matrix", () => {
    const known = new Set(matrix.cells.map(keyOf));
    const all = [
      submission({ commission }, 200, record),
      submission([], 422, failure("request_invalid"), "request_invalid"),
      submission("", 413, failure("content_too_large"), "content_too_large"),
      submission("", 415, failure("unsupported_media_type"), "media_type_unsupported"),
    ].flatMap((each) => coverage.shownBy(each));
    expect(all.length).toBeGreaterThan(15);
    expect(all.filter((cell) => !known.has(keyOf(cell)))).toEqual([]);
  });
});

describe("the matrix", () => {
  const count = (kind: Cell["kind"], operation?: string) =>
    matrix.cells.filter(
      (cell) => cell.kind === kind && (operation === undefined || cell.operation === operation),
    ).length;

  it("has every documented status of every operation and of unmatched requests", () => {
    const statuses = Object.values(contract.operations).flatMap(({ responses }) => Object.keys(responses));
    expect(count("response")).toBe(statuses.length + Object.keys(contract.unmatched).length);
  });

  it("has every error code of the spec", () => {
    const codes = new Set(matrix.cells.filter(({ kind }) => kind === "code").map(({ column }) => column));
    expect([...codes].toSorted()).toEqual(document.components.schemas.ErrorCode.enum);
  });

  it("has a cell for each way in which a path parameter can be invalid", () => {
    const rows = matrix.cells.filter(({ row }) => row.startsWith("path /webhook_id"));
    expect(rows.map(({ column }) => column)).toEqual(["valid", "type", "minimum", "maximum", "used"]);
  });

  it("contains each cell once", () => {
    expect(new Set(matrix.cells.map(keyOf)).size).toBe(matrix.cells.length);
  });
});

describe("a summary", () => {
  const all = new Set(matrix.cells.map(keyOf));
  const missing: Cell[] = [
    { operation: "loginUser", kind: "response", row: "429", column: "application/json" },
    { operation: "getWebhook", kind: "value", row: "path /webhook_id", column: "minimum" },
  ];

  it("lists no cell if all cells are covered", () => {
    const { lines, untested } = summarise(matrix, all);
    expect(untested).toEqual([]);
    expect(lines[0]).toBe(`contract coverage: ${matrix.cells.length} of ${matrix.cells.length} cells`);
    expect(lines.filter((line) => line.startsWith("untested"))).toEqual([]);
  });

  it("lists each cell that no test covers, and says which test to add", () => {
    const shownCells = new Set([...all].filter((key) => !missing.map(keyOf).includes(key)));
    const { lines, untested } = summarise(matrix, shownCells);
    expect(untested).toEqual(missing);
    expect(lines.filter((line) => line.startsWith("untested"))).toEqual([
      "untested: loginUser 429 (application/json); add a test with this response",
      "untested: getWebhook path /webhook_id (minimum); add a test with such a request that is rejected for this reason",
    ]);
  });

  it("lists declared properties and headers that no response contains", () => {
    const { components } = document;
    const { Commission } = components.schemas;
    const { Unavailable } = components.responses;
    const changed = {
      ...document,
      components: {
        ...components,
        schemas: {
          ...components.schemas,
          Commission: { ...Commission, properties: { ...Commission.properties, note: { type: "string" } } },
        },
        responses: {
          ...components.responses,
          Unavailable: { ...Unavailable, headers: { ...Unavailable.headers, "X-Cause": { schema: true } } },
        },
      },
    };
    const cells = new Coverage(changed).matrix();
    const { lines } = summarise(cells, all);
    expect(lines.filter((line) => line.startsWith("untested"))).toEqual([
      "untested: the property note of /components/schemas/Commission; no response contains it: add a test with a response that does, or remove it from the spec",
      "untested: the header X-Cause of /components/responses/Unavailable; no response contains it: add a test with a response that does, or remove it from the spec",
    ]);
  });
});
