/** Tests the mock as users of the package import it: by the package's name, in the same process. */
import { createClient, unwrap } from "commerce-service/client";
import { createMockFetch, type MockResponses } from "commerce-service/client/mock";
import { describe, expect, it } from "vitest";
import document from "../../generated/openapi.json" with { type: "json" };

const mocked = (responses?: MockResponses, apiKey = "sk_test") =>
  createClient({ baseUrl: "http://mock.test", apiKey, fetch: createMockFetch(responses) });
const commission = { title: "Mine", type: "supply", default_value: 3 };
const webhook = { params: { path: { webhook_id: 1 } } };

describe("a client that uses the mock", () => {
  it("returns the first example of success for each operation, even for a GET with a body", async () => {
    const login = document.paths["/v1/users/login"].post;
    const { value: body } = login.requestBody.content["application/json"].examples.withoutMfa;
    const results = [
      await unwrap(mocked().submitCommission({ body: { commission } })),
      await unwrap(mocked({}, "pk_test").loginUser({ body })),
      await unwrap(mocked().getWebhook(webhook)),
    ];
    const { CommissionSubmitted, WebhookRetrieved } = document.components.responses;
    expect(results).toEqual(
      [CommissionSubmitted, login.responses["200"], WebhookRetrieved].map(
        ({ content }) => Object.values(content["application/json"].examples)[0]?.value,
      ),
    );
  });

  it("returns the chosen status and example for one operation, and the default for the others", async () => {
    const { examples } = document.components.responses.ApiKeyRefused.content["application/json"];
    const client = mocked({ getWebhook: { code: 401, example: "invalid" } });
    expect({
      webhook: (await client.getWebhook(webhook)).error,
      commission: (await client.submitCommission({ body: { commission } })).status,
    }).toEqual({ webhook: examples.invalid.value, commission: 200 });
  });

  it("gets the response that the Prefer header of a single call selects", async () => {
    const client = mocked({ getWebhook: { code: 503 } });
    const statuses = [
      (await client.getWebhook({ ...webhook, headers: { Prefer: "code=404" } })).status,
      (await client.getWebhook(webhook)).status,
    ];
    expect(statuses).toEqual([404, 503]);
  });

  it("gets other responses after the test has changed them", async () => {
    const responses: { -readonly [Id in keyof MockResponses]: MockResponses[Id] } = {};
    const client = mocked(responses);
    const before = await client.getWebhook(webhook);
    responses.getWebhook = { code: 500 };
    expect([before.status, (await client.getWebhook(webhook)).status]).toEqual([200, 500]);
  });

  it("gets an error for a request that the service would reject, even if another response was chosen", async () => {
    const invalid = { body: { commission: { ...commission, title: "" } } };
    const result = await mocked({ submitCommission: { code: 200 } }).submitCommission(invalid);
    expect(result.error).toMatchObject({
      error: { code: "request_invalid", problems: [{ in: "body", pointer: "/commission/title" }] },
    });
    expect((await mocked({}, "pk_test").getWebhook(webhook)).status).toBe(403);
  });

  it("gets an error for a body above the service's usual limit", async () => {
    const fetch = createMockFetch();
    const statusOf = async (bytes: number) => {
      const body = JSON.stringify({ commission }).padEnd(bytes);
      const headers = { authorization: "Bearer sk_test", "content-type": "application/json" };
      return (await fetch(new Request("http://mock.test/", { method: "QUERY", headers, body }))).status;
    };
    expect([await statusOf(65_536), await statusOf(65_537)]).toEqual([200, 413]);
  });

  it.each([
    [{ getWebhok: { code: 404 } }, "responses: there is no operation getWebhok; did you mean getWebhook?"],
    [{ getWebhook: { status: 404 } }, "responses.getWebhook: `status` is unknown; use `code` and `example`"],
    [{ getWebhook: { code: 418 } }, "responses.getWebhook.code: the document has no 418; use 200, 400, "],
  ])("cannot be made with %j, which is in no document", (responses, message) => {
    expect(() => createMockFetch(responses as MockResponses)).toThrow(message);
  });

  it("rejects a call if the test has chosen what no document has", async () => {
    const responses: Record<string, object> = {};
    const client = mocked(responses);
    responses.getWebhok = { code: 404 };
    await expect(client.getWebhook(webhook)).rejects.toThrow("there is no operation getWebhok");
  });

  it("rejects with the reason of an aborted signal", async () => {
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(mocked().getWebhook({ ...webhook, signal })).rejects.toThrow("enough");
  });
});
