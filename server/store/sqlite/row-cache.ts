/**
 * Caches the rows that every request needs. At the first use in a callback of the event loop, SQLite reports
 * whether another connection has committed. Triggers count changed and removed rows of the cached tables. If this
 * count has changed, all cached rows are dropped. The requests of a callback arrived before it, so they see every
 * commit that was made before they began.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Awaitable } from "../store.ts";
import type { DatabaseFile } from "./database-file.ts";

/** Of one table. At more, its rows are dropped, which costs one read each. */
const mostRows = 10_000;

export type CachedRows<Row> = {
  /** @param read finds the row in the database; a missing row is not remembered */
  find(key: string, read: () => Row | undefined): Awaitable<Row | undefined>;
  /** Call this inside a write that changes or removes a row. */
  drop(): void;
};

export type RowCache = {
  rows<Row extends object>(): CachedRows<Row>;
  /** Call this before a write, and before the database is closed. */
  endSnapshot(): void;
};

export function createRowCache(
  db: DatabaseSync,
  file: DatabaseFile,
  readNow: <T>(work: () => T) => Awaitable<T>,
): RowCache {
  // Changes when another connection commits, not when this one does.
  const dataVersion = db.prepare("PRAGMA data_version");
  const changes = db.prepare("SELECT count FROM cached_row_changes");
  const begin = db.prepare("BEGIN");
  const rollback = db.prepare("ROLLBACK");
  const tables: Map<string, object>[] = [];
  let version: unknown;
  let changeCount: unknown;
  let isAsked = false;
  let isSnapshot = false;

  function ask(): void {
    const found = dataVersion.get()?.data_version;
    if (found === version) return;
    const count = changes.get()?.count;
    if (count !== changeCount) for (const rows of tables) rows.clear();
    changeCount = count;
    version = found;
  }

  /** False if the file is gone or SQLite cannot tell. Then each row is read, which reports the error. */
  function isCurrent(): boolean {
    if (isAsked) return true;
    try {
      file.assertInPlace();
      ask();
    } catch {
      return false;
    }
    isAsked = true;
    queueMicrotask(endCallback);
    return true;
  }

  /** All missing rows of a callback share a snapshot: to begin one takes longer than to read a row. */
  function beginSnapshot(): void {
    if (isSnapshot) return;
    begin.run();
    isSnapshot = true;
    queueMicrotask(endCallback);
    // The snapshot may be newer than the cached rows.
    ask();
  }

  function endSnapshot(): void {
    if (!isSnapshot) return;
    isSnapshot = false;
    // A disk error ends a transaction.
    if (db.isTransaction) rollback.run();
  }

  function endCallback(): void {
    isAsked = false;
    endSnapshot();
  }

  function rows<Row extends object>(): CachedRows<Row> {
    const known = new Map<string, Row>();
    tables.push(known);
    return {
      find(key, read): Awaitable<Row | undefined> {
        const row = isCurrent() ? known.get(key) : undefined;
        if (row !== undefined) return row;
        return readNow(() => {
          beginSnapshot();
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

  return { rows, endSnapshot };
}
