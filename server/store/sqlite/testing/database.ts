/** SQLite databases for tests. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Names a database that does not exist yet, in a folder of its own. */
export async function createDatabase(): Promise<{ url: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
  return { url: `file:${folder}/commerce.db`, remove: () => rm(folder, { recursive: true }) };
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
