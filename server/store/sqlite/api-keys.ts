/** API keys in SQLite; the key itself never gets here, only its hash. */
import type { ApiKey, ApiKeyStore } from "../store.ts";
import type { Connection } from "./connection.ts";

export function apiKeys({ query, command, read, write }: Connection): ApiKeyStore {
  const insert = command(
    `INSERT INTO api_keys (id, tenant_id, kind, hash, created_at)
     VALUES (:id, :tenant_id, :kind, :hash, :created_at)`,
  );
  const ofTenant = query<ApiKey>(
    `SELECT id, tenant_id, kind, created_at, revoked_at FROM api_keys
     WHERE tenant_id = :tenant_id ORDER BY rowid`,
  );
  const activeByHash = query<Pick<ApiKey, "id" | "tenant_id" | "kind">>(
    "SELECT id, tenant_id, kind FROM api_keys WHERE hash = :hash AND revoked_at IS NULL",
  );
  const revoke = query<ApiKey>(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, :revoked_at) WHERE id = :id
     RETURNING id, tenant_id, kind, created_at, revoked_at`,
  );

  return {
    async create({ id, tenant_id, kind, hash, created_at }) {
      await write(() => insert({ id, tenant_id, kind, hash, created_at }));
    },
    list: (tenant_id) => read(() => ofTenant.all({ tenant_id })),
    findActiveByHash: (hash) => read(() => activeByHash.get({ hash })),
    revoke: (id, revoked_at) => write(() => revoke.get({ id, revoked_at })),
  };
}
