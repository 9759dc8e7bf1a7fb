import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openStore } from "../open.ts";
import { OutcomeUnknownError } from "../store.ts";
import { connect, type SqliteConnection } from "./connection.ts";
import { watchFile } from "./database-file.ts";
import { createLogFlush } from "./log-flush.ts";
import { lock, runSql } from "./testing/database.ts";

let folder: string;
let path: string;
let written: number;
let db: DatabaseSync;
let connection: SqliteConnection;
beforeEach(async () => {
  written = 0;
  folder = mkdtempSync(join(tmpdir(), "sqlite-log-"));
  path = join(folder, "commerce.db");
  await (await openStore(`file:${path}`)).close();
  db = new DatabaseSync(path);
  db.exec("INSERT INTO tenants (id, name, auth_type) VALUES ('t', 'T', 3)");
});
afterEach(async () => {
  await connection.close();
  rmSync(folder, { recursive: true });
});

function write(): Promise<unknown> {
  written += 1;
  const insert = connection.statement(
    "INSERT INTO commissions (tenant_id, definition_hash, definition, rate, created_at) VALUES ('t', :hash, hex(zeroblob(1000)), 1, 1)",
  );
  return connection.write(insert({ hash: `h${written}` }));
}

function writeMany(count: number): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, write));
}

/** 1 if a thread flushes commits, 2 if SQLite does. */
function synchronous(): unknown {
  return db.prepare("PRAGMA synchronous").get()?.synchronous;
}

/** How often SQLite has begun the log again (the checkpoint sequence number of its header). */
function beginningsOfLog(): number {
  return readFileSync(`${path}-wal`).readUInt32BE(12);
}

/** Waits until a thread flushes commits. */
async function startThread(): Promise<void> {
  expect(synchronous()).toBe(2);
  await writeMany(200);
  while (synchronous() === 2) await nextTurn();
}

test("a thread flushes and copies the log of a process with many writes, so that the log does not grow", async () => {
  connection = connect(db, watchFile(path), 0, createLogFlush(db, path));
  await startThread();
  // The thread copies the log after each second round. So the log that it has begun is the last one.
  for (let round = 0; round < 19; round += 1) await writeMany(400);
  await vi.waitFor(() => expect(beginningsOfLog()).toBe(10));
  expect(statSync(`${path}-wal`).size).toBeLessThan(4_000_000);
  expect(synchronous()).toBe(1);
  await connection.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
  expect(await runSql(`file:${path}`, "SELECT count(*) AS count FROM commissions")).toEqual([
    { count: 7800 },
  ]);
});

test("a write is not confirmed if the flush fails, and then SQLite flushes each commit", async () => {
  // Linux and macOS cannot flush this device.
  writeFileSync(join(folder, "unflushable.db"), "");
  symlinkSync("/dev/null", join(folder, "unflushable.db-wal"));
  connection = connect(db, watchFile(path), 0, createLogFlush(db, join(folder, "unflushable.db")));
  await startThread();
  await expect(write()).rejects.toThrow(OutcomeUnknownError);
  expect(synchronous()).toBe(2);
  await writeMany(1000);
});

test("the thread respects a lock and a change of the version by another process", async () => {
  const log = createLogFlush(db, path);
  connection = connect(db, watchFile(path), 0, log);
  await startThread();
  const unlock = lock(path);
  await log.afterCommit(500);
  await log.copied;
  unlock();
  expect(log.afterCommit(1)).toBeInstanceOf(Promise);
  await runSql(`file:${path}`, "PRAGMA user_version = 99");
  await log.afterCommit(500);
  await log.copied;
  expect(await runSql(`file:${path}`, "PRAGMA user_version")).toEqual([{ user_version: 99 }]);
});

test("a row is returned after a flush if it may have been committed shortly before", async () => {
  connection = connect(db, watchFile(path), 0, createLogFlush(db, path));
  const byHash = connection.statement<{ id: number }>(
    "SELECT id FROM commissions WHERE definition_hash = :hash",
  );
  const cached = connection.cachedRows<{ id: number }>("commissions");
  const find = (hash: string) => cached(hash, () => byHash({ hash }));
  await startThread();
  const first = find("h1");
  expect(first, "another process may have committed before this one began").toBeInstanceOf(Promise);
  expect(find("h2"), "the flush has not ended").toBeInstanceOf(Promise);
  await first;
  await find("h2");
  expect(find("h1")).not.toBeInstanceOf(Promise);
  const writing = write();
  let unconfirmed: unknown;
  do {
    await nextTurn();
    unconfirmed = find(`h${written}`);
  } while (unconfirmed === undefined);
  expect(unconfirmed, "the write is not confirmed").toBeInstanceOf(Promise);
  expect(await unconfirmed).toEqual({ id: written });
  await writing;
  expect(find(`h${written}`)).toEqual({ id: written });
  await runSql(
    `file:${path}`,
    "UPDATE commissions SET created_at = 2 WHERE definition_hash = 'h3' RETURNING id",
  );
  expect(find("h3"), "another process has committed").toBeInstanceOf(Promise);
});
