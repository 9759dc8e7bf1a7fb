import { storedWebhooks, webhookById } from "../sql/webhooks.ts";
import type { Webhook, WebhookStore } from "../store.ts";
import type { SqliteConnection } from "./connection.ts";

export function webhooks(connection: SqliteConnection): WebhookStore {
  const findCached = connection.cachedRows<Webhook>("webhooks");
  const byId = connection.statement<Webhook>(webhookById);
  return {
    ...storedWebhooks(connection),
    find: (tenant_id, id) => findCached(`${tenant_id} ${id}`, () => byId({ tenant_id, id })),
  };
}
