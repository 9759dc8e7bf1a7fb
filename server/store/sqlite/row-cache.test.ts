import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../open.ts";
import type { Store } from "../store.ts";
import { watchFile } from "./database-file.ts";
import { createRowCache } from "./row-cache.ts";
import { createDatabase, runSql } from "./testing/database.ts";

let url: string;
let other: Store;
let stack: AsyncDisposableStack;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  const { url: created, remove } = await createDatabase();
  stack.defer(remove);
  url = created;
  other = await openStore(url);
  stack.defer(() => other.close());
});
afterEach(() => stack.disposeAsync());

test("another process's change empties the cache only if it changes or removes rows of a cached table", async () => {
  const absent = { name: null, last_four: null, operations: null, expires_at: null };
  const key = { id: "k", tenant_id: "t", kind: "secret", hash: "h", created_at: 1, ...absent } as const;
  const definition = { tenant_id: "t", definition_hash: "d", definition: "{}", rate: 1, created_at: 1 };
  const hook = { tenant_id: "t", url: "https://a.example", events: [] };
  await other.tenants.create({ id: "t", name: "T", auth_type: 3 });
  await other.apiKeys.create(key);
  const webhook = await other.webhooks.create(hook);
  const isEmptiedBy = await observedCache();

  expect(await isEmptiedBy(() => other.apiKeys.noteUses(new Map([["k", 1]])))).toBe(false);
  expect(await isEmptiedBy(() => other.assertWritable())).toBe(false);
  expect(await isEmptiedBy(() => other.apiKeys.create({ ...key, id: "k2", hash: "h2" }))).toBe(false);
  expect(await isEmptiedBy(() => other.commissions.submit(definition))).toBe(false);

  const successor = { ...key, id: "k3", hash: "h3" };
  expect(await isEmptiedBy(() => other.apiKeys.rotate({ id: "k", expires_at: null }, successor, 9))).toBe(
    true,
  );
  expect(await isEmptiedBy(() => other.apiKeys.revoke({ id: "k" }, 5))).toBe(true);
  expect(await isEmptiedBy(() => other.webhooks.update("t", webhook.id, { events: ["a.b"] }))).toBe(true);
  expect(await isEmptiedBy(() => other.webhooks.remove("t", webhook.id))).toBe(true);
  for (const sql of [
    "UPDATE commissions SET rate = 2",
    "DELETE FROM commissions",
    "DELETE FROM api_keys WHERE id = 'k2'",
  ])
    expect(await isEmptiedBy(() => runSql(url, sql)), sql).toBe(true);
});

test.each([
  ["tenants", "No trigger counts each UPDATE of tenants;"],
  ["webhooks", "No trigger counts each DELETE of webhooks;"],
])("rows of %s are not cached if a change of them would not be noticed", async (table, says) => {
  const path = url.replace("file:", "");
  using db = new DatabaseSync(path);
  db.exec("DROP TRIGGER webhooks_deleted");
  const cache = createRowCache(db, watchFile(path), (work) => work());
  expect(() => cache.rows(table)).toThrow(says);
  await expect(openStore(url)).rejects.toThrow("No trigger counts each DELETE of webhooks;");
});

/** Returns a function that finds a row before and after a change. It returns whether the row was read again. */
async function observedCache(): Promise<(change: () => unknown) => Promise<boolean>> {
  const path = url.replace("file:", "");
  const db = new DatabaseSync(path);
  stack.defer(() => db.close());
  const findCached = createRowCache(db, watchFile(path), (work) => work()).rows("api_keys");
  let reads = 0;
  const find = async () => {
    await findCached("k", () => {
      reads += 1;
      return { id: "k" };
    });
    // Waits, so that the next look-up happens in another callback of the event loop.
    await nextTurn();
  };
  return async (change) => {
    await find();
    const before = reads;
    await change();
    await find();
    return reads > before;
  };
}
