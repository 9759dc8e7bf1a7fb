/** The databases that the service supports, for tests on each of them. */
import * as postgres from "../store/postgres/testing/database.ts";
import * as sqlite from "../store/sqlite/testing/database.ts";

export interface TestDatabase {
  readonly name: string;
  /** Returns a database without rows. On PostgreSQL, all calls clear and return the same database. */
  create(): Promise<{ readonly url: string; remove(): Promise<void> }>;
  /** Returns a database without tables. On PostgreSQL, all calls empty and return the same database. */
  createEmpty(): Promise<{ readonly url: string; remove(): Promise<void> }>;
  /** The number of schema versions. */
  readonly versions: number;
  /** Creates the schema of an earlier version in an empty database. */
  migrateTo(url: string, version: number): Promise<void>;
  /** Runs one statement on a separate connection, and returns its rows. */
  runSql(url: string, sql: string): Promise<unknown[]>;
}

let clearedUrl: Promise<string> | undefined;
let emptiedUrl: Promise<string> | undefined;

export const databases: readonly TestDatabase[] = [
  {
    name: "SQLite",
    create: sqlite.createDatabase,
    createEmpty: sqlite.createDatabase,
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
      clearedUrl ??= postgres.createDatabase();
      const url = await clearedUrl;
      await postgres.clearDatabase(url);
      return { url, remove: async () => {} };
    },
    async createEmpty() {
      emptiedUrl ??= postgres.createDatabase();
      const url = await emptiedUrl;
      await postgres.emptyDatabase(url);
      return { url, remove: async () => {} };
    },
  },
];
