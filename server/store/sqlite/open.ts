/**
 * Opens one SQLite file and puts the aggregates over it together. The SQL of each aggregate is in the file of its name, that
 * of API keys and webhooks in tenants.ts.
 */
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Store, StoreNotOpenableError } from "../store.ts";
import { attempts } from "./attempts.ts";
import { commissions } from "./commissions.ts";
import { connect } from "./connection.ts";
import { fromDriver, isBusy, isDriverFault, isFull, isNotADatabase } from "./driver-errors.ts";
import { migrate, migrations } from "./migrations.ts";
import { sessions } from "./sessions.ts";
import { apiKeys, tenants, webhooks } from "./tenants.ts";
import { untilFree } from "./until-free.ts";
import { users } from "./users.ts";

/**
 * Opens the database file at `path`, or `:memory:`, making folder and file where they are missing, and migrates it.
 * @throws StoreNotOpenableError where path or file cannot serve as the database
 * @throws StoreUnavailableError where another connection keeps it locked for `busyTimeoutMs`
 * @throws NewerDatabaseError where a newer release made it
 */
export async function openSqliteStore(
  path: string,
  { busyTimeoutMs = 5000, onNewFile }: { busyTimeoutMs?: number; onNewFile?: (path: string) => void } = {},
): Promise<Store> {
  const db = openFile(path, onNewFile);
  try {
    await untilFree(() => db.exec("PRAGMA journal_mode = WAL"), busyTimeoutMs);
    // FULL flushes the log at each commit: an answer that was given survives a power cut.
    db.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    await migrate(db, migrations, busyTimeoutMs);
    const connection = connect(db, busyTimeoutMs);
    const version = connection.query<{ user_version: number }>("PRAGMA user_version");
    return {
      tenants: tenants(connection),
      apiKeys: apiKeys(connection),
      users: users(connection),
      sessions: sessions(connection),
      commissions: commissions(connection),
      webhooks: webhooks(connection),
      attempts: attempts(connection),
      async assertWritable() {
        // Written over itself: a page is written, and nothing is changed.
        await connection.write(() => db.exec(`PRAGMA user_version = ${version.get({})?.user_version}`));
      },
      close: connection.close,
    };
  } catch (error) {
    db.close();
    if (isNotADatabase(error)) {
      throw notOpenable(path, "it is not a SQLite database", error);
    }
    if (isFull(error)) {
      throw new StoreNotOpenableError(
        `Cannot open the database ${path} (its disk is full); free some space there, or set DATABASE_URL to a file elsewhere.`,
        { cause: error },
      );
    }
    throw isDriverFault(error) && !isBusy(error)
      ? notOpenable(path, "it cannot be used", error)
      : fromDriver(error);
  }
}

function openFile(path: string, onNewFile?: (path: string) => void): DatabaseSync {
  try {
    if (path !== ":memory:") {
      makeFolder(dirname(path));
      if (createPrivately(path)) onNewFile?.(path);
    }
    // No busy handler: see until-free.ts.
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    const code = codeOf(error);
    throw notOpenable(path, code === "ERR_SQLITE_ERROR" ? "it cannot be opened" : code, error);
  }
}

/** Node's own recursive `mkdir` never returns where a file system refuses with ENOENT, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process that starts now was faster.
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/**
 * The file holds TOTP secrets, so only its owner may read it; SQLite gives its log the same mode. A file that exists is
 * not opened here: closing it again would drop the locks that this process holds on it (POSIX fcntl).
 *
 * @returns whether it was made
 */
function createPrivately(path: string): boolean {
  try {
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return false;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

function notOpenable(path: string, reason: string, cause: unknown): StoreNotOpenableError {
  return new StoreNotOpenableError(
    `Cannot open the database ${path} (${reason}); set DATABASE_URL to a file that this user may read and write.`,
    { cause },
  );
}
