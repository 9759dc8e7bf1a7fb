import { storedApiKeys } from "../sql/api-keys.ts";
import type { Connection } from "../sql/connection.ts";
import type { ActiveApiKey, ApiKeyStore } from "../store.ts";
import { cacheVersion, type RowCache, type Versioned } from "./row-cache.ts";

export function apiKeys(connection: Connection, cache: RowCache): ApiKeyStore {
  const { statement, read, write } = connection;
  const activeByHashes = statement<Versioned<ActiveApiKey>>(
    `SELECT ${cacheVersion} AS cache_version, given.hash AS cache_key, found.*
     FROM unnest((SELECT :hashes::text[])) AS given (hash) CROSS JOIN LATERAL (
       SELECT id, tenant_id, kind, operations, expires_at FROM api_keys
       WHERE hash = given.hash AND revoked_at IS NULL LIMIT 1
     ) AS found`,
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
    findActiveByHash: cache.lookUp<ActiveApiKey, string>(
      (hash) => hash,
      (hashes) => read(activeByHashes({ hashes })),
    ),
    async noteUses(uses) {
      await write(noteUses({ ids: [...uses.keys()], times: Array.from(uses.values(), String) }));
    },
  };
}
