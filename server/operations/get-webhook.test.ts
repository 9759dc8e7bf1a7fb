import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type TestService } from "../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const get = (id: unknown, { key = service.acme.secretKey, headers = {}, body = {} } = {}) =>
  service.send({ method: "GET", path: `/v1/webhooks/${id}`, key, headers, body });

describe("200", () => {
  it("returns the webhook", async () => {
    const { id, url, events } = service.acme.webhook;
    const { status, body } = await get(id);
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: true, data: { webhook: { id, url, events } } },
    });
  });
});

describe("404", () => {
  it("gives another tenant's webhook the same response as a missing one", async () => {
    const headers = { "x-request-id": "0b6f3c1e-6a52-4d0e-9d6f-2f3a5d1c7e11" };
    const foreign = await get(service.rival.webhook.id, { headers });
    const absent = await get(999_999, { headers });
    expect(foreign).toEqual({ ...absent, headers: { ...absent.headers, date: foreign.headers.date } });
    expect(absent).toMatchObject({ status: 404, body: { error: { code: "webhook_not_found" } } });
  });
});

describe("422", () => {
  it("reports problems of the path and of the body together", async () => {
    const { body } = await get("abc", { body: { extra: 1 } });
    expect(body).toMatchObject({
      error: {
        message: "The request has 2 problems.",
        problems: [
          { in: "path", pointer: "/webhook_id", message: "must be an integer" },
          { in: "body", pointer: "/extra", message: "is not a known property" },
        ],
      },
    });
  });
});
