import { describe, expect, it } from "vitest";
import { contract } from "../../generated/contract.ts";
import { type Judgement, judgeExchange, type ReceivedAnswer, type SentRequest } from "./contract-check.ts";

const bytes = (value: unknown): Uint8Array =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value));

const common = [
  ["X-Request-Id", "r"],
  ["cache-control", "no-store"],
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
const answer: ReceivedAnswer = {
  status: 200,
  headers: [...common, ["content-type", "application/json; charset=utf-8"]],
  content: bytes({ status: true, data: { webhook } }),
};
const error = (code: string) => bytes({ status: false, error: { code, message: "m", request_id: "r" } });

const sound: Judgement = { operationId: "getWebhook", request: [], answer: [], isWronglyAccepted: false };

const judge = (sent: Partial<SentRequest>, received: Partial<ReceivedAnswer> = {}) =>
  judgeExchange(contract, { ...request, ...sent }, { ...answer, ...received });

describe("an exchange that keeps the contract", () => {
  it.each([
    ["as it is documented", {}, {}],
    ["without content that is optional", { content: bytes("") }, {}],
    ["by HEAD, whose answer has no content", { method: "HEAD" }, { content: bytes("") }],
    ["with a query that nothing reads", { target: "/v1/webhooks/1?x=/" }, {}],
  ])("has no fault: %s", async (_, sent, received) => {
    expect(await judge(sent, received)).toEqual(sound);
  });

  it("may match no operation, and is then answered as documented for that", async () => {
    const received = { status: 404, headers: [...common, json], content: error("route_not_found") };
    expect(await judge({ target: "/v1/none" }, received)).toEqual({
      operationId: undefined,
      request: [{ in: "address", pointer: "", message: "is not documented" }],
      answer: [],
      isWronglyAccepted: false,
    });
  });
});

describe("a request", () => {
  it.each([
    [{ headers: [json] }, { in: "credential", pointer: "", message: "is required" }],
    [
      { headers: [json, ["authorization", "Basic eA=="]] },
      { in: "credential", pointer: "", message: "is required" },
    ],
    [{ target: "/v1/webhooks/x" }, { in: "path", pointer: "/webhook_id", message: "must be an integer" }],
    [{ content: bytes({ id: 1 }) }, { in: "body", pointer: "/id", message: "is not a known property" }],
    [{ content: bytes("{") }, { in: "content", pointer: "", message: "cannot be read as its media type" }],
    [
      { headers: [key, ["Content-Type", "text/plain"]] },
      { in: "media type", pointer: "", message: "is not a documented one" },
    ],
  ] as const)("is told its fault, and that it was taken all the same: %j", async (sent, fault) => {
    expect(await judge(sent)).toEqual({ ...sound, request: [fault], isWronglyAccepted: true });
  });

  it("is not wrongly accepted where it is refused", async () => {
    const received = { status: 422, headers: [...common, json], content: error("request_invalid") };
    expect(await judge({ target: "/v1/webhooks/0" }, received)).toEqual({
      ...sound,
      request: [{ in: "path", pointer: "/webhook_id", message: "must be at least 1" }],
    });
  });

  it("of another method is judged by the answers to what matches no operation", async () => {
    expect(await judge({ method: "DELETE" })).toEqual({
      operationId: undefined,
      request: [{ in: "method", pointer: "", message: "is not documented for this address" }],
      answer: [{ in: "status", pointer: "", message: "200 is not documented" }],
      isWronglyAccepted: true,
    });
  });

  it("that lacks required content says so", async () => {
    const { request: faults } = await judge({ target: "/", content: bytes("") });
    expect(faults).toEqual([{ in: "body", pointer: "", message: "is required" }]);
  });
});

describe("an answer", () => {
  const headers = [...common, json];
  it.each([
    [{ status: 201 }, { in: "status", pointer: "", message: "201 is not documented" }],
    [{ headers: [json, common[1]] }, { in: "header", pointer: "/X-Request-Id", message: "is required" }],
    [
      { headers: [json, common[0], ["cache-control", "public"]] },
      { in: "header", pointer: "/Cache-Control", message: 'must be "no-store"' },
    ],
    [{ headers: common }, { in: "media type", pointer: "", message: "is missing" }],
    [
      { headers: [...common, ["content-type", "text/html"]] },
      { in: "media type", pointer: "", message: "is not a documented one" },
    ],
    [
      { headers: [...common, ["content-type", "application/json; charset=iso-8859-1"]] },
      { in: "media type", pointer: "", message: "names a charset other than UTF-8" },
    ],
    [
      { headers, content: bytes("<") },
      { in: "content", pointer: "", message: "cannot be read as application/json" },
    ],
    [
      { headers, content: bytes({ status: true, data: { webhook: { ...webhook, id: "1" } } }) },
      { in: "body", pointer: "/data/webhook/id", message: "must be an integer" },
    ],
    [
      { headers, content: bytes({ status: true, data: {} }) },
      { in: "body", pointer: "/data/webhook", message: "is required" },
    ],
    [
      { status: 503, headers: [...headers, ["Retry-After", "soon"]], content: error("unavailable") },
      { in: "header", pointer: "/Retry-After", message: "must be an integer" },
    ],
  ] as const)("is told its fault: %j", async (received, fault) => {
    expect(await judge({}, received)).toEqual({ ...sound, answer: [fault] });
  });
});
