/** TypeScript that uses the package. Its types must be exact with any compiler options. */
import { ApiError, type CallResult, type Client, createClient, unwrap } from "commerce-service/client";
import { createMockFetch } from "commerce-service/client/mock";

const client: Client = createClient({
  baseUrl: "http://mock.test",
  apiKey: "sk_test",
  fetch: createMockFetch({ getWebhook: { code: 404 } }),
});

const webhook = { params: { path: { webhook_id: 1 } } };

export async function urlOf(): Promise<string> {
  const result: CallResult<"getWebhook"> = await client.getWebhook(webhook);
  switch (result.status) {
    case 200:
      return result.data.data.webhook.url;
    case "undocumented":
      return result.error.text;
    default:
      return result.error.error.code;
  }
}

export async function rateOf(): Promise<number> {
  const body = { commission: { title: "Flat", type: "supply", default_value: 10 } };
  const { data } = await unwrap(client.GET("/", { body }));
  // @ts-expect-error the rate is a number
  const rate: string = data.commission.rate;
  return rate.length;
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof ApiError ? error.status : undefined;
}

export const rejected = [
  // @ts-expect-error the id is a number
  client.getWebhook({ params: { path: { webhook_id: "1" } } }),
  // @ts-expect-error the id is missing
  client.getWebhook(),
  // @ts-expect-error no operation has this path
  client.GET("/v1/none"),
  // @ts-expect-error no operation documents 418
  createMockFetch({ getWebhook: { code: 418 } }),
];
