/** Webhooks in PostgreSQL. */
import type { Webhook, WebhookStore } from "../store.ts";
import type { Connection } from "./connection.ts";

export function webhooks({ read, write }: Connection): WebhookStore {
  const insert = write<Webhook>(
    "INSERT INTO webhooks (tenant_id, url, events) VALUES ($1, $2, $3) RETURNING id, tenant_id, url, events",
  );
  const ofTenant = read<Webhook>(
    "SELECT id, tenant_id, url, events FROM webhooks WHERE tenant_id = $1 ORDER BY id",
  );
  const byId = read<Webhook>(
    "SELECT id, tenant_id, url, events FROM webhooks WHERE tenant_id = $1 AND id = $2",
  );

  return {
    async create({ tenant_id, url, events }) {
      const [created] = await insert(tenant_id, url, events);
      if (created === undefined) throw new Error("INSERT … RETURNING answered no row.");
      return created;
    },
    list: (tenant_id) => ofTenant(tenant_id),
    // The column holds safe integers only; the driver would send any other number as text that is no bigint.
    find: async (tenant_id, id) => (Number.isSafeInteger(id) ? (await byId(tenant_id, id))[0] : undefined),
  };
}
