/** The databases that the service supports, for tests on each of them. */
import * as postgres from "../store/postgres/testing/database.ts";
import * as sqlite from "../store/sqlite/testing/database.ts";

export interface TestDatabase {
  readonly name: string;
  /** Returns an empty database. On PostgreSQL, all calls in a test file empty and return the same database. */
  create(): Promise<{ readonly url: string; remove(): Promise<void> }>;
  /** The number of schema versions. */
  readonly versions: number;
  /** Creates the schema of an earlier version in an empty database. */
  migrateTo(url: string, version: number): Promise<void>;
  /** Runs one statement on a separate connection, and returns its rows. */
  runSql(url: string, sql: string): Promise<unknown[]>;
}

let postgresUrl: Promise<string> | undefined;

export const databases: readonly TestDatabase[] = [
  {
    name: "SQLite",
    create: sqlite.createDatabase,
    versions: sqlite.versions,
    migrateTo: sqlite.migrateTo,
    runSql: sqlite.runSql,
  },
  {
    name: "PostgreSQL",
    versions: postgres.versions,
    migrateTo: postgres.migrateTo,
    runSql: postgres.runSql,
    async create() {
      postgresUrl ??= postgres.createDatabase();
      const url = await postgresUrl;
      await postgres.emptyDatabase(url);
      return { url, remove: async () => {} };
    },
  },
];
