/** The databases that the service runs on, for tests of what it promises on each of them. */
import * as postgres from "../store/postgres/testing/database.ts";
import * as sqlite from "../store/sqlite/testing/database.ts";

export interface TestDatabase {
  readonly name: string;
  /** An empty database; PostgreSQL's is the one of the test file, emptied. */
  create(): Promise<{ readonly url: string; remove(): Promise<void> }>;
  /** How many versions of the schema there have been. */
  readonly versions: number;
  /** Makes an empty database one of an earlier version. */
  migrateTo(url: string, version: number): Promise<void>;
  /** Runs one statement beside the service, and answers its rows. */
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
