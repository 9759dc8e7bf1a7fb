import { storedApiKeys } from "../sql/api-keys.ts";
import type { Connection } from "../sql/connection.ts";
import type { ActiveApiKey, ApiKeyStore } from "../store.ts";
import { oneQueryPerTurn } from "./one-query-per-turn.ts";

export function apiKeys(connection: Connection): ApiKeyStore {
  const { statement, read, write } = connection;
  const active = (condition: string) =>
    statement<ActiveApiKey & { hash: string }>(
      `SELECT id, tenant_id, kind, operations, expires_at, hash FROM api_keys
       WHERE hash ${condition} AND revoked_at IS NULL`,
    );
  const activeByHash = active("= :hash");
  const activeByHashes = active("= ANY (:hashes)");
  const findActive = oneQueryPerTurn(
    (hash) => read(activeByHash({ hash })),
    (hashes) => read(activeByHashes({ hashes })),
    ({ hash }) => hash,
  );
  // Locks the rows in the order of their ids, so that two replicas cannot deadlock.
  const noteUses = statement(
    `UPDATE api_keys SET last_used_at = uses.at
     FROM (
       SELECT id, uses.at FROM api_keys JOIN unnest(:ids::text[], :times::bigint[]) AS uses (id, at) USING (id)
       WHERE last_used_at IS NULL OR last_used_at < uses.at
       ORDER BY id FOR NO KEY UPDATE OF api_keys
     ) AS uses
     WHERE api_keys.id = uses.id`,
  );

  return {
    ...storedApiKeys(connection),
    async findActiveByHash(key) {
      const found = await findActive(key);
      if (found === undefined) return undefined;
      const { hash: _, ...active } = found;
      return active;
    },
    async noteUses(uses) {
      await write(noteUses({ ids: [...uses.keys()], times: Array.from(uses.values(), String) }));
    },
  };
}
