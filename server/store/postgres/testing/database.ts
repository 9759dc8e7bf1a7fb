/** Databases for tests, on the PostgreSQL server of this run. */
import { randomUUID } from "node:crypto";
import { Client } from "pg";
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

export async function emptyDatabase(url: string): Promise<void> {
  await runSql(url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
}

export const versions = migrations.length;

export async function migrateTo(url: string, version: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await migrate(client, migrations.slice(0, version));
  } finally {
    await client.end();
  }
}

/** Runs statements on a separate connection, and returns the rows of the last one. */
export async function runSql<Row = unknown>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const result = await client.query(sql);
    return (Array.isArray(result) ? result.at(-1) : result).rows;
  } finally {
    await client.end();
  }
}
