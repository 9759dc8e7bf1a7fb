/** The databases that the service runs on, for tests of what it promises on each of them. */
import * as postgres from "../store/postgres/testing/database.ts";
import * as sqlite from "../store/sqlite/testing/database.ts";

export interface TestDatabase {
  readonly name: string;
  /** An empty database; PostgreSQL's is the one of the test file, emptied. */
  create(): Promise<{ readonly url: string; remove(): Promise<void> }>;
  /** Runs one statement beside the service, and answers its rows. */
  runSql(url: string, sql: string): Promise<unknown[]>;
}

let postgresUrl: Promise<string> | undefined;

export const databases: readonly TestDatabase[] = [
  { name: "SQLite", create: sqlite.createDatabase, runSql: sqlite.runSql },
  {
    name: "PostgreSQL",
    runSql: postgres.runSql,
    async create() {
      postgresUrl ??= postgres.createDatabase();
      const url = await postgresUrl;
      await postgres.emptyDatabase(url);
      return { url, remove: async () => {} };
    },
  },
];
