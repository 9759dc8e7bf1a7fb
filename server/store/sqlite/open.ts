import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sessions } from "../sql/sessions.ts";
import { tenants } from "../sql/tenants.ts";
import { users } from "../sql/users.ts";
import { type Store, StoreNotOpenableError } from "../store.ts";
import { apiKeys } from "./api-keys.ts";
import { attempts } from "./attempts.ts";
import { commissions } from "./commissions.ts";
import { connect } from "./connection.ts";
import { watchFile } from "./database-file.ts";
import { fromDriver, isBusy, isDamaged, isDriverError, isFull } from "./driver-errors.ts";
import { migrate, migrations } from "./migrations.ts";
import { untilFree } from "./until-free.ts";
import { webhooks } from "./webhooks.ts";
import { writableCheck } from "./writable.ts";

export type SqliteOptions = {
  busyTimeoutMs?: number;
  create?: "if-missing" | "never";
  /** Called with the path of a missing or empty file that becomes a new database. */
  onNewFile?: (path: string) => void;
};

/**
 * @throws StoreNotOpenableError if the path or file cannot be the database
 * @throws StoreUnavailableError if another connection locks it for `busyTimeoutMs`
 * @throws NewerDatabaseError if a newer release made the database
 */
export async function openSqliteStore(
  path: string,
  { busyTimeoutMs = 5000, create = "if-missing", onNewFile }: SqliteOptions = {},
): Promise<Store> {
  const db = openFile(path, create);
  try {
    const file = watchFile(path);
    await untilFree(() => db.exec("PRAGMA journal_mode = WAL"), busyTimeoutMs);
    // FULL flushes the log at each commit, so that a confirmed write survives a power cut.
    db.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    await migrate(db, migrations, busyTimeoutMs, () => {
      if (path === ":memory:") return;
      if (create === "never") throw emptyFile(path);
      onNewFile?.(path);
    });
    file.assertLogInPlace();
    const connection = connect(db, file, busyTimeoutMs);
    return {
      tenants: tenants(connection),
      apiKeys: apiKeys(connection),
      users: users(connection),
      sessions: sessions(connection),
      commissions: commissions(connection),
      webhooks: webhooks(connection),
      attempts: attempts(connection),
      assertWritable: writableCheck(db, connection, file),
      close: connection.close,
    };
  } catch (error) {
    db.close();
    if (isDamaged(error)) {
      throw new StoreNotOpenableError(
        `Cannot open the database ${path} (it is damaged, or not a SQLite database); restore a backup, or set DATABASE_URL to another file.`,
        { cause: error },
      );
    }
    if (isFull(error)) {
      throw new StoreNotOpenableError(
        `Cannot open the database ${path} (its disk is full); free some space there, or set DATABASE_URL to a file elsewhere.`,
        { cause: error },
      );
    }
    throw isDriverError(error) && !isBusy(error)
      ? notOpenable(path, "it cannot be used", error)
      : fromDriver(error);
  }
}

function openFile(path: string, create: SqliteOptions["create"]): DatabaseSync {
  try {
    if (path !== ":memory:") {
      // Checks the log first: a process that makes the database writes the file before the log.
      const hasLog = existsSync(`${path}-wal`);
      const file = statSync(path, { throwIfNoEntry: false });
      if (file?.isDirectory()) throw notOpenable(path, "it is a folder", undefined);
      const isEmpty = !file?.size;
      if (isEmpty && hasLog) {
        // SQLite would remove or overwrite the log, which is needed if the file is restored.
        throw new StoreNotOpenableError(
          `Cannot open the database ${path} (it is missing or empty, but its log ${path}-wal exists); put the file back, or remove its log too.`,
        );
      }
      if (isEmpty && create === "never") throw emptyFile(path);
      // A missing folder of an absolute path is mistyped, or its disk is not mounted.
      if (isAbsolute(path) && !existsSync(dirname(path))) throw missingFolder(path);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      createPrivately(path);
    }
    // Disables the busy handler. See until-free.ts.
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    if (error instanceof StoreNotOpenableError) throw error;
    const code = codeOf(error);
    throw notOpenable(path, code === "ERR_SQLITE_ERROR" ? "it cannot be opened" : code, error);
  }
}

/**
 * The file contains TOTP secrets, so only its owner may read it. SQLite gives the log the same mode. An
 * existing file is not opened, because closing it would drop this process's locks (POSIX fcntl).
 */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

function emptyFile(path: string): StoreNotOpenableError {
  return new StoreNotOpenableError(
    `Cannot open the database ${path} (it is missing or empty); correct DATABASE_URL, or restore the file. To create a new one, run "tenant create" with DATABASE_CREATE=if-missing.`,
  );
}

function missingFolder(path: string): StoreNotOpenableError {
  return new StoreNotOpenableError(
    `Cannot open the database ${path} (its folder is missing); correct DATABASE_URL, mount the disk, or create the folder.`,
  );
}

function notOpenable(path: string, reason: string, cause: unknown): StoreNotOpenableError {
  return new StoreNotOpenableError(
    `Cannot open the database ${path} (${reason}); set DATABASE_URL to a file that this user may read and write.`,
    { cause },
  );
}
