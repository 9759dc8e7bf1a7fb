/** Chooses the store that a database URL names, so that nobody else knows which databases there are. */
import { openPostgresStore } from "./postgres/open.ts";
import { openSqliteStore, type SqliteOptions } from "./sqlite/open.ts";
import { type Store, StoreNotOpenableError } from "./store.ts";

/**
 * Opens and migrates the database of `databaseUrl`: `file:PATH`, relative to the working directory or absolute,
 * `file::memory:`, or `postgres://USER:PASSWORD@HOST/DATABASE`.
 * @param options.poolSize the most connections to a PostgreSQL server
 * @throws StoreNotOpenableError for any other URL, and for a database that cannot be opened
 * @throws NewerDatabaseError where a newer release made the database
 */
export async function openStore(
  databaseUrl: string,
  options: { poolSize?: number } & Pick<SqliteOptions, "create" | "onNewFile"> = {},
): Promise<Store> {
  if (/^postgres(ql)?:\/\//.test(databaseUrl)) return openPostgresStore(databaseUrl, options);
  return openSqliteStore(parseFileUrl(databaseUrl), options);
}

function parseFileUrl(databaseUrl: string): string {
  // The URL itself is not repeated: one for a database server may carry a password.
  const path = /^file:(?:\/\/(?=\/))?(.+)$/s.exec(databaseUrl)?.[1];
  if (path === undefined || path.startsWith("//")) {
    throw new StoreNotOpenableError(
      "DATABASE_URL is neither file:PATH nor postgres://USER:PASSWORD@HOST/DATABASE; set it to, for example, file:data/commerce.db.",
    );
  }
  return path;
}
