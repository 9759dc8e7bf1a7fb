/** Webhooks in SQLite; the event names are kept as a JSON array. */
import type { Webhook, WebhookStore } from "../store.ts";
import type { Connection } from "./connection.ts";

type WebhookRow = Omit<Webhook, "events"> & { events: string };

export function webhooks({ query, read, write }: Connection): WebhookStore {
  const insert = query<WebhookRow>(
    `INSERT INTO webhooks (tenant_id, url, events) VALUES (:tenant_id, :url, :events)
     RETURNING id, tenant_id, url, events`,
  );
  const ofTenant = query<WebhookRow>(
    "SELECT id, tenant_id, url, events FROM webhooks WHERE tenant_id = :tenant_id ORDER BY id",
  );
  const byId = query<WebhookRow>(
    "SELECT id, tenant_id, url, events FROM webhooks WHERE tenant_id = :tenant_id AND id = :id",
  );

  return {
    create: ({ tenant_id, url, events }) =>
      write(() => {
        const row = insert.get({ tenant_id, url, events: JSON.stringify(events) });
        if (row === undefined) throw new Error("INSERT … RETURNING answered no row.");
        return fromRow(row);
      }),
    list: (tenant_id) => read(() => ofTenant.all({ tenant_id }).map(fromRow)),
    find: (tenant_id, id) =>
      read(() => {
        const row = byId.get({ tenant_id, id });
        return row && fromRow(row);
      }),
  };
}

/** Only `create` above writes the column, and always an array of strings. */
function fromRow(row: WebhookRow): Webhook {
  return { ...row, events: JSON.parse(row.events) };
}
