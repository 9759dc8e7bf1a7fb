import {
  type ActiveApiKey,
  type ApiKey,
  type ApiKeyStore,
  type Belongings,
  DuplicateUserError,
  type NewApiKey,
  type NewWebhook,
  type Tenant,
  type TenantStore,
  type Webhook,
  type WebhookStore,
} from "../store.ts";
import type { Connection, Value } from "./connection.ts";
import { oneQueryPerTurn } from "./one-query-per-turn.ts";
import { userInsertion } from "./users.ts";

const apiKeyColumns =
  "id, tenant_id, kind, name, last_four, operations, created_at, expires_at, revoked_at, last_used_at";
const newApiKeyColumns = "id, tenant_id, kind, name, last_four, operations, hash, created_at, expires_at";

const apiKeyInsertion = {
  sql: `INSERT INTO api_keys (${newApiKeyColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  values: (key: NewApiKey): Value[] => [
    ...[key.id, key.tenant_id, key.kind, key.name, key.last_four, key.operations, key.hash],
    ...[key.created_at, key.expires_at],
  ],
};

export function apiKeys({ read, write }: Connection): ApiKeyStore {
  const insert = write(apiKeyInsertion.sql);
  const ofTenant = read<ApiKey>(
    `SELECT ${apiKeyColumns} FROM api_keys WHERE tenant_id = $1 ORDER BY position`,
  );
  const byId = read<ApiKey>(`SELECT ${apiKeyColumns} FROM api_keys WHERE id = $1`);
  const active = (condition: string) =>
    read<ActiveApiKey & { hash: string }>(
      `SELECT id, tenant_id, kind, operations, expires_at, hash FROM api_keys
       WHERE hash ${condition} AND revoked_at IS NULL`,
    );
  const activeByHash = oneQueryPerTurn(active("= $1"), active("= ANY ($1)"), ({ hash }) => hash);
  const revoke = write<ApiKey>(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, $3) WHERE id = $1 OR hash = $2
     RETURNING ${apiKeyColumns}`,
  );
  const rotate = write<ApiKey>(
    `WITH old AS (
       UPDATE api_keys SET expires_at = least(expires_at, $11)
       WHERE id = $10 AND expires_at IS NOT DISTINCT FROM $12
         AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $8)
       RETURNING ${apiKeyColumns}
     ), successor AS (
       INSERT INTO api_keys (${newApiKeyColumns}) SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9 FROM old
     )
     SELECT * FROM old`,
  );
  // Locks the rows in the order of their ids, so that two replicas cannot deadlock.
  const noteUses = write(
    `UPDATE api_keys SET last_used_at = uses.at
     FROM (
       SELECT id, uses.at FROM api_keys JOIN unnest($1::text[], $2::bigint[]) AS uses (id, at) USING (id)
       WHERE last_used_at IS NULL OR last_used_at < uses.at
       ORDER BY id FOR NO KEY UPDATE OF api_keys
     ) AS uses
     WHERE api_keys.id = uses.id`,
  );

  return {
    async create(key) {
      await insert(...apiKeyInsertion.values(key));
    },
    list: (tenant_id) => ofTenant(tenant_id),
    find: async (id) => (await byId(id))[0],
    async findActiveByHash(key) {
      const found = await activeByHash(key);
      if (found === undefined) return undefined;
      const { hash: _, ...active } = found;
      return active;
    },
    async revoke(key, revoked_at) {
      const { id, hash } = { id: null, hash: null, ...key };
      return (await revoke(id, hash, revoked_at))[0];
    },
    rotate: async ({ id, expires_at: was }, successor, expires_at) =>
      (await rotate(...apiKeyInsertion.values(successor), id, expires_at, was))[0],
    async noteUses(uses) {
      await noteUses([...uses.keys()], Array.from(uses.values(), String));
    },
  };
}

const webhookInsertion = {
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
      if (created === undefined) throw new Error("INSERT … RETURNING returned no row.");
      return created;
    },
    list: (tenant_id) => ofTenant(tenant_id),
    // The driver would send an unsafe integer as text that is not a valid bigint. The column contains none.
    find: async (tenant_id, id) => (Number.isSafeInteger(id) ? (await byId(tenant_id, id))[0] : undefined),
    update: async (tenant_id, id, { url = null, events = null }) =>
      (await update(tenant_id, id, url, events))[0],
    remove: async (tenant_id, id) => (await remove(tenant_id, id)).length === 1,
  };
}

const nothing: Belongings = { apiKeys: [], users: [], webhooks: [] };

export function tenants({ read, write, transaction }: Connection): TenantStore {
  const insert = write("INSERT INTO tenants (id, name, auth_type) VALUES ($1, $2, $3)");
  const all = read<Tenant>("SELECT id, name, auth_type FROM tenants ORDER BY position");
  const byId = read<Tenant>("SELECT id, name, auth_type FROM tenants WHERE id = $1");

  return {
    async create({ id, name, auth_type }) {
      await insert(id, name, auth_type);
    },
    createFirst: ({ id, name, auth_type }, { apiKeys, users, webhooks } = nothing) =>
      transaction(async (run) => {
        // Blocks other insertions, so that the table stays empty.
        await run("LOCK TABLE tenants IN SHARE ROW EXCLUSIVE MODE");
        const created = await run(
          `INSERT INTO tenants (id, name, auth_type)
           SELECT $1, $2, $3::integer WHERE NOT EXISTS (SELECT 1 FROM tenants) RETURNING id`,
          id,
          name,
          auth_type,
        );
        if (created.length === 0) return false;
        for (const key of apiKeys) await run(apiKeyInsertion.sql, ...apiKeyInsertion.values(key));
        for (const user of users) {
          const made = await run(userInsertion.sql, ...userInsertion.values(user));
          if (made.length === 0) throw new DuplicateUserError();
        }
        for (const webhook of webhooks) await run(webhookInsertion.sql, ...webhookInsertion.values(webhook));
        return true;
      }),
    list: () => all(),
    find: async (id) => (await byId(id))[0],
  };
}
