/** Chooses the store that a database URL names, so that nobody else knows which databases there are. */
import { openSqliteStore } from "./sqlite/open.ts";
import { type Store, StoreNotOpenableError } from "./store.ts";

/**
 * Opens and migrates the database of `databaseUrl`: `file:PATH`, relative to the working directory or absolute, or
 * `file::memory:`.
 * @throws StoreNotOpenableError for any other URL, and for a path that cannot be opened
 * @throws NewerDatabaseError where a newer release made the database
 */
export async function openStore(databaseUrl: string): Promise<Store> {
  return openSqliteStore(parseFileUrl(databaseUrl));
}

function parseFileUrl(databaseUrl: string): string {
  if (/^postgres(ql)?:/i.test(databaseUrl)) {
    throw new StoreNotOpenableError(
      "PostgreSQL is not supported yet; set DATABASE_URL to file:PATH, such as file:data/commerce.db.",
    );
  }
  // The URL itself is not repeated: one for a database server may carry a password.
  const path = /^file:(?:\/\/(?=\/))?(.+)$/s.exec(databaseUrl)?.[1];
  if (path === undefined || path.startsWith("//")) {
    throw new StoreNotOpenableError(
      "DATABASE_URL is not of the form file:PATH; set it to, for example, file:data/commerce.db.",
    );
  }
  return path;
}
