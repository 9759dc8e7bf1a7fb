/**
 * Keeps rows in memory that every request needs. At the first use in a callback of the event loop SQLite is asked whether
 * another connection has committed since; if so, all rows are dropped. All requests that one callback serves have been
 * received before it began, so a request that begins after a commit of any process sees that commit.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Awaitable } from "../store.ts";
import type { SharedSnapshot } from "./shared-snapshot.ts";

/** Of one table. Beyond it the rows are dropped, which costs a read each. */
const mostRows = 10_000;

export type CachedRows<Row> = {
  /** @param read finds the row in the database; a row that is not there is not remembered */
  find(key: string, read: () => Row | undefined): Awaitable<Row | undefined>;
  /** To be called inside a write that changes or removes a row. */
  drop(): void;
};

export type RowCache = { rows<Row extends object>(): CachedRows<Row> };

/** @param readNow reads inside the shared snapshot */
export function createRowCache(
  db: DatabaseSync,
  snapshot: SharedSnapshot,
  readNow: <T>(work: () => T) => Awaitable<T>,
): RowCache {
  // Changes when another connection commits, and never by a commit of this one.
  const dataVersion = db.prepare("PRAGMA data_version");
  const tables: Map<string, object>[] = [];
  let version: unknown;
  let isAsked = false;

  function ask(): void {
    const found = dataVersion.get()?.data_version;
    if (found === version) return;
    for (const rows of tables) rows.clear();
    version = found;
  }

  /** False if SQLite cannot say: then each row is read. */
  function isCurrent(): boolean {
    if (isAsked) return true;
    try {
      // Inside a snapshot SQLite would tell the version of that.
      snapshot.leave();
      ask();
    } catch {
      return false;
    }
    isAsked = true;
    queueMicrotask(() => {
      isAsked = false;
    });
    return true;
  }

  function rows<Row extends object>(): CachedRows<Row> {
    const known = new Map<string, Row>();
    tables.push(known);
    return {
      find(key, read): Awaitable<Row | undefined> {
        const row = isCurrent() ? known.get(key) : undefined;
        if (row !== undefined) return row;
        return readNow(() => {
          // The snapshot may be newer than what is remembered.
          ask();
          const found = read();
          if (found === undefined) return undefined;
          if (known.size >= mostRows) known.clear();
          for (const value of Object.values(found)) Object.freeze(value);
          known.set(key, Object.freeze(found) as Row);
          return found;
        });
      },
      drop: () => known.clear(),
    };
  }

  return { rows };
}
