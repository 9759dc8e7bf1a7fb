import { describe, expect, it } from "vitest";
import document from "../../generated/openapi.json" with { type: "json" };
import { inWords, type ReceivedResponse, type SentRequest } from "./exchange.ts";
import { checkExchange } from "./exchange-check.ts";
import { modelOf } from "./operation-model.ts";

const model = modelOf(document);

const bytes = (value: unknown): Uint8Array =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value));

const common = [
  ["X-Request-Id", "r"],
  ["cache-control", "no-store"],
  ["accept-query", "application/json"],
] as const;
const json = ["Content-Type", "application/json"] as const;
const key = ["Authorization", "Bearer sk_x"] as const;

const request: SentRequest = {
  method: "GET",
  target: "/v1/webhooks/1",
  headers: [key, json],
  content: bytes({}),
};
const webhook = { id: 1, url: "https://shop.test/", events: ["order.created"] };
const response: ReceivedResponse = {
  status: 200,
  headers: [...common, ["content-type", "application/json; charset=utf-8"]],
  content: bytes({ status: true, data: { webhook } }),
};
const error = (code: string) => bytes({ status: false, error: { code, message: "m", request_id: "r" } });

const valid = { operationId: "getWebhook", request: [], response: [], isWronglyAccepted: false };

/** Returns what is found, with each problem in words. */
function check(sent: Partial<SentRequest>, received: Partial<ReceivedResponse> = {}) {
  const found = checkExchange(model, { ...request, ...sent }, { ...response, ...received });
  return { ...found, request: found.request.map(inWords), response: found.response.map(inWords) };
}

describe("an exchange that the document allows", () => {
  it.each([
    ["like the documented one", {}, {}],
    ["without an optional body", { content: bytes("") }, {}],
    ["with HEAD, whose response has no body", { method: "HEAD" }, { content: bytes("") }],
    ["with an undeclared query parameter", { target: "/v1/webhooks/1?x=/" }, {}],
  ])("has no problem: %s", (_, sent, received) => {
    expect(check(sent, received)).toEqual(valid);
  });

  it("may match no operation if the response to unmatched requests is documented", () => {
    const received = { status: 404, headers: [...common, json], content: error("route_not_found") };
    expect(check({ target: "/v1/none" }, received)).toEqual({
      operationId: undefined,
      request: ["path is not documented"],
      response: [],
      isWronglyAccepted: false,
    });
  });
});

describe("a request", () => {
  it.each([
    [{ headers: [json] }, "credential is required"],
    [{ headers: [json, ["authorization", "Basic eA=="]] }, "credential is required"],
    [{ target: "/v1/webhooks/x" }, "path /webhook_id violates `type: integer`"],
    [{ content: bytes({ id: 1 }) }, "body /id is not a known property"],
    [{ content: bytes("{") }, "content cannot be read as its media type"],
    [{ headers: [key, ["Content-Type", "text/plain"]] }, "media type is not documented"],
  ] as const)("is wrongly accepted if it is invalid but succeeds: %j", (sent, problem) => {
    expect(check(sent)).toEqual({ ...valid, request: [problem], isWronglyAccepted: true });
  });

  it("is not reported as wrongly accepted if it is invalid and rejected", () => {
    const received = { status: 422, headers: [...common, json], content: error("request_invalid") };
    expect(check({ target: "/v1/webhooks/0" }, received)).toEqual({
      ...valid,
      request: ["path /webhook_id violates `minimum: 1`"],
    });
  });

  it("with an undocumented method is compared with the responses to unmatched requests", () => {
    expect(check({ method: "DELETE" })).toEqual({
      operationId: undefined,
      request: ["method is not documented for this path"],
      response: ["status 200 is not documented"],
      isWronglyAccepted: true,
    });
  });

  it("without a required body has a problem", () => {
    const { request: problems } = check({ target: "/", content: bytes("") });
    expect(problems).toEqual(["body is required"]);
  });
});

describe("a response", () => {
  const headers = [...common, json];
  it.each([
    [{ status: 201 }, "status 201 is not documented"],
    [{ headers: [json, common[1], common[2]] }, "header /X-Request-Id is required"],
    [
      { headers: [json, common[0], common[2], ["cache-control", "public"]] },
      'header /Cache-Control violates `const: "no-store"`',
    ],
    [{ headers: common }, "media type is missing"],
    [{ headers: [...common, ["content-type", "text/html"]] }, "media type is not documented"],
    [
      { headers: [...common, ["content-type", "application/json; charset=iso-8859-1"]] },
      "media type has a charset other than UTF-8",
    ],
    [{ headers, content: bytes("<") }, "content cannot be read as application/json"],
    [
      { headers, content: bytes({ status: true, data: { webhook: { ...webhook, id: "1" } } }) },
      "body /data/webhook/id violates `type: integer`",
    ],
    [{ headers, content: bytes({ status: true, data: {} }) }, "body /data/webhook is required"],
    [
      { status: 503, headers: [...headers, ["Retry-After", "soon"]], content: error("unavailable") },
      "header /Retry-After violates `type: integer`",
    ],
  ] as const)("that violates the document has a problem: %j", (received, problem) => {
    expect(check({}, received)).toEqual({ ...valid, response: [problem] });
  });
});
