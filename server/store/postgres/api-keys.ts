/** API keys in PostgreSQL; the key itself never gets here, only its hash. */
import type { ApiKey, ApiKeyStore } from "../store.ts";
import type { Connection } from "./connection.ts";

export function apiKeys({ read, write }: Connection): ApiKeyStore {
  const insert = write(
    "INSERT INTO api_keys (id, tenant_id, kind, hash, created_at) VALUES ($1, $2, $3, $4, $5)",
  );
  const ofTenant = read<ApiKey>(
    `SELECT id, tenant_id, kind, created_at, revoked_at FROM api_keys
     WHERE tenant_id = $1 ORDER BY position`,
  );
  const activeByHash = read<Pick<ApiKey, "id" | "tenant_id" | "kind">>(
    "SELECT id, tenant_id, kind FROM api_keys WHERE hash = $1 AND revoked_at IS NULL",
  );
  const revoke = write<ApiKey>(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1
     RETURNING id, tenant_id, kind, created_at, revoked_at`,
  );

  return {
    async create({ id, tenant_id, kind, hash, created_at }) {
      await insert(id, tenant_id, kind, hash, created_at);
    },
    list: (tenant_id) => ofTenant(tenant_id),
    findActiveByHash: async (hash) => (await activeByHash(hash))[0],
    revoke: async (id, revoked_at) => (await revoke(id, revoked_at))[0],
  };
}
