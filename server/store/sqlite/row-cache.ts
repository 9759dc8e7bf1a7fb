/**
 * Caches the rows that every request needs. At the first use in each callback of the event loop, the cache asks
 * SQLite whether another connection has committed. If so, or if this connection has, the cache reads a counter of changed
 * and removed rows. Database triggers on the cached tables update this counter. If the counter has changed, the cache
 * drops all rows. All requests that a callback handles arrived before that check. So a request sees every commit from
 * before its arrival.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Awaitable } from "../store.ts";
import type { DatabaseFile } from "./database-file.ts";

/** The maximum number of rows of one table. If one more is added, all rows of the table are dropped from memory. */
const mostRows = 10_000;

export type RowCache = {
  /**
   * Returns a look-up in the rows of a table. Missing rows are not cached.
   * @throws Error if a change of the table is not counted
   */
  rows<Row extends object>(
    table: string,
  ): (key: string, read: () => Row | undefined) => Awaitable<Row | undefined>;
  /** Call this before a transaction of this connection. Changes are looked for again after it. */
  beforeWrite(): void;
  /** Call this before the database is closed. */
  endSnapshot(): void;
};

export function createRowCache(
  db: DatabaseSync,
  file: DatabaseFile,
  readNow: <T>(work: () => T) => Awaitable<T>,
): RowCache {
  const changes = watchChanges(db);
  const begin = db.prepare("BEGIN");
  const rollback = db.prepare("ROLLBACK");
  const tables: Map<string, object>[] = [];
  let isAsked = false;
  let isSnapshot = false;

  function ask(): void {
    if (changes.happened()) for (const rows of tables) rows.clear();
  }

  /** Returns false if the file is gone or SQLite fails. Then each row is read from the file, which reports the error. */
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

  /** All reads of a callback share a snapshot, because beginning a snapshot takes longer than reading a row. */
  function beginSnapshot(): void {
    if (isSnapshot) return;
    begin.run();
    isSnapshot = true;
    queueMicrotask(endCallback);
    // Checks again, because the snapshot may be newer than the cached rows.
    ask();
  }

  function endSnapshot(): void {
    if (!isSnapshot) return;
    isSnapshot = false;
    // After a disk error there is no transaction, because SQLite has ended it.
    if (db.isTransaction) rollback.run();
  }

  function endCallback(): void {
    isAsked = false;
    endSnapshot();
  }

  return {
    rows<Row extends object>(table: string) {
      assertCounted(db, table);
      const known = new Map<string, Row>();
      tables.push(known);
      const readAndKeep = (key: string, read: () => Row | undefined) => () => {
        beginSnapshot();
        const found = read();
        if (found !== undefined) keep(known, key, found);
        return found;
      };
      return (key: string, read: () => Row | undefined) =>
        (isCurrent() && known.get(key)) || readNow(readAndKeep(key, read));
    },
    beforeWrite() {
      changes.expect();
      endCallback();
    },
    endSnapshot,
  };
}

function keep<Row extends object>(known: Map<string, Row>, key: string, row: Row): void {
  if (known.size >= mostRows) known.clear();
  // Lists in a row are not frozen, because `JSON.stringify` needs three times as long for frozen ones.
  known.set(key, Object.freeze(row));
}

/** Looks for changes and removals of rows in cached tables. */
function watchChanges(db: DatabaseSync) {
  // The value changes when another connection commits, but not when this connection does.
  const dataVersion = db.prepare("PRAGMA data_version");
  const changeCount = db.prepare("SELECT count FROM cached_row_changes");
  let version: unknown;
  let count: unknown;
  return {
    /** The next call of `happened` reads the counter, because this connection may change it. */
    expect(): void {
      version = undefined;
    },
    /** Returns whether there was a change since the last call. */
    happened(): boolean {
      const found = dataVersion.get()?.data_version;
      if (found === version) return false;
      const before = count;
      count = changeCount.get()?.count;
      version = found;
      return count !== before;
    },
  };
}

/** Without these triggers, the cache would return rows that have changed. */
function assertCounted(db: DatabaseSync, table: string): void {
  const triggers = db
    .prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?")
    .all(table);
  for (const event of ["UPDATE", "DELETE"]) {
    const counting = new RegExp(`AFTER ${event} ON ${table}\\b.*UPDATE cached_row_changes SET`, "s");
    if (!triggers.some(({ sql }) => counting.test(String(sql))))
      throw new Error(
        `No trigger counts each ${event} of ${table}; add one to migrations.ts, or do not cache its rows.`,
      );
  }
}
