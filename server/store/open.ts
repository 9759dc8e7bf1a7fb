import { resolve } from "node:path";
import { backUpSqlite } from "./sqlite/backup.ts";
import { openSqliteStore, type SqliteOptions } from "./sqlite/open.ts";
import { BackupError, type Store, StoreNotOpenableError } from "./store.ts";

const isPostgres = (databaseUrl: string): boolean => /^postgres(ql)?:\/\//.test(databaseUrl);

/**
 * @param databaseUrl `file:PATH`, `file::memory:` or `postgres://USER:PASSWORD@HOST/DATABASE`
 * @throws StoreNotOpenableError for any other URL, and for a database that cannot be opened
 * @throws NewerDatabaseError if a newer release made the database
 */
export async function openStore(
  databaseUrl: string,
  options: { poolSize?: number } & Pick<SqliteOptions, "create" | "onNewFile"> = {},
): Promise<Store> {
  if (isPostgres(databaseUrl)) {
    // Loads only the driver that is needed, because each takes a tenth of the start time.
    const { openPostgresStore } = await import("./postgres/open.ts");
    return openPostgresStore(databaseUrl, options);
  }
  return openSqliteStore(parseFileUrl(databaseUrl), options);
}

/** @throws BackupError */
export function backUp(databaseUrl: string, copy: string): ReturnType<typeof backUpSqlite> {
  if (isPostgres(databaseUrl)) {
    throw new BackupError(
      'PostgreSQL has its own program for backups; run: pg_dump --format=custom --file=commerce.dump "$DATABASE_URL"',
    );
  }
  return backUpSqlite(parseFileUrl(databaseUrl), copy);
}

/** The file, or the host and name of a PostgreSQL database. It contains no password. */
export function databaseName(databaseUrl: string): string {
  if (!isPostgres(databaseUrl)) return resolve(pathIn(databaseUrl));
  const { host = "", pathname = "" } = URL.parse(databaseUrl) ?? {};
  return host + pathname;
}

function parseFileUrl(databaseUrl: string): string {
  // The message does not contain the URL, because it may contain a password.
  const path = pathIn(databaseUrl);
  if (path === "" || path.startsWith("//")) {
    throw new StoreNotOpenableError(
      "DATABASE_URL must be file:PATH or postgres://USER:PASSWORD@HOST/DATABASE; set it, for example, to file:data/commerce.db.",
    );
  }
  return path;
}

function pathIn(databaseUrl: string): string {
  return /^file:(?:\/\/(?=\/))?(.+)$/s.exec(databaseUrl)?.[1] ?? "";
}
