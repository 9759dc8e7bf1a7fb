/** A page that makes one call and shows its result. */
import { ApiError, createClient, unwrap } from "commerce-service/client";

const client = createClient({ baseUrl: location.origin, apiKey: "pk_1" });
const show = (text) => {
  document.body.textContent = text;
};
unwrap(client.getWebhook({ params: { path: { webhook_id: 1 } } })).then(
  ({ data }) => show(data.webhook.url),
  (error) => show(error instanceof ApiError ? error.code : error.message),
);
