/** Tests that middleware works as openapi-fetch documents it, for every operation and every way to call it. */
import type { Middleware } from "openapi-fetch";
import { describe, expect, it, vi } from "vitest";
import { type ClientOptions, ConnectionError, createClient, unwrap } from "../index.ts";

const webhook = { status: true, data: { webhook: { id: 1, url: "https://a.test", events: [] } } };
const init = { params: { path: { webhook_id: 1 } } };
const commission = { title: "Flat", type: "supply", default_value: 10 };

/** Returns a client whose requests get this response, and the requests that it sent. */
function scripted(respond: () => Response, options: Partial<ClientOptions> = {}) {
  const sent: { method: string; url: string; body: string; mine: string | null }[] = [];
  const client = createClient({
    baseUrl: "http://service.test",
    apiKey: "sk_1",
    fetch: async (request) => {
      const { method, url, headers } = request;
      sent.push({ method, url, body: await request.text(), mine: headers.get("x-mine") });
      return respond();
    },
    ...options,
  });
  return { client, sent };
}
const found = () => Response.json(webhook);
const failed = () => Response.json({ error: { code: "internal_error" } }, { status: 500 });

describe("a middleware", () => {
  it("gets the request with its path and parameters, and the response", async () => {
    const { client } = scripted(found);
    const reported: unknown[] = [];
    client.use({
      onRequest: ({ request, schemaPath, params }) =>
        void reported.push([request.method, schemaPath, params]),
      onResponse: async ({ response }) => void reported.push(await response.clone().json()),
    });
    const { response: _, requestId: __, operationId: ___, ...result } = await client.getWebhook(init);
    expect([reported, result]).toEqual([
      [["GET", "/v1/webhooks/{webhook_id}", init.params], webhook],
      { status: 200, data: webhook },
    ]);
  });

  it.each<[how: string, onRequest: NonNullable<Middleware["onRequest"]>]>([
    ["sets its headers", ({ request }) => request.headers.set("X-Mine", "1")],
    [
      "returns another Request",
      ({ request }) =>
        new Request(request, { headers: { ...Object.fromEntries(request.headers), "X-Mine": "1" } }),
    ],
  ])("that changes a request (%s) keeps the body of a GET", async (_, onRequest) => {
    const { client, sent } = scripted(found);
    client.use({ onRequest });
    await client.submitCommission({ body: { commission } });
    expect(sent).toEqual([
      { method: "GET", url: "http://service.test/", body: JSON.stringify({ commission }), mine: "1" },
    ]);
  });

  it.each([
    [200, "application/json", JSON.stringify(webhook), { status: 200, data: webhook }],
    [404, "application/json", '{"a":1}', { status: 404, error: { a: 1 } }],
    [
      503,
      "text/html",
      "<h1>",
      { status: "undocumented", error: { httpStatus: 503, contentType: "text/html", text: "<h1>" } },
    ],
  ])(
    "can respond with %i to %s, without a request to the server",
    async (status, contentType, text, result) => {
      const { client, sent } = scripted(found);
      client.use({
        onRequest: () => new Response(text, { status, headers: { "Content-Type": contentType } }),
      });
      const { response: _, requestId: __, operationId: ___, ...got } = await client.getWebhook(init);
      expect([got, sent]).toEqual([result, []]);
    },
  );

  it("can replace a response", async () => {
    const { client } = scripted(failed);
    client.use({ onResponse: ({ response }) => (response.ok ? undefined : found()) });
    expect(await unwrap(client.getWebhook(init))).toEqual(webhook);
  });

  it("can read an undocumented response, whose raw text the result still has", async () => {
    const text = '{"a" :\n1}';
    const { client } = scripted(
      () => new Response(text, { status: 500, headers: { "Content-Type": "text/json" } }),
    );
    client.use({ onResponse: async ({ response }) => void (await response.clone().text()) });
    expect((await client.getWebhook(init)).error).toEqual({
      httpStatus: 500,
      contentType: "text/json",
      text,
    });
  });

  it("is called once for a call with retries, and each retry sends the request that it returned", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { client, sent } = scripted(() => Response.json({}, { status: 503 }));
    const onRequest = vi.fn<NonNullable<Middleware["onRequest"]>>(({ request }) =>
      request.headers.set("X-Mine", "1"),
    );
    const onResponse = vi.fn();
    client.use({ onRequest, onResponse });
    await client.getWebhook(init);
    vi.restoreAllMocks();
    expect([onRequest.mock.calls.length, onResponse.mock.calls.length, sent.map(({ mine }) => mine)]).toEqual(
      [1, 1, ["1", "1", "1"]],
    );
  });

  it("gets the error of a failed call, and can return a response instead", async () => {
    const errors: unknown[] = [];
    const { client } = scripted(found, { fetch: () => Promise.reject(new Error("down")), maxRetries: 0 });
    const onError: Middleware = {
      onError: ({ error }) => {
        errors.push(error);
        return found();
      },
    };
    client.use(onError);
    expect((await client.getWebhook(init)).status).toBe(200);
    client.eject(onError);
    await expect(client.getWebhook(init)).rejects.toBeInstanceOf(ConnectionError);
    expect(errors).toEqual([expect.any(ConnectionError)]);
  });
});
