import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type TestService } from "../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const get = (id: unknown, { key = service.acme.secretKey, content = {} as unknown } = {}) =>
  service.send({ method: "GET", path: `/v1/webhooks/${id}`, key, content });

describe("200", () => {
  it("answers the webhook", async () => {
    const { id, url, events } = service.acme.webhook;
    const { status, body } = await get(id);
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: true, data: { webhook: { id, url, events } } },
    });
  });

  it("keeps the events in their order", async () => {
    const { tenant_id, url } = service.acme.webhook;
    const events = ["order.paid", "order.created", "order.cancelled"];
    const { id } = await service.store.webhooks.create({ tenant_id, url, events });
    expect((await get(id)).body).toMatchObject({ data: { webhook: { events } } });
  });

  it("does not need the empty content", async () => {
    expect((await get(service.acme.webhook.id, { content: undefined })).status).toBe(200);
  });
});

describe("404", () => {
  it("cannot tell another tenant's webhook from one that does not exist", async () => {
    const headers = { "x-request-id": "same" };
    const call = (id: number) =>
      service.send({
        method: "GET",
        path: `/v1/webhooks/${id}`,
        key: service.acme.secretKey,
        headers,
        content: {},
      });
    const foreign = await call(service.rival.webhook.id);
    const absent = await call(999_999);
    expect(foreign).toEqual({ ...absent, headers: { ...absent.headers, date: foreign.headers.date } });
    expect(absent).toMatchObject({ status: 404, body: { error: { code: "webhook_not_found" } } });
  });
});

describe("422", () => {
  it.each([
    ["abc", "must be an integer"],
    ["1.5", "must be an integer"],
    ["01", "must be an integer"],
    ["%20", "must be an integer"],
    ["0", "must be at least 1"],
    ["-1", "must be at least 1"],
    ["9007199254740992", "must be at most 9007199254740991"],
  ])("refuses the identifier %s", async (id, message) => {
    const { status, body } = await get(id);
    expect({ status, body }).toMatchObject({
      status: 422,
      body: {
        error: { code: "request_invalid", problems: [{ in: "path", pointer: "/webhook_id", message }] },
      },
    });
  });

  it("reports faults of the path and of the content together", async () => {
    const { body } = await get("abc", { content: { extra: 1 } });
    expect(body).toMatchObject({
      error: {
        message: "The request has 2 faults.",
        problems: [
          { in: "path", pointer: "/webhook_id", message: "must be an integer" },
          { in: "body", pointer: "/extra", message: "is not a known property" },
        ],
      },
    });
  });
});

describe("403", () => {
  it("refuses a publishable key", async () => {
    const { status, body } = await get(service.acme.webhook.id, { key: service.acme.publishableKey });
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { error: { code: "api_key_kind_forbidden" } },
    });
  });
});
