/** SQLite databases for tests. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migrate, migrations } from "../migrations.ts";

/** Names a database that does not exist yet, in a folder of its own. */
export async function createDatabase(): Promise<{ url: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
  return { url: `file:${folder}/commerce.db`, remove: () => rm(folder, { recursive: true }) };
}

/** How many versions of the schema there have been. */
export const versions = migrations.length;

/** Makes an empty database one of an earlier version. */
export async function migrateTo(url: string, version: number): Promise<void> {
  const db = new DatabaseSync(url.replace("file:", ""));
  try {
    await migrate(db, migrations.slice(0, version), 0);
  } finally {
    db.close();
  }
}

/** Runs one statement on a connection of its own, and answers its rows. */
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
