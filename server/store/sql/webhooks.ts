import type { Webhook, WebhookStore } from "../store.ts";
import type { Connection } from "./connection.ts";

export const webhookInsertion =
  "INSERT INTO webhooks (tenant_id, url, events) VALUES (:tenant_id, :url, :events) RETURNING id, tenant_id, url, events";

export const webhookById =
  "SELECT id, tenant_id, url, events FROM webhooks WHERE tenant_id = :tenant_id AND id = :id";

/** The methods that are the same on both databases. */
export function storedWebhooks({ statement, read, write }: Connection): Omit<WebhookStore, "find"> {
  const insert = statement<Webhook>(webhookInsertion);
  const ofTenant = statement<Webhook>(
    "SELECT id, tenant_id, url, events FROM webhooks WHERE tenant_id = :tenant_id ORDER BY id",
  );
  const update = statement<Webhook>(
    `UPDATE webhooks SET url = coalesce(:url, url), events = coalesce(:events, events)
     WHERE tenant_id = :tenant_id AND id = :id
     RETURNING id, tenant_id, url, events`,
  );
  const remove = statement<Pick<Webhook, "id">>(
    "DELETE FROM webhooks WHERE tenant_id = :tenant_id AND id = :id RETURNING id",
  );

  return {
    async create(webhook) {
      const [created] = await write(insert(webhook));
      if (created === undefined) throw new Error("INSERT … RETURNING returned no row.");
      return created;
    },
    list: (tenant_id) => read(ofTenant({ tenant_id })),
    update: async (tenant_id, id, { url = null, events = null }) =>
      (await write(update({ tenant_id, id, url, events })))[0],
    remove: async (tenant_id, id) => (await write(remove({ tenant_id, id }))).length === 1,
  };
}
