import { DatabaseError } from "pg";
import { type Commission, type CommissionStore, type NewCommission, OutcomeUnknownError } from "../store.ts";
import type { PostgresConnection } from "./connection.ts";
import { cacheVersion, type RowCache, type Versioned } from "./row-cache.ts";

/** Each query waits for the disk. With fewer, a few callers would wait for each other; with more, batches are smaller. */
const mostQueries = 8;

export function commissions(connection: PostgresConnection, cache: RowCache): CommissionStore {
  const { read, write, transaction, perTurn } = connection;
  const { find, insert, insertAll, lock, full } = statements(connection);
  const cached = cache.rows<Commission>();

  /** Locks the tenant's row, so that each submission waits for the earlier ones and counts them. */
  function submitWithin(most: number, commission: NewCommission): Promise<Commission | undefined> {
    return transaction(function* () {
      yield* lock(commission);
      if ((yield* full({ ...commission, most })).length > 0) return undefined;
      const [record] = yield* insert(commission);
      return record && { id: record.id, rate: record.rate };
    });
  }

  const submitAlone = async (commission: NewCommission) => cached.keep(await write(insert(commission)));

  /** Resolves to undefined if the database undid the statement. Then the cause may be any of the definitions. */
  const submitTogether = perTurn(mostQueries, async (all: readonly NewCommission[]) => {
    const different = [...new Map(all.map((each) => [cacheKeyOf(each), each])).values()];
    const [first] = different;
    if (first !== undefined && different.length === 1) return submitAlone(first);
    try {
      return cached.keep(await write(insertAll(columnsOf(different))));
    } catch (error) {
      const isUndone =
        error instanceof Error &&
        error.cause instanceof DatabaseError &&
        !(error instanceof OutcomeUnknownError);
      if (isUndone) return undefined;
      throw error;
    }
  });

  async function submitNew(key: string, commission: NewCommission, most: number | undefined) {
    if (most !== undefined) {
      const [known] = await read(find(commission));
      return known ?? submitWithin(most, commission);
    }
    // There is no row if an equal submission was committed after this snapshot. The next snapshot contains it,
    // because definitions are never deleted.
    for (;;) {
      const records = (await submitTogether(commission)) ?? (await submitAlone(commission));
      const record = records.get(key);
      if (record !== undefined) return record;
    }
  }

  return {
    submit(commission, most) {
      const key = cacheKeyOf(commission);
      const orSubmit = (known: Commission | undefined) => known ?? submitNew(key, commission, most);
      const known = cached.find(key);
      return known instanceof Promise ? known.then(orSubmit) : orSubmit(known);
    },
  };
}

function statements({ statement }: PostgresConnection) {
  const find = statement<Commission>(
    "SELECT id, rate FROM commissions WHERE tenant_id = :tenant_id AND definition_hash = :definition_hash",
  );
  // Needs one round trip. A repeated submission only reads, so it does not wait for the disk.
  const insert = statement<Versioned<Commission>>(
    `WITH known AS (
       SELECT id, rate FROM commissions WHERE tenant_id = :tenant_id AND definition_hash = :definition_hash
     ), created AS (
       INSERT INTO commissions (tenant_id, definition_hash, definition, rate, created_at)
       SELECT :tenant_id, :definition_hash, :definition, :rate, :created_at WHERE NOT EXISTS (SELECT 1 FROM known)
       ON CONFLICT (tenant_id, definition_hash) DO NOTHING
       RETURNING id, rate
     )
     SELECT cache_version, :tenant_id || ' ' || :definition_hash AS cache_key, id, rate
     FROM (SELECT ${cacheVersion} AS cache_version, * FROM known UNION ALL SELECT NULL, * FROM created) AS records`,
  );
  // Does the same for several definitions. It inserts them in a fixed order, so that two replicas cannot deadlock.
  // The subqueries keep its plan: see row-cache.ts.
  const insertAll = statement<Versioned<Commission>>(
    `WITH given AS (
       SELECT * FROM unnest(
         (SELECT :tenant_ids::text[]), (SELECT :hashes::text[]), (SELECT :definitions::text[]),
         (SELECT :rates::float8[]), (SELECT :times::bigint[])
       ) AS given (tenant_id, definition_hash, definition, rate, created_at)
     ), known AS (
       SELECT tenant_id, definition_hash, stored.id, stored.rate FROM given CROSS JOIN LATERAL (
         SELECT id, rate FROM commissions
         WHERE tenant_id = given.tenant_id AND definition_hash = given.definition_hash LIMIT 1
       ) AS stored
     ), created AS (
       INSERT INTO commissions (tenant_id, definition_hash, definition, rate, created_at)
       SELECT * FROM given
       WHERE NOT EXISTS (SELECT 1 FROM known WHERE (tenant_id, definition_hash) = (given.tenant_id, given.definition_hash))
       ORDER BY tenant_id, definition_hash
       ON CONFLICT (tenant_id, definition_hash) DO NOTHING
       RETURNING tenant_id, definition_hash, id, rate
     )
     SELECT cache_version, tenant_id || ' ' || definition_hash AS cache_key, id, rate
     FROM (
       SELECT ${cacheVersion} AS cache_version, * FROM known UNION ALL SELECT NULL, * FROM created
     ) AS records`,
  );
  const lock = statement("SELECT id FROM tenants WHERE id = :tenant_id FOR NO KEY UPDATE");
  const full = statement(
    `SELECT 1 FROM commissions WHERE tenant_id = :tenant_id AND definition_hash <> :definition_hash
     HAVING count(*) >= :most`,
  );
  return { find, insert, insertAll, lock, full };
}

function cacheKeyOf({ tenant_id, definition_hash }: NewCommission): string {
  return `${tenant_id} ${definition_hash}`;
}

function columnsOf(all: readonly NewCommission[]) {
  return {
    tenant_ids: all.map(({ tenant_id }) => tenant_id),
    hashes: all.map(({ definition_hash }) => definition_hash),
    definitions: all.map(({ definition }) => definition),
    rates: all.map(({ rate }) => String(rate)),
    times: all.map(({ created_at }) => String(created_at)),
  };
}
