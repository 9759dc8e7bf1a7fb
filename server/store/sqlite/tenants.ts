import type {
  ActiveApiKey,
  ApiKey,
  ApiKeyStore,
  Belongings,
  NewApiKey,
  NewWebhook,
  Tenant,
  TenantStore,
  Webhook,
  WebhookStore,
} from "../store.ts";
import type { Connection } from "./connection.ts";
import { userInsertion } from "./users.ts";

/** The names of the operations are stored as a JSON array. */
type Stored<Key extends Pick<ApiKey, "operations">> = Omit<Key, "operations"> & { operations: string | null };

const apiKeyColumns =
  "id, tenant_id, kind, name, last_four, operations, created_at, expires_at, revoked_at, last_used_at";

const apiKeyInsertion = `INSERT INTO api_keys (id, tenant_id, kind, name, last_four, operations, hash, created_at, expires_at)
   VALUES (:id, :tenant_id, :kind, :name, :last_four, :operations, :hash, :created_at, :expires_at)`;

export function apiKeys({ query, command, read, cachedRows, write }: Connection): ApiKeyStore {
  const cache = cachedRows<ActiveApiKey>();
  const insert = command(apiKeyInsertion);
  const ofTenant = query<Stored<ApiKey>>(
    `SELECT ${apiKeyColumns} FROM api_keys WHERE tenant_id = :tenant_id ORDER BY rowid`,
  );
  const byId = query<Stored<ApiKey>>(`SELECT ${apiKeyColumns} FROM api_keys WHERE id = :id`);
  const activeByHash = query<Stored<ActiveApiKey>>(
    "SELECT id, tenant_id, kind, operations, expires_at FROM api_keys WHERE hash = :hash AND revoked_at IS NULL",
  );
  const revoke = query<Stored<ApiKey>>(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, :revoked_at) WHERE id = :id OR hash = :hash
     RETURNING ${apiKeyColumns}`,
  );
  const expire = query<Stored<ApiKey>>(
    `UPDATE api_keys SET expires_at = min(coalesce(expires_at, :expires_at), :expires_at)
     WHERE id = :id AND expires_at IS :was AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)
     RETURNING ${apiKeyColumns}`,
  );
  const noteUse = command(
    "UPDATE api_keys SET last_used_at = :at WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :at)",
  );

  return {
    async create(key) {
      await write(() => insert(keyToRow(key)));
    },
    list: (tenant_id) => read(() => ofTenant.all({ tenant_id }).map(keyFromRow)),
    find: (id) => read(() => keyFromOptionalRow(byId.get({ id }))),
    findActiveByHash: (hash) => cache.find(hash, () => keyFromOptionalRow(activeByHash.get({ hash }))),
    revoke: (key, revoked_at) =>
      write(() => {
        cache.drop();
        return keyFromOptionalRow(revoke.get({ id: null, hash: null, ...key, revoked_at }));
      }),
    rotate: ({ id, expires_at: was }, successor, expires_at) =>
      write(() => {
        cache.drop();
        const old = expire.get({ id, was, expires_at, now: successor.created_at });
        if (old !== undefined) insert(keyToRow(successor));
        return keyFromOptionalRow(old);
      }),
    async noteUses(uses) {
      const waiting = [...uses];
      // Writes in several parts, because SQLite blocks the event loop.
      while (waiting.length > 0) {
        const part = waiting.splice(0, 500);
        await write(() => {
          for (const [id, at] of part) noteUse({ id, at });
        });
      }
    },
  };
}

function keyToRow(key: NewApiKey) {
  return { ...key, operations: key.operations && JSON.stringify(key.operations) };
}

function keyFromOptionalRow<Key extends Stored<ActiveApiKey>>(row: Key | undefined) {
  return row && keyFromRow(row);
}

/** Only this file writes the column, always as an array of strings. */
function keyFromRow<Row extends Stored<ActiveApiKey>>(
  row: Row,
): Omit<Row, "operations"> & Pick<ApiKey, "operations"> {
  return { ...row, operations: row.operations === null ? null : JSON.parse(row.operations) };
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
        for (const key of apiKeys) insertApiKey(keyToRow(key));
        users.forEach(insertUser);
        for (const webhook of webhooks) insertWebhook.get(toRow(webhook));
        return true;
      }),
    list: () => read(() => all.all({})),
    find: (id) => read(() => byId.get({ id })),
  };
}
