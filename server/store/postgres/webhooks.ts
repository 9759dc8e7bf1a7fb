import type { Connection } from "../sql/connection.ts";
import { storedWebhooks } from "../sql/webhooks.ts";
import type { Webhook, WebhookStore } from "../store.ts";
import { cacheVersion, type RowCache, type Versioned } from "./row-cache.ts";

export function webhooks(connection: Connection, cache: RowCache): WebhookStore {
  const byIds = connection.statement<Versioned<Webhook>>(
    `SELECT ${cacheVersion} AS cache_version, id || ' ' || tenant_id AS cache_key, found.*
     FROM unnest((SELECT :ids::bigint[]), (SELECT :tenant_ids::text[])) AS given (id_of, tenant_of) CROSS JOIN LATERAL (
       SELECT id, tenant_id, url, events FROM webhooks WHERE id = id_of AND tenant_id = tenant_of LIMIT 1
     ) AS found`,
  );
  const find = cache.lookUp<Webhook, Pick<Webhook, "id" | "tenant_id">>(
    ({ id, tenant_id }) => `${id} ${tenant_id}`,
    (given) => {
      const tenant_ids = given.map(({ tenant_id }) => tenant_id);
      return connection.read(byIds({ ids: given.map(({ id }) => String(id)), tenant_ids }));
    },
  );
  return {
    ...storedWebhooks(connection),
    // The driver would send an unsafe integer as text that is not a valid bigint. The column contains none.
    find: (tenant_id, id) => (Number.isSafeInteger(id) ? find({ id, tenant_id }) : undefined),
  };
}
