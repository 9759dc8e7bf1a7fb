/**
 * Watches the database file, because SQLite continues to write to a removed or replaced file, and those writes are
 * lost. It only calls `stat`, because opening and closing the file would drop SQLite's locks (POSIX fcntl).
 */
import { realpathSync, statSync } from "node:fs";
import { StoreUnavailableError } from "../store.ts";
import { fromDriver, isDamaged, isOutOfSpace } from "./driver-errors.ts";

export type DatabaseFile = {
  /** @throws StoreUnavailableError if the file was removed or replaced, or if damage was found earlier */
  assertInPlace(): void;
  /** Checks the log too. Too slow for every commit: after a `stat`, Linux needs 30 µs more for the next write. */
  assertLogInPlace(): void;
  /** Converts an error of the driver. If the file is damaged, later checks throw the same error. */
  errorOf(error: unknown): unknown;
  /** True if `errorOf` got an error about missing space. */
  lacksSpace: boolean;
};

export function watchFile(path: string): DatabaseFile {
  const database = path === ":memory:" ? undefined : identify(path);
  /** The write-ahead log. SQLite creates it at the first read and keeps it while a connection is open. */
  let log: Identity | undefined;
  /** True if the last check failed. The next one includes the log, which another process may have replaced. */
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
    // SQLite derives the log's name from the resolved path.
    log ??= identify(`${realpathSync(path)}-wal`);
    return isInPlace(log);
  }

  return {
    lacksSpace: false,
    assertInPlace: () => assertInPlace(wasAway),
    assertLogInPlace: () => assertInPlace(true),
    errorOf(error) {
      if (isOutOfSpace(error)) this.lacksSpace = true;
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
  // A single file that is mounted into a container keeps its path there even if it is removed outside.
  return found.dev === dev && found.ino === ino && found.nlink > 0n;
}
