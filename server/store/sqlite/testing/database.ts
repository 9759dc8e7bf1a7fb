import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runScript } from "../../../testing/program.ts";
import { migrate, migrations } from "../migrations.ts";

/** Returns the URL of a database that does not exist yet, in a new folder. */
export async function createDatabase(): Promise<{ url: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
  return { url: `file:${folder}/commerce.db`, remove: () => rm(folder, { recursive: true }) };
}

export const versions = migrations.length;

export async function migrateTo(url: string, version: number): Promise<void> {
  const db = new DatabaseSync(url.replace("file:", ""));
  try {
    await migrate(db, migrations.slice(0, version), 0);
  } finally {
    db.close();
  }
}

/** Runs one statement on a separate connection, and returns its rows. */
export async function runSql(url: string, sql: string): Promise<unknown[]> {
  const db = new DatabaseSync(url.replace("file:", ""), { timeout: 5000 });
  try {
    return db
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    db.close();
  }
}

/** Makes another connection keep the write lock until the returned function is called. */
export function lock(path: string): () => void {
  const db = new DatabaseSync(path);
  db.exec("BEGIN IMMEDIATE");
  return () => db.close();
}

/**
 * Overwrites the header of a database, or the first page of a table or index, as a bad disk does. Uses
 * another process, because closing the file here would drop this process's locks (POSIX fcntl).
 */
export async function damage(path: string, place: string): Promise<void> {
  await runScript(`
    import { DatabaseSync } from "node:sqlite";
    import { closeSync, openSync, writeSync } from "node:fs";
    const [path, place] = ${JSON.stringify([path, place])};
    const db = new DatabaseSync(path, { timeout: 5000 });
    // Separate writes make other connections drop their cached pages and rows.
    db.exec("UPDATE tenants SET name = name; UPDATE api_keys SET kind = kind; PRAGMA wal_checkpoint(TRUNCATE)");
    const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(place)?.rootpage ?? 1;
    const { page_size: size } = db.prepare("PRAGMA page_size").get();
    db.close();
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(place === "header" ? 16 : size, 0xff), 0, undefined, (root - 1) * size);
    closeSync(file);
  `);
}
