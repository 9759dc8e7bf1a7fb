/** Webhooks in PostgreSQL. */
import type { NewWebhook, Webhook, WebhookStore } from "../store.ts";
import type { Connection, Value } from "./connection.ts";

/** The statement that creates a webhook, and its values. */
export const webhookInsertion = {
  sql: "INSERT INTO webhooks (tenant_id, url, events) VALUES ($1, $2, $3) RETURNING id, tenant_id, url, events",
  values: ({ tenant_id, url, events }: NewWebhook): Value[] => [tenant_id, url, events],
};

export function webhooks({ read, write }: Connection): WebhookStore {
  const insert = write<Webhook>(webhookInsertion.sql);
  const ofTenant = read<Webhook>(
    "SELECT id, tenant_id, url, events FROM webhooks WHERE tenant_id = $1 ORDER BY id",
  );
  const byId = read<Webhook>(
    "SELECT id, tenant_id, url, events FROM webhooks WHERE tenant_id = $1 AND id = $2",
  );
  const update = write<Webhook>(
    `UPDATE webhooks SET url = coalesce($3, url), events = coalesce($4, events)
     WHERE tenant_id = $1 AND id = $2
     RETURNING id, tenant_id, url, events`,
  );
  const remove = write("DELETE FROM webhooks WHERE tenant_id = $1 AND id = $2 RETURNING id");

  return {
    async create(webhook) {
      const [created] = await insert(...webhookInsertion.values(webhook));
      if (created === undefined) throw new Error("INSERT … RETURNING answered no row.");
      return created;
    },
    list: (tenant_id) => ofTenant(tenant_id),
    // The column holds safe integers only; the driver would send any other number as text that is no bigint.
    find: async (tenant_id, id) => (Number.isSafeInteger(id) ? (await byId(tenant_id, id))[0] : undefined),
    update: async (tenant_id, id, { url = null, events = null }) =>
      (await update(tenant_id, id, url, events))[0],
    remove: async (tenant_id, id) => (await remove(tenant_id, id)).length === 1,
  };
}
