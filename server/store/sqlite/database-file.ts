/**
 * Watches the file of a database in use. SQLite goes on using a file that was removed or replaced, and everything that it
 * writes there is lost. Only `stat` may touch the file: a second close of it would drop SQLite's locks (POSIX fcntl).
 */
import { realpathSync, statSync } from "node:fs";
import { StoreUnavailableError } from "../store.ts";
import { fromDriver, isDamaged } from "./driver-errors.ts";

export type DatabaseFile = {
  /** @throws StoreUnavailableError if the file was removed, replaced or found damaged */
  assertInPlace(): void;
  /**
   * Also looks at the log. Not for every commit: the next write to a file costs Linux 30 µs once its times were asked for.
   * @throws StoreUnavailableError
   */
  assertLogInPlace(): void;
  /** The store's own error for one of the driver's. Remembers that the file is damaged. */
  errorOf(error: unknown): unknown;
};

/** @param path of the file that was just opened, or `:memory:` */
export function watchFile(path: string): DatabaseFile {
  const database = path === ":memory:" ? undefined : identify(path);
  /** SQLite makes the write-ahead log at the first read, and keeps it for as long as a connection is open. */
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
      `The database file ${path}, or its log ${path}-wal, was removed or replaced; put the same files back, or stop the server and restore a backup as docs/deployment.md says.`,
    );
  }

  function isLogInPlace(): boolean {
    // SQLite follows a symbolic link before it names the log.
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
        `The database file ${path} is damaged; stop the server and restore a backup as docs/deployment.md says.`,
      );
      return damage;
    },
  };
}

type Identity = { path: string; dev: bigint; ino: bigint };

/** @throws the error of `stat` */
function identify(path: string): Identity {
  const { dev, ino } = statSync(path, { bigint: true });
  return { path, dev, ino };
}

/** @throws the error of `stat` */
function isInPlace({ path, dev, ino }: Identity): boolean {
  const found = statSync(path, { bigint: true });
  // A file that is mounted into a container by itself keeps its path there when it is removed outside.
  return found.dev === dev && found.ino === ino && found.nlink > 0n;
}
