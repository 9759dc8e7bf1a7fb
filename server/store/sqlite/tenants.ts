import type {
  ApiKey,
  ApiKeyStore,
  Belongings,
  NewWebhook,
  Tenant,
  TenantStore,
  Webhook,
  WebhookStore,
} from "../store.ts";
import type { Connection } from "./connection.ts";
import { userInsertion } from "./users.ts";

const apiKeyInsertion = `INSERT INTO api_keys (id, tenant_id, kind, hash, created_at)
   VALUES (:id, :tenant_id, :kind, :hash, :created_at)`;

export function apiKeys({ query, command, read, cachedRows, write }: Connection): ApiKeyStore {
  const cache = cachedRows<Pick<ApiKey, "id" | "tenant_id" | "kind">>();
  const insert = command(apiKeyInsertion);
  const ofTenant = query<ApiKey>(
    `SELECT id, tenant_id, kind, created_at, revoked_at FROM api_keys
     WHERE tenant_id = :tenant_id ORDER BY rowid`,
  );
  const activeByHash = query<Pick<ApiKey, "id" | "tenant_id" | "kind">>(
    "SELECT id, tenant_id, kind FROM api_keys WHERE hash = :hash AND revoked_at IS NULL",
  );
  const revoke = query<ApiKey>(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, :revoked_at) WHERE id = :id OR hash = :hash
     RETURNING id, tenant_id, kind, created_at, revoked_at`,
  );

  return {
    async create(key) {
      await write(() => insert(key));
    },
    list: (tenant_id) => read(() => ofTenant.all({ tenant_id })),
    findActiveByHash: (hash) => cache.find(hash, () => activeByHash.get({ hash })),
    revoke: (key, revoked_at) =>
      write(() => {
        cache.drop();
        return revoke.get({ id: null, hash: null, ...key, revoked_at });
      }),
  };
}

/** The event names are stored as a JSON array. */
type WebhookRow = Omit<Webhook, "events"> & { events: string };

const webhookInsertion = `INSERT INTO webhooks (tenant_id, url, events) VALUES (:tenant_id, :url, :events)
   RETURNING id, tenant_id, url, events`;

export function webhooks({ query, command, read, cachedRows, write }: Connection): WebhookStore {
  const cache = cachedRows<Webhook>();
  const insert = query<WebhookRow>(webhookInsertion);
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
    create: (webhook) =>
      write(() => {
        const row = insert.get(toRow(webhook));
        if (row === undefined) throw new Error("INSERT … RETURNING returned no row.");
        return fromRow(row);
      }),
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

function toRow(webhook: NewWebhook) {
  return { ...webhook, events: JSON.stringify(webhook.events) };
}

/** Only this file writes the column, always as an array of strings. */
function fromRow(row: WebhookRow): Webhook {
  return { ...row, events: JSON.parse(row.events) };
}

const nothing: Belongings = { apiKeys: [], users: [], webhooks: [] };

export function tenants(connection: Connection): TenantStore {
  const { query, command, read, write } = connection;
  const insert = command("INSERT INTO tenants (id, name, auth_type) VALUES (:id, :name, :auth_type)");
  const insertFirst = command(
    "INSERT INTO tenants (id, name, auth_type) SELECT :id, :name, :auth_type WHERE NOT EXISTS (SELECT 1 FROM tenants)",
  );
  const insertApiKey = command(apiKeyInsertion);
  const insertUser = userInsertion(connection);
  const insertWebhook = query(webhookInsertion);
  const all = query<Tenant>("SELECT id, name, auth_type FROM tenants ORDER BY rowid");
  const byId = query<Tenant>("SELECT id, name, auth_type FROM tenants WHERE id = :id");

  return {
    async create({ id, name, auth_type }) {
      await write(() => insert({ id, name, auth_type }));
    },
    createFirst: ({ id, name, auth_type }, { apiKeys, users, webhooks } = nothing) =>
      write(() => {
        if (insertFirst({ id, name, auth_type }) === 0) return false;
        apiKeys.forEach(insertApiKey);
        users.forEach(insertUser);
        for (const webhook of webhooks) insertWebhook.get(toRow(webhook));
        return true;
      }),
    list: () => read(() => all.all({})),
    find: (id) => read(() => byId.get({ id })),
  };
}
