import { describe, expect, it } from "vitest";
import { createClient } from "./index.ts";
import { validateResponse } from "./validate.ts";

const webhook = { id: 7, url: "https://shop.test/hooks", events: ["order.created"] };
const error = { code: "webhook_not_found", message: "There is none.", request_id: "r" };

/** Returns the result of getWebhook for this response. */
async function resultFor(
  status: number,
  body: unknown,
  headers = {},
  options: object = { validate: validateResponse },
) {
  const client = createClient({
    baseUrl: "http://service.test",
    apiKey: "sk_1",
    fetch: async (request) => {
      await request.text();
      return Response.json(body, { status, headers: { "X-Request-Id": "r", ...headers } });
    },
    ...options,
  });
  const init = { params: { path: { webhook_id: 7 } } };
  const { response: _, operationId: __, ...result } = await client.getWebhook(init);
  return result;
}
const undocumented = (httpStatus: number, body: unknown, problems?: unknown) => ({
  status: "undocumented",
  requestId: "r",
  error: {
    httpStatus,
    contentType: "application/json",
    text: JSON.stringify(body),
    ...(problems !== undefined && { problems }),
  },
});

describe("a response that is validated against its schema", () => {
  it("is documented if it is valid, even with properties that a newer server has added", async () => {
    const body = { status: true, data: { webhook: { ...webhook, made_at: "2026-01-01" }, more: 1 }, more: 1 };
    expect(await resultFor(200, body)).toEqual({ status: 200, requestId: "r", data: body });
  });

  it("is undocumented if it is invalid, and has its text and every problem", async () => {
    const body = { status: true, data: { webhook: { ...webhook, id: "7", events: [1] } } };
    expect(await resultFor(200, body)).toEqual(
      undocumented(200, body, [
        { pointer: "/data/webhook/id", message: "must be an integer" },
        { pointer: "/data/webhook/events/0", message: "must be a string" },
      ]),
    );
  });

  it("is validated against the schema of its status", async () => {
    const failed = { status: false, error };
    const succeeded = { status: true, data: { webhook } };
    expect([await resultFor(404, failed), (await resultFor(404, succeeded)).status]).toEqual([
      { status: 404, requestId: "r", error: failed },
      "undocumented",
    ]);
  });

  it("is undocumented if a newer server has added its code, and its text contains the code", async () => {
    const body = { status: false, error: { ...error, code: "webhook_paused" } };
    const result = await resultFor(404, body);
    expect(result).toEqual(
      undocumented(404, body, [{ pointer: "/error/code", message: expect.any(String) }]),
    );
  });

  it("is still undocumented if its status or media type is undocumented", async () => {
    expect(await resultFor(418, {})).toEqual(undocumented(418, {}));
    expect((await resultFor(200, {}, { "Content-Type": "text/html" })).status).toBe("undocumented");
  });
});

it("without validation, a response is documented even if a newer server has added its code", async () => {
  const body = { status: false, error: { ...error, code: "webhook_paused" } };
  expect(await resultFor(404, body, {}, {})).toEqual({ status: 404, requestId: "r", error: body });
});
