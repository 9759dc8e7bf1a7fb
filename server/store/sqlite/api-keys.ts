import { storedApiKeys } from "../sql/api-keys.ts";
import type { ActiveApiKey, ApiKeyStore } from "../store.ts";
import type { SqliteConnection } from "./connection.ts";

export function apiKeys(connection: SqliteConnection): ApiKeyStore {
  const { statement, transaction } = connection;
  const findCached = connection.cachedRows<ActiveApiKey>("api_keys");
  const activeByHash = statement<ActiveApiKey>(
    "SELECT id, tenant_id, kind, operations, expires_at FROM api_keys WHERE hash = :hash AND revoked_at IS NULL",
  );
  const noteUse = statement(
    "UPDATE api_keys SET last_used_at = :at WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :at)",
  );

  return {
    ...storedApiKeys(connection),
    findActiveByHash: (hash) => findCached(hash, () => activeByHash({ hash })),
    async noteUses(uses) {
      const waiting = [...uses];
      // Writes in several parts, because SQLite blocks the event loop.
      while (waiting.length > 0) {
        const part = waiting.splice(0, 500);
        await transaction(function* () {
          for (const [id, at] of part) yield* noteUse({ id, at });
        });
      }
    },
  };
}
