import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../open.ts";
import { type Store, StoreNotOpenableError } from "../store.ts";
import { clientConfig } from "./client-config.ts";
import { connect, type PostgresConnection } from "./connection.ts";
import { cacheVersion, createRowCache, type Versioned } from "./row-cache.ts";
import { createDatabase, runSql } from "./testing/database.ts";

let url: string;
let other: Store;
let stack: AsyncDisposableStack;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  url = await createDatabase();
  other = await openStore(url);
  stack.defer(() => other.close());
});
afterEach(() => stack.disposeAsync());

const absent = { name: null, last_four: null, operations: null, expires_at: null };
const key = { id: "k", tenant_id: "t", kind: "secret", hash: "h", created_at: 1, ...absent } as const;
const hook = { tenant_id: "t", url: "https://a.example", events: [] };

describe("the cached rows are read again", () => {
  test("after another program's change only if it changes or removes rows of a cached table", async () => {
    await other.tenants.create({ id: "t", name: "T", auth_type: 3 });
    await other.apiKeys.create(key);
    const webhook = await other.webhooks.create(hook);
    const isEmptiedBy = observedCache();
    const definition = { tenant_id: "t", definition_hash: "d", definition: "{}", rate: 1, created_at: 1 };
    const successor = { ...key, id: "k3", hash: "h3" };

    const unnoticed: Record<string, () => unknown> = {
      "the last use of a key": () => other.apiKeys.noteUses(new Map([["k", 1]])),
      "a readiness check": () => other.assertWritable(),
      "a new key": () => other.apiKeys.create({ ...key, id: "k2", hash: "h2" }),
      "a new definition": () => other.commissions.submit(definition),
      "a change that is rolled back": () => runSql(url, "BEGIN; UPDATE webhooks SET url = 'x'; ROLLBACK"),
      "the name of a key": () => runSql(url, "UPDATE api_keys SET name = 'N'"),
    };
    for (const [change, make] of Object.entries(unnoticed))
      expect(await isEmptiedBy(make), change).toBe(false);

    const noticed: Record<string, () => unknown> = {
      rotation: () => other.apiKeys.rotate({ id: "k", expires_at: null }, successor, 9),
      revocation: () => other.apiKeys.revoke({ id: "k" }, 5),
      "another URL": () => other.webhooks.update("t", webhook.id, { url: "u" }),
      removal: () => other.webhooks.remove("t", webhook.id),
    };
    for (const [change, make] of Object.entries(noticed)) expect(await isEmptiedBy(make), change).toBe(true);
    await other.webhooks.create(hook);
    for (const sql of [
      "UPDATE commissions SET rate = 2",
      "DELETE FROM commissions",
      "DELETE FROM api_keys WHERE id = 'k2'",
      // The change before the savepoint is not counted before the commit.
      "BEGIN; UPDATE webhooks SET url = 'x'; SAVEPOINT s; SET CONSTRAINTS ALL IMMEDIATE; ROLLBACK TO s; COMMIT",
      "BEGIN; SET LOCAL search_path = pg_catalog; UPDATE public.webhooks SET url = 'y'; COMMIT",
      // As logical replication does.
      "BEGIN; SET LOCAL session_replication_role = replica; UPDATE webhooks SET url = 'z'; COMMIT",
      "TRUNCATE webhooks",
      "TRUNCATE api_keys",
      "TRUNCATE commissions",
    ])
      expect(await isEmptiedBy(() => runSql(url, sql)), sql).toBe(true);
  });

  test("after a backup was restored that has the same count of changes", async () => {
    const isEmptiedBy = observedCache();
    const row = "TABLE cached_row_changes";
    const before = await runSql(url, row);
    const replaceRow = "DELETE FROM cached_row_changes; INSERT INTO cached_row_changes DEFAULT VALUES";
    expect(await isEmptiedBy(() => runSql(url, replaceRow))).toBe(true);
    expect(await runSql(url, row)).toEqual(before);

    const name = new URL(url).pathname.slice(1);
    const elsewhere = await createDatabase();
    expect(
      await isEmptiedBy(async () => {
        for (const sql of [
          `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
          `CREATE DATABASE ${name}_copy TEMPLATE ${name}`,
          `DROP DATABASE ${name} WITH (FORCE)`,
          `ALTER DATABASE ${name}_copy RENAME TO ${name}`,
        ])
          await runSql(elsewhere, sql);
      }),
    ).toBe(true);
  });

  test("for each look-up if the count of changes is missing", async () => {
    await runSql(url, "DELETE FROM cached_row_changes");
    const isEmptiedBy = observedCache();
    expect(await isEmptiedBy(() => {})).toBe(true);
  });
});

test("look-ups of a turn, and those that directly follow them, share one proof", async () => {
  const connection = openConnection();
  let proofs = 0;
  const read: typeof connection.read = (call) => {
    proofs += 1;
    return connection.read(call);
  };
  const find = createRowCache({ ...connection, read }).lookUp<Row, string>(
    (id) => id,
    (ids) => rowsOf(connection, ids),
  );
  await Promise.all([find("a"), find("b")]);
  await nextTurn();
  expect(proofs).toBe(0);
  const first = Promise.resolve(find("a")).then(() => find("b"));
  expect(await Promise.all([first, find("b")])).toEqual([{ id: "b" }, { id: "b" }]);
  expect(proofs).toBe(1);
  await nextTurn();
  await find("a");
  expect(proofs).toBe(2);
});

test.each([
  ["DROP TRIGGER cached_row_changed ON webhooks", "is missing"],
  ["ALTER TABLE webhooks ENABLE TRIGGER cached_row_changed", "ignores replicated changes"],
])("a database is rejected if a trigger of its cached rows %s", async (sql) => {
  await runSql(url, sql);
  await expect(openStore(url)).rejects.toThrow(
    new StoreNotOpenableError(
      "The database lacks a trigger that counts changes of api_keys, webhooks or commissions; restore it with all its triggers.",
    ),
  );
});

type Row = { readonly id: string };

function openConnection(): PostgresConnection {
  const connection = connect(clientConfig(url, {}), { lacksSpace: false });
  stack.defer(() => connection.close());
  return connection;
}

function rowsOf({ read, statement }: PostgresConnection, ids: readonly string[]): Promise<Versioned<Row>[]> {
  const rows = statement<Versioned<Row>>(
    `SELECT ${cacheVersion} AS cache_version, id AS cache_key, id FROM unnest(:ids::text[]) AS given (id)`,
  );
  return read(rows({ ids }));
}

/** Returns a function that finds a row before and after a change. It returns whether the row was read again. */
function observedCache(): (change: () => unknown) => Promise<boolean> {
  const connection = openConnection();
  let reads = 0;
  const find = createRowCache(connection).lookUp<Row, string>(
    (id) => id,
    (ids) => {
      reads += 1;
      return rowsOf(connection, ids);
    },
  );
  return async (change) => {
    await find("k");
    // Waits, so that the next look-up happens in another callback of the event loop.
    await nextTurn();
    const before = reads;
    await change();
    await nextTurn();
    await find("k");
    return reads > before;
  };
}
