import { openSqliteStore, type SqliteOptions } from "./sqlite/open.ts";
import { type Store, StoreNotOpenableError } from "./store.ts";

/**
 * @param databaseUrl `file:PATH`, `file::memory:` or `postgres://USER:PASSWORD@HOST/DATABASE`
 * @throws StoreNotOpenableError for any other URL, and for a database that cannot be opened
 * @throws NewerDatabaseError if a newer release made the database
 */
export async function openStore(
  databaseUrl: string,
  options: { poolSize?: number } & Pick<SqliteOptions, "create" | "onNewFile"> = {},
): Promise<Store> {
  if (/^postgres(ql)?:\/\//.test(databaseUrl)) {
    // Loading the driver takes a tenth of the start.
    const { openPostgresStore } = await import("./postgres/open.ts");
    return openPostgresStore(databaseUrl, options);
  }
  return openSqliteStore(parseFileUrl(databaseUrl), options);
}

function parseFileUrl(databaseUrl: string): string {
  // The message does not contain the URL, because it may contain a password.
  const path = /^file:(?:\/\/(?=\/))?(.+)$/s.exec(databaseUrl)?.[1];
  if (path === undefined || path.startsWith("//")) {
    throw new StoreNotOpenableError(
      "DATABASE_URL must be file:PATH or postgres://USER:PASSWORD@HOST/DATABASE; set it, for example, to file:data/commerce.db.",
    );
  }
  return path;
}
