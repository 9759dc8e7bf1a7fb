import type { Connection } from "../sql/connection.ts";
import { storedWebhooks, webhookById } from "../sql/webhooks.ts";
import type { Webhook, WebhookStore } from "../store.ts";

export function webhooks(connection: Connection): WebhookStore {
  const byId = connection.statement<Webhook>(webhookById);
  return {
    ...storedWebhooks(connection),
    // The driver would send an unsafe integer as text that is not a valid bigint. The column contains none.
    find: async (tenant_id, id) =>
      Number.isSafeInteger(id) ? (await connection.read(byId({ tenant_id, id })))[0] : undefined,
  };
}
