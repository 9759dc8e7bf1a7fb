import type { ApiKey, ApiKeyStore } from "../store.ts";
import type { Connection } from "./connection.ts";

const columns =
  "id, tenant_id, kind, name, last_four, operations, created_at, expires_at, revoked_at, last_used_at";

export const apiKeyInsertion = `INSERT INTO api_keys
  (id, tenant_id, kind, name, last_four, operations, hash, created_at, expires_at)
  VALUES (:id, :tenant_id, :kind, :name, :last_four, :operations, :hash, :created_at, :expires_at)`;

/** The methods that are the same on both databases. */
export function storedApiKeys({
  statement,
  read,
  write,
  transaction,
  position,
}: Connection): Omit<ApiKeyStore, "findActiveByHash" | "noteUses"> {
  const insert = statement(apiKeyInsertion);
  const ofTenant = statement<ApiKey>(
    `SELECT ${columns} FROM api_keys WHERE tenant_id = :tenant_id ORDER BY ${position}`,
  );
  const byId = statement<ApiKey>(`SELECT ${columns} FROM api_keys WHERE id = :id`);
  const revoke = statement<ApiKey>(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, :revoked_at) WHERE id = :id OR hash = :hash
     RETURNING ${columns}`,
  );
  const expire = statement<ApiKey>(
    `UPDATE api_keys SET expires_at = CASE WHEN expires_at < :expires_at THEN expires_at ELSE :expires_at END
     WHERE id = :id AND expires_at IS NOT DISTINCT FROM :was
       AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)
     RETURNING ${columns}`,
  );

  return {
    async create(key) {
      await write(insert(key));
    },
    list: (tenant_id) => read(ofTenant({ tenant_id })),
    find: async (id) => (await read(byId({ id })))[0],
    revoke: async (key, revoked_at) => (await write(revoke({ id: null, hash: null, ...key, revoked_at })))[0],
    rotate: ({ id, expires_at: was }, successor, expires_at) =>
      transaction(function* () {
        const [old] = yield* expire({ id, was, expires_at, now: successor.created_at });
        if (old !== undefined) yield* insert(successor);
        return old;
      }),
  };
}
