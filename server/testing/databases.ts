/** The databases that the service supports, for tests on each of them. */
import * as postgres from "../store/postgres/testing/database.ts";
import * as sqlite from "../store/sqlite/testing/database.ts";

export interface TestDatabase {
  readonly name: string;
  /** An empty database. On PostgreSQL, it is the database of the test file after it was emptied. */
  create(): Promise<{ readonly url: string; remove(): Promise<void> }>;
  /** The number of versions of the schema. */
  readonly versions: number;
  /** Creates the schema of an earlier version in an empty database. */
  migrateTo(url: string, version: number): Promise<void>;
  /** Runs one statement outside the service, and returns its rows. */
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
