/** Databases for tests, on the PostgreSQL server of this run. */
import { randomUUID } from "node:crypto";
import { Client, Pool } from "pg";
import { inject } from "vitest";
import { migrate, migrations } from "../migrations.ts";

/** Creates a database for this caller only, and returns its URL. It is removed with the server. */
export async function createDatabase(options = ""): Promise<string> {
  const response = await fetch(inject("postgresBroker"));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  const url = new URL(text);
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await runSql(url.href, `CREATE DATABASE ${name} ${options}`);
  url.pathname = name;
  return url.href;
}

export const versions = migrations.length;

/** Removes all tables. */
export async function emptyDatabase(url: string): Promise<void> {
  await runSql(url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
}

/**
 * Leaves a database that a store cannot distinguish from an empty one. Tables of the current version stay, without
 * rows, and identities begin at 1, because that takes far less time than another migration.
 */
export async function clearDatabase(url: string): Promise<void> {
  const [known] = await runSql<{ known: boolean }>(
    url,
    "SELECT to_regclass('commerce_schema_version') IS NOT NULL AS known",
  );
  const [row] =
    known?.known === true
      ? await runSql<{ version: number }>(url, "SELECT version FROM commerce_schema_version")
      : [];
  await (row?.version === versions ? runSql(url, deleteRows) : emptyDatabase(url));
}

/** Without triggers, the order in which tables are cleared does not matter to foreign keys. */
const deleteRows = `DO $$
  DECLARE relation record;
  BEGIN
    SET LOCAL session_replication_role = replica;
    FOR relation IN
      SELECT oid::regclass AS name, relkind AS kind FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relname NOT IN ('commerce_schema_version', 'cached_row_changes')
        AND relkind IN ('r', 'S')
    LOOP
      IF relation.kind = 'S' THEN PERFORM setval(relation.name, 1, false);
      ELSE EXECUTE format('DELETE FROM %s', relation.name);
      END IF;
    END LOOP;
  END $$`;

export async function migrateTo(url: string, version: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await migrate(client, migrations.slice(0, version));
  } finally {
    await client.end();
  }
}

const pools = new Map<string, Pool>();

/** Runs statements on connections of this function only, which stay open, and returns the rows of the last one. */
export async function runSql<Row = unknown>(url: string, sql: string): Promise<Row[]> {
  let pool = pools.get(url);
  if (pool === undefined) {
    pool = new Pool({ connectionString: url, idleTimeoutMillis: 0, allowExitOnIdle: true });
    // A connection that the server ends is replaced, so its error needs no handling.
    pool.on("error", () => {});
    pools.set(url, pool);
  }
  const result = await pool.query(sql);
  return (Array.isArray(result) ? result.at(-1) : result).rows;
}
