/** Webhooks in SQLite; the event names are kept as a JSON array. */
import type { NewWebhook, Webhook, WebhookStore } from "../store.ts";
import type { Connection } from "./connection.ts";

type WebhookRow = Omit<Webhook, "events"> & { events: string };

/** To be called inside a write. */
export function webhookInsertion({ query }: Connection): (webhook: NewWebhook) => Webhook {
  const insert = query<WebhookRow>(
    `INSERT INTO webhooks (tenant_id, url, events) VALUES (:tenant_id, :url, :events)
     RETURNING id, tenant_id, url, events`,
  );
  return ({ tenant_id, url, events }) => {
    const row = insert.get({ tenant_id, url, events: JSON.stringify(events) });
    if (row === undefined) throw new Error("INSERT … RETURNING answered no row.");
    return fromRow(row);
  };
}

export function webhooks(connection: Connection): WebhookStore {
  const { query, command, read, cachedRows, write } = connection;
  const cache = cachedRows<Webhook>();
  const insert = webhookInsertion(connection);
  const ofTenant = query<WebhookRow>(
    "SELECT id, tenant_id, url, events FROM webhooks WHERE tenant_id = :tenant_id ORDER BY id",
  );
  const byId = query<WebhookRow>(
    "SELECT id, tenant_id, url, events FROM webhooks WHERE tenant_id = :tenant_id AND id = :id",
  );
  const update = query<WebhookRow>(
    `UPDATE webhooks SET url = coalesce(:url, url), events = coalesce(:events, events)
     WHERE tenant_id = :tenant_id AND id = :id
     RETURNING id, tenant_id, url, events`,
  );
  const remove = command("DELETE FROM webhooks WHERE tenant_id = :tenant_id AND id = :id");

  return {
    create: (webhook) => write(() => insert(webhook)),
    list: (tenant_id) => read(() => ofTenant.all({ tenant_id }).map(fromRow)),
    find: (tenant_id, id) =>
      cache.find(`${tenant_id} ${id}`, () => {
        const row = byId.get({ tenant_id, id });
        return row && fromRow(row);
      }),
    update: (tenant_id, id, { url = null, events }) =>
      write(() => {
        cache.drop();
        const row = update.get({ tenant_id, id, url, events: events ? JSON.stringify(events) : null });
        return row && fromRow(row);
      }),
    remove: (tenant_id, id) =>
      write(() => {
        cache.drop();
        return remove({ tenant_id, id }) === 1;
      }),
  };
}

/** Only the methods above write the column, and always an array of strings. */
function fromRow(row: WebhookRow): Webhook {
  return { ...row, events: JSON.parse(row.events) };
}
