/** API keys in SQLite; the key itself never gets here, only its hash. */
import type { ApiKey, ApiKeyStore, NewApiKey } from "../store.ts";
import type { Connection } from "./connection.ts";

/** To be called inside a write. */
export function apiKeyInsertion({ command }: Connection): (key: NewApiKey) => void {
  const insert = command(
    `INSERT INTO api_keys (id, tenant_id, kind, hash, created_at)
     VALUES (:id, :tenant_id, :kind, :hash, :created_at)`,
  );
  return ({ id, tenant_id, kind, hash, created_at }) => insert({ id, tenant_id, kind, hash, created_at });
}

export function apiKeys(connection: Connection): ApiKeyStore {
  const { query, read, cachedRows, write } = connection;
  const cache = cachedRows<Pick<ApiKey, "id" | "tenant_id" | "kind">>();
  const insert = apiKeyInsertion(connection);
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
    create: (key) => write(() => insert(key)),
    list: (tenant_id) => read(() => ofTenant.all({ tenant_id })),
    findActiveByHash: (hash) => cache.find(hash, () => activeByHash.get({ hash })),
    revoke: (key, revoked_at) =>
      write(() => {
        cache.drop();
        return revoke.get({ id: null, hash: null, ...key, revoked_at });
      }),
  };
}
