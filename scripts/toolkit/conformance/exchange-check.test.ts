import { describe, expect, it } from "vitest";
import document from "../../../generated/openapi.json" with { type: "json" };
import { type HttpResponse, inWords } from "./exchange.ts";
import { responseProblems } from "./exchange-check.ts";
import { modelOf } from "./operation-model.ts";

const { operations } = modelOf(document);
const responses = operations.find(({ id }) => id === "getWebhook")?.responses ?? [];

const bytes = (value: unknown): Uint8Array =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value));

const common = [
  ["X-Request-Id", "r"],
  ["cache-control", "no-store"],
  ["accept-query", "application/json"],
] as const;
const json = ["Content-Type", "application/json"] as const;
const webhook = { id: 1, url: "https://shop.test/", events: ["order.created"] };
const response: HttpResponse = {
  status: 200,
  headers: [...common, ["content-type", "application/json; charset=utf-8"]],
  body: bytes({ status: true, data: { webhook } }),
};
const error = (code: string) => bytes({ status: false, error: { code, message: "m", request_id: "r" } });

const problemsOf = (received: Partial<HttpResponse>, method = "GET") =>
  responseProblems(responses, method, { ...response, ...received }).map(inWords);

describe("a response", () => {
  it("that the document allows has no problem, with HEAD also without a body", () => {
    expect([problemsOf({}), problemsOf({ body: bytes("") }, "HEAD")]).toEqual([[], []]);
  });

  const headers = [...common, json];
  it.each([
    [{ headers: [json, common[1], common[2]] }, "header /X-Request-Id is required"],
    [{ headers: common }, "media type is missing"],
    [
      { headers: [...common, ["content-type", "text/html"]] },
      "media type text/html is not documented, only application/json",
    ],
    [
      { headers: [...common, ["content-type", "application/json; charset=iso-8859-1"]] },
      "media type has a charset other than UTF-8",
    ],
    [{ headers, body: bytes("<") }, "content cannot be read as application/json"],
    [
      { status: 503, headers: [...headers, ["Retry-After", "soon"]], body: error("unavailable") },
      "header /Retry-After violates `type: integer`",
    ],
  ] as const)("that violates the document has a problem: %j", (received, problem) => {
    expect(problemsOf(received)).toEqual([problem]);
  });
});
