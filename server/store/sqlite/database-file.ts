/**
 * Watches the database file: SQLite would still write to a removed or replaced file, and lose everything.
 * Only `stat` is allowed: opening and closing the file would drop SQLite's locks (POSIX fcntl).
 */
import { realpathSync, statSync } from "node:fs";
import { StoreUnavailableError } from "../store.ts";
import { fromDriver, isDamaged } from "./driver-errors.ts";

export type DatabaseFile = {
  /** @throws StoreUnavailableError if the file was removed, replaced or found damaged */
  assertInPlace(): void;
  /** Also checks the log. Not at every commit: after a `stat`, Linux needs 30 µs more for the next write. */
  assertLogInPlace(): void;
  /** Converts a driver's error, and remembers if the file is damaged. */
  errorOf(error: unknown): unknown;
};

export function watchFile(path: string): DatabaseFile {
  const database = path === ":memory:" ? undefined : identify(path);
  /** SQLite creates the write-ahead log at the first read, and keeps it while a connection is open. */
  let log: Identity | undefined;
  /** Another process may have replaced the log while the file was away. */
  let wasAway = false;
  let damage: StoreUnavailableError | undefined;

  function assertInPlace(withLog: boolean): void {
    if (damage !== undefined) throw damage;
    if (database === undefined) return;
    let cause: unknown;
    try {
      wasAway = !(isInPlace(database) && (!withLog || isLogInPlace()));
      if (!wasAway) return;
    } catch (error) {
      wasAway = true;
      cause = error;
    }
    throw new StoreUnavailableError(
      cause,
      `The database file ${path}, or its log ${path}-wal, was removed or replaced; put the same files back, or stop the server and restore a backup (docs/deployment.md).`,
    );
  }

  function isLogInPlace(): boolean {
    // SQLite resolves a symbolic link before it names the log.
    log ??= identify(`${realpathSync(path)}-wal`);
    return isInPlace(log);
  }

  return {
    assertInPlace: () => assertInPlace(wasAway),
    assertLogInPlace: () => assertInPlace(true),
    errorOf(error) {
      if (!isDamaged(error)) return fromDriver(error);
      damage ??= new StoreUnavailableError(
        error,
        `The database file ${path} is damaged; stop the server and restore a backup (docs/deployment.md).`,
      );
      return damage;
    },
  };
}

type Identity = { path: string; dev: bigint; ino: bigint };

function identify(path: string): Identity {
  const { dev, ino } = statSync(path, { bigint: true });
  return { path, dev, ino };
}

function isInPlace({ path, dev, ino }: Identity): boolean {
  const found = statSync(path, { bigint: true });
  // A file that is mounted alone into a container keeps its path after it was removed outside.
  return found.dev === dev && found.ino === ino && found.nlink > 0n;
}
