import { closeSync, existsSync, linkSync, openSync, rmSync, statSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { BackupError } from "../store.ts";

/** Copies all pages in one step. SQLite would restart the copy if another process wrote between two steps. */
const rate = 2 ** 31 - 1;

/**
 * Copies a database that may be in use, and checks the copy. An existing file is never overwritten.
 * @throws BackupError. Then there is no copy
 */
export async function backUpSqlite(
  path: string,
  copy: string,
): Promise<{ bytes: number; schemaVersion: number }> {
  const source = openSource(path);
  try {
    if (existsSync(copy))
      throw new BackupError(`${copy} exists; choose another file, because a backup never overwrites a file`);
    // Writes to another name first, so that `copy` is always complete. If the process is killed, the file with the other name remains.
    const unfinished = `${copy}.unfinished`;
    createPrivately(unfinished);
    try {
      await backup(source, unfinished, { rate });
      const schemaVersion = versionOf(source);
      assertIntact(unfinished, schemaVersion);
      // Unlike a rename, this fails if another process has created the file in the meantime.
      linkSync(unfinished, copy);
      return { bytes: statSync(copy).size, schemaVersion };
    } catch (error) {
      if (error instanceof BackupError) throw error;
      throw new BackupError(`the backup ${copy} was not made (${textOf(error)})`);
    } finally {
      for (const end of ["", "-journal", "-wal", "-shm"]) rmSync(`${unfinished}${end}`, { force: true });
    }
  } finally {
    source.close();
  }
}

function openSource(path: string): DatabaseSync {
  try {
    const source = new DatabaseSync(path, { readOnly: true });
    if (versionOf(source) > 0) return source;
    source.close();
  } catch (error) {
    throw new BackupError(`the database ${path} cannot be read (${textOf(error)}); check DATABASE_URL`);
  }
  throw new BackupError(`${path} is not a database of this service; check DATABASE_URL`);
}

/** The backup contains everything, so only its owner may read it. */
function createPrivately(copy: string): void {
  try {
    closeSync(openSync(copy, "wx", 0o600));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BackupError(
      code === "EEXIST"
        ? `${copy} exists, because another backup is running or was interrupted; if none is running, remove this file`
        : `the backup ${copy} cannot be created (${code === "ENOENT" ? "its folder is missing" : code}); choose a file in a folder that this user may write`,
    );
  }
}

function assertIntact(copy: string, schemaVersion: number): void {
  const db = new DatabaseSync(copy);
  try {
    const findings = db.prepare("PRAGMA integrity_check").all();
    const isIntact = findings.length === 1 && findings[0]?.integrity_check === "ok";
    if (!isIntact || versionOf(db) !== schemaVersion)
      throw new BackupError(`the backup is not intact, so it was removed; check the database and its disk`);
  } finally {
    db.close();
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.user_version);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
