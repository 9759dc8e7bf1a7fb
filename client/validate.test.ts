import { describe, expect, it } from "vitest";
import { createClient } from "./index.ts";
import { validateResponse } from "./validate.ts";

const webhook = { id: 7, url: "https://shop.test/hooks", events: ["order.created"] };
const error = { code: "webhook_not_found", message: "There is none.", request_id: "r" };

/** The result of getWebhook for this answer, validated against its schema. */
async function resultFor(status: number, body: unknown, headers = {}) {
  const client = createClient({
    baseUrl: "http://service.test",
    apiKey: "sk_1",
    validate: validateResponse,
    fetch: async (request) => {
      await request.text();
      return Response.json(body, { status, headers: { "X-Request-Id": "r", ...headers } });
    },
  });
  const { response: _, ...result } = await client.getWebhook({ params: { path: { webhook_id: 7 } } });
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

describe("an answer that is held to its schema", () => {
  it("is documented where it fits, also with what a newer server has added", async () => {
    const body = { status: true, data: { webhook: { ...webhook, made_at: "2026-01-01" }, more: 1 }, more: 1 };
    expect(await resultFor(200, body)).toEqual({ status: 200, requestId: "r", data: body });
  });

  it("is undocumented where it does not, with its text and every problem", async () => {
    const body = { status: true, data: { webhook: { ...webhook, id: "7", events: [1] } } };
    expect(await resultFor(200, body)).toEqual(
      undocumented(200, body, [
        { pointer: "/data/webhook/id", message: "must be an integer" },
        { pointer: "/data/webhook/events/0", message: "must be a string" },
      ]),
    );
  });

  it("is held to the schema of its own status", async () => {
    const failed = { status: false, error };
    const succeeded = { status: true, data: { webhook } };
    expect([await resultFor(404, failed), (await resultFor(404, succeeded)).status]).toEqual([
      { status: 404, requestId: "r", error: failed },
      "undocumented",
    ]);
  });

  it("is undocumented, too, where its code is one of a newer server, which the text still holds", async () => {
    const body = { status: false, error: { ...error, code: "webhook_paused" } };
    const result = await resultFor(404, body);
    expect(result).toEqual(
      undocumented(404, body, [{ pointer: "/error/code", message: expect.any(String) }]),
    );
  });

  it("is as undocumented as without where its status or media type is", async () => {
    expect(await resultFor(418, {})).toEqual(undocumented(418, {}));
    expect((await resultFor(200, {}, { "Content-Type": "text/html" })).status).toBe("undocumented");
  });
});

it("an answer that is held to nothing keeps a code of a newer server in its documented status", async () => {
  const body = { status: false, error: { ...error, code: "webhook_paused" } };
  const client = createClient({
    baseUrl: "http://service.test",
    apiKey: "sk_1",
    fetch: async (request) => {
      await request.text();
      return Response.json(body, { status: 404 });
    },
  });
  const result = await client.getWebhook({ params: { path: { webhook_id: 7 } } });
  expect([result.status, result.error]).toEqual([404, body]);
});
