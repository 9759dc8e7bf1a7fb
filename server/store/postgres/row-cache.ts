/**
 * Caches rows that every request needs, and proves with one small query for each turn of the event loop that they are
 * current. The query reads a version: a text that is different after every change or removal of a cached row.
 *
 * Why a proven row is current. A row enters the cache with the version that the same statement has read, so from the
 * same snapshot. A deferred trigger counts each update and each deletion in the transaction that makes it. So a
 * snapshot contains the change and the new count, or neither, also if the change is rolled back. Concurrent
 * transactions add to the same row one after another, so no count is lost. If a later snapshot has the same version,
 * it contains no change of the row. This snapshot begins after the look-up was called, so it contains every change
 * that was committed before. Missing rows are not cached, so insertions need no count.
 *
 * - A pooler may run each statement on another connection: a version needs no session.
 * - A read from a standby is as old as the standby, with or without the cache.
 * - After a failover or a restore of files, the server has another start time. After `TRUNCATE` or a restore of tables,
 *   the tables have other files. The transaction that wrote the count (`xmin`) shows that the count itself was restored.
 * - Logical replication applies changes without ordinary triggers. These are enabled ALWAYS.
 *
 * A proof ends with the microtasks that follow it. They continue only requests that waited for it. So the look-ups of
 * a request may share one proof: the request sees all that was committed before its first look-up.
 */
import type { Awaitable } from "../store.ts";
import type { PostgresConnection } from "./connection.ts";

/** The maximum number of rows of one table. If one more is added, all rows of the table are dropped from memory. */
const mostRows = 10_000;
/** Requests that wait for a query share the next one. Two queries at a time were slower for any number of callers. */
const mostQueries = 1;

export const cachedTables = ["api_keys", "webhooks", "commissions"];
const files = cachedTables.map((table) => `pg_relation_filenode('${table}')`);

/** An expression of SQL. It is null if the count is missing. Then no row is cached. */
export const cacheVersion = `(SELECT concat_ws(' ', pg_postmaster_start_time(), pg_relation_filepath(tableoid),
  ${files.join(", ")}, xmin, count) FROM cached_row_changes)`;

/** A row with the key under which it is cached, and the version of its snapshot. If it is null, the row is not cached. */
export type Versioned<Row> = Row & { readonly cache_key: string; readonly cache_version: string | null };

export type CachedRows<Row> = {
  /** Returns the row if it is cached and current. */
  find(key: string): Awaitable<Row | undefined>;
  /**
   * Caches rows of one statement, which began after all calls that wait for it.
   * @returns all rows by their keys
   */
  keep(found: readonly Versioned<Row>[]): ReadonlyMap<string, Row>;
};

export type RowCache = {
  rows<Row extends object>(): CachedRows<Row>;
  /**
   * Returns a look-up. All look-ups of a turn of the event loop whose rows are not cached share a query. It reads each
   * row in a LATERAL subquery with LIMIT. Otherwise, PostgreSQL may join by reading the whole table, if it was empty
   * when the statement was planned. A list is a subquery too. Otherwise, each call would be planned again.
   */
  lookUp<Row extends object, Key>(
    cacheKeyOf: (key: Key) => string,
    readAll: (keys: readonly Key[]) => Promise<Versioned<Row>[]>,
  ): (key: Key) => Awaitable<Row | undefined>;
};

export function createRowCache({ statement, read, perTurn }: PostgresConnection): RowCache {
  const readVersion = statement<{ version: string | null }>(`SELECT ${cacheVersion} AS version`);
  const tables: Map<string, object>[] = [];
  let version: string | null = null;
  let isProven = false;

  const prove = perTurn<undefined, void>(mostQueries, async () => {
    const [row] = await read(readVersion());
    proven(row?.version ?? null);
  });

  function proven(found: string | null): void {
    if (found !== version) for (const rows of tables) rows.clear();
    version = found;
    isProven = found !== null;
    // Runs when no microtask is left.
    process.nextTick(endProof);
  }

  function endProof(): void {
    isProven = false;
  }

  function rows<Row extends object>(): CachedRows<Row> {
    const known = new Map<string, Row>();
    tables.push(known);
    const findProven = (key: string) => (isProven ? known.get(key) : undefined);
    return {
      find(key) {
        if (isProven || !known.has(key)) return findProven(key);
        return prove(undefined).then(() => findProven(key));
      },
      keep(found) {
        const newest = found.find(({ cache_version }) => cache_version !== null);
        if (newest !== undefined) proven(newest.cache_version);
        if (known.size + found.length > mostRows) known.clear();
        const kept = new Map<string, Row>();
        for (const { cache_key, cache_version, ...row } of found as readonly Versioned<object>[]) {
          // Lists in a row are not frozen, because `JSON.stringify` needs three times as long for frozen ones.
          kept.set(cache_key, Object.freeze(row) as Row);
          if (cache_version !== null) known.set(cache_key, row as Row);
        }
        return kept;
      },
    };
  }

  return {
    rows,
    lookUp<Row extends object, Key>(
      cacheKeyOf: (key: Key) => string,
      readAll: (keys: readonly Key[]) => Promise<Versioned<Row>[]>,
    ) {
      const { find, keep } = rows<Row>();
      const readTogether = perTurn(mostQueries, async (keys: readonly Key[]) => keep(await readAll(keys)));
      return (key: Key) => {
        const cacheKey = cacheKeyOf(key);
        const orRead = (row: Row | undefined): Awaitable<Row | undefined> =>
          row ?? readTogether(key).then((found) => found.get(cacheKey));
        const row = find(cacheKey);
        return row instanceof Promise ? row.then(orRead) : orRead(row);
      };
    },
  };
}
