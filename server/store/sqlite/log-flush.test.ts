import { execFile } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openStore } from "../open.ts";
import { OutcomeUnknownError, StoreUnavailableError } from "../store.ts";
import { connect, type SqliteConnection } from "./connection.ts";
import { watchFile } from "./database-file.ts";
import { createLogFlush, type LogFlush, noLog } from "./log-flush.ts";
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

function write(meanwhile = () => {}): Promise<unknown> {
  written += 1;
  const insert = connection.statement(
    "INSERT INTO commissions (tenant_id, definition_hash, definition, rate, created_at) VALUES ('t', :hash, hex(zeroblob(1000)), 1, 1)",
  );
  const call = insert({ hash: `h${written}` });
  return connection.transaction(function* () {
    meanwhile();
    return yield* call;
  });
}

function writeMany(count: number): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, () => write()));
}

function finder() {
  const byHash = connection.statement<{ id: number }>(
    "SELECT id FROM commissions WHERE definition_hash = :hash",
  );
  const cached = connection.cachedRows<{ id: number }>("commissions");
  return (hash: string) => cached(hash, () => byHash({ hash }));
}

/** Opens a device in place of the log. Linux and macOS cannot flush it. */
function createUnflushableLog(): LogFlush {
  renameSync(`${path}-wal`, `${path}-wal.away`);
  symlinkSync("/dev/null", `${path}-wal`);
  const log = createLogFlush(db, path);
  renameSync(`${path}-wal.away`, `${path}-wal`);
  return log;
}

/** Another process reads, so the log cannot be emptied until the returned function is called. */
function read(): () => void {
  const reader = new DatabaseSync(path);
  reader.exec("BEGIN; SELECT count(*) FROM commissions");
  return () => reader.close();
}

function sizeOfLog(): number {
  return statSync(`${path}-wal`).size;
}

/** Runs an ES module in another process. @throws Error if it does not end */
function run(script: string, ...flags: string[]) {
  const args = [...flags, "--input-type=module", "--eval", script];
  return promisify(execFile)(process.execPath, args, { timeout: 4000 });
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
  connection = connect(db, watchFile(path), 0, createUnflushableLog());
  await startThread();
  await expect(write()).rejects.toThrow(OutcomeUnknownError);
  expect(synchronous()).toBe(2);
  await writeMany(1000);
});

test("after a failed flush, a row is returned and a write is confirmed only when the log was emptied", async () => {
  connection = connect(db, watchFile(path), 0, createUnflushableLog());
  const find = finder();
  await startThread();
  const unavailable = expect.objectContaining({ name: "StoreUnavailableError" });
  await expect(find("h1"), "the first read needs a flush").rejects.toEqual(unavailable);
  let endRead = read();
  await expect(write(), "the flush of a write fails").rejects.toThrow(OutcomeUnknownError);
  const hash = `h${written}`;
  for (const _ of [1, 2]) await expect(find(hash)).rejects.toEqual(unavailable);
  await expect(write()).rejects.toEqual(unavailable);
  endRead();
  expect(sizeOfLog()).toBeGreaterThan(0);
  expect(find(hash)).toEqual({ id: 201 });
  expect(sizeOfLog()).toBe(0);

  await runSql(`file:${path}`, "UPDATE commissions SET created_at = 2");
  endRead = read();
  await expect(find("h2"), "the flush of a read fails").rejects.toEqual(unavailable);
  await expect(find("h2")).rejects.toEqual(unavailable);
  await expect(write()).rejects.toEqual(unavailable);
  endRead();
  expect(sizeOfLog()).toBeGreaterThan(0);
  await write(() => expect(sizeOfLog()).toBe(0));
});

test("after a failed flush, the log is written and emptied at once, or later if another process reads it", async () => {
  const log = createUnflushableLog();
  connection = connect(db, watchFile(path), 0);
  await write();
  const [size, endRead] = [sizeOfLog(), read()];
  utimesSync(`${path}-wal`, 0, 0);
  await expect(log.afterRead(true)).rejects.toThrow(StoreUnavailableError);
  expect(sizeOfLog()).toBe(size);
  expect(statSync(`${path}-wal`).mtimeMs).toBeGreaterThan(0);
  expect(() => log.assertOnDisk()).toThrow("The database is locked.");
  endRead();
  log.assertOnDisk();
  expect(sizeOfLog()).toBe(0);
  await write();
  await expect(log.afterRead(true)).rejects.toThrow(StoreUnavailableError);
  expect(sizeOfLog()).toBe(0);
  await log.end();
});

test("if an error follows the commit, the outcome of the write is unknown", async () => {
  const afterCommit = () => {
    throw new Error("no memory");
  };
  connection = connect(db, watchFile(path), 0, { ...noLog, afterCommit });
  await expect(write()).rejects.toThrow(OutcomeUnknownError);
});

test("a process that may not start threads confirms its writes", async () => {
  connection = connect(db, watchFile(path), 0);
  const { stdout } = await run(
    `import { openSqliteStore } from ${JSON.stringify(import.meta.resolve("./open.ts"))};
    const store = await openSqliteStore(${JSON.stringify(path)});
    const create = (id) => store.tenants.create({ id, name: id, auth_type: 3 });
    for (const round of ["a", "b"]) await Promise.all(Array.from({ length: 230 }, (_, i) => create(round + i)));
    await store.close();
    console.log("done");`,
    "--permission",
    "--allow-fs-read=*",
    "--allow-fs-write=*",
  );
  expect(stdout).toBe("done\n");
});

test("a process ends although it has a thread", async () => {
  connection = connect(db, watchFile(path), 0);
  await run(
    `import { DatabaseSync } from "node:sqlite";
    import { createLogFlush } from ${JSON.stringify(import.meta.resolve("./log-flush.ts"))};
    const path = ${JSON.stringify(path)};
    createLogFlush(new DatabaseSync(path), path).afterCommit(200);`,
  );
});

test.each([
  ["moved", () => {}],
  ["replaced", () => writeFileSync(path, "")],
])(
  "the thread neither creates nor uses a file if the file was %s while it started",
  async (change, replace) => {
    const log = createLogFlush(db, path);
    connection = connect(db, watchFile(path), 0, log);
    db.exec("PRAGMA synchronous = NORMAL");
    log.afterCommit(200);
    renameSync(path, `${path}.away`);
    replace();
    await vi.waitFor(() => expect(synchronous()).toBe(2), 4000);
    expect(existsSync(path)).toBe(change === "replaced");
  },
);

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
  const find = finder();
  await startThread();
  const first = find("h1");
  expect(first, "another process may have committed before this one began").toBeInstanceOf(Promise);
  const second = find("h2");
  expect(second, "the flush has not ended").toBeInstanceOf(Promise);
  await Promise.all([first, second]);
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
  const third = find("h3");
  expect(third, "another process has committed").toBeInstanceOf(Promise);
  await third;
});
