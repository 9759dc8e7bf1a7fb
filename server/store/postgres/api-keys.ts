/** API keys in PostgreSQL; the key itself never gets here, only its hash. */
import type { ApiKey, ApiKeyStore, NewApiKey } from "../store.ts";
import type { Connection, Value } from "./connection.ts";
import { oneQueryPerTurn } from "./one-query-per-turn.ts";

/** The statement that creates a key, and its values. */
export const apiKeyInsertion = {
  sql: "INSERT INTO api_keys (id, tenant_id, kind, hash, created_at) VALUES ($1, $2, $3, $4, $5)",
  values: ({ id, tenant_id, kind, hash, created_at }: NewApiKey): Value[] => [
    id,
    tenant_id,
    kind,
    hash,
    created_at,
  ],
};

export function apiKeys({ read, write }: Connection): ApiKeyStore {
  const insert = write(apiKeyInsertion.sql);
  const ofTenant = read<ApiKey>(
    `SELECT id, tenant_id, kind, created_at, revoked_at FROM api_keys
     WHERE tenant_id = $1 ORDER BY position`,
  );
  const active = (condition: string) =>
    read<Pick<ApiKey, "id" | "tenant_id" | "kind"> & { hash: string }>(
      `SELECT id, tenant_id, kind, hash FROM api_keys WHERE hash ${condition} AND revoked_at IS NULL`,
    );
  const activeByHash = oneQueryPerTurn(active("= $1"), active("= ANY ($1)"), ({ hash }) => hash);
  const revoke = write<ApiKey>(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, $3) WHERE id = $1 OR hash = $2
     RETURNING id, tenant_id, kind, created_at, revoked_at`,
  );

  return {
    async create(key) {
      await insert(...apiKeyInsertion.values(key));
    },
    list: (tenant_id) => ofTenant(tenant_id),
    async findActiveByHash(hash) {
      const found = await activeByHash(hash);
      return found && { id: found.id, tenant_id: found.tenant_id, kind: found.kind };
    },
    async revoke(key, revoked_at) {
      const { id, hash } = { id: null, hash: null, ...key };
      return (await revoke(id, hash, revoked_at))[0];
    },
  };
}
