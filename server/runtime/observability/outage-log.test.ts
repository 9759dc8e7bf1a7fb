import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../scripts/testing/temporary-folder.ts";
import { effects } from "../../store/effects.ts";
import { openStore } from "../../store/open.ts";
import { openSqliteStore } from "../../store/sqlite/open.ts";
import { lock } from "../../store/sqlite/testing/database.ts";
import { observeStore } from "./observed-store.ts";
import { createOutageLog } from "./outage-log.ts";

const folder = temporaryFolder();

const error = { type: "Error", message: "away", stack: "Error: away" };

function collect() {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { base: null, timestamp: false },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  return { lines, log };
}

test("an outage ends with the first write after five seconds without a failure, also of the write that tests the store", async () => {
  const { lines, log } = collect();
  let time = 0;
  let tests = 0;
  const outcomes = [Promise.reject(new Error("still away")), Promise.resolve()];
  outcomes[0]?.catch(() => {});
  const assertWritable = async () => outcomes[tests++];
  const outages = createOutageLog(log, { assertWritable }, () => time);
  const succeedAt = async (at: number) => {
    time = at;
    await outages.observeStoreCall("sessions.replace", async () => true);
    await new Promise((resolve) => setImmediate(resolve));
    return [tests, lines.length];
  };
  outages.failed(error);
  expect([await succeedAt(4999), await succeedAt(5000)]).toEqual([
    [0, 1],
    [1, 1],
  ]);
  expect([await succeedAt(9999), await succeedAt(10_000)]).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test("an outage goes on if a call fails while a write tests the store", async () => {
  const { lines, log } = collect();
  let time = 0;
  const written = Promise.withResolvers<void>();
  const outages = createOutageLog(log, { assertWritable: () => written.promise }, () => time);
  outages.failed(error);
  time = 5000;
  await outages.observeStoreCall("sessions.replace", async () => true);
  outages.failed(error);
  written.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(lines).toEqual([{ level: 50, error, msg: "the store is unavailable" }]);
});

test("an outage is logged when it begins, once a minute while it lasts, and when a successful write ends it", async () => {
  const { lines, log } = collect();
  let time = 0;
  const database = await openStore("file::memory:");
  const outages = createOutageLog(log, database, () => time);
  const store = observeStore(database, effects, outages);

  await store.assertWritable();
  for (; time < 150_000; time += 100) {
    outages.failed(error, `request-${time}`);
    // One successful write soon after a failure does not end the outage.
    await store.assertWritable();
  }
  time += 5000;
  // Reads do not end the outage either, because a read-only database serves them.
  await store.tenants.list();
  time += 5000;
  await store.assertWritable();
  await expect.poll(() => lines.at(-1)).toMatchObject({ msg: "the store is available again" });
  await store.assertWritable();
  time += 60_000;
  outages.failed(error);
  await store.close();
  expect(lines).toEqual([
    { level: 50, request_id: "request-0", error, msg: "the store is unavailable" },
    ...[60_000, 120_000].map((at) => ({
      level: 50,
      request_id: `request-${at}`,
      failures: at / 100 + 1,
      seconds: at / 1000,
      error,
      msg: "the store is still unavailable",
    })),
    { level: 30, failures: 1500, seconds: 160, msg: "the store is available again" },
    { level: 50, error, msg: "the store is unavailable" },
  ]);
});

test("an outage lasts while another connection locks the database, even if repeated submissions succeed", async () => {
  const { lines, log } = collect();
  const path = join(folder, "commerce.db");
  const database = await openSqliteStore(path, { busyTimeoutMs: 20 });
  let time = 1_000_000;
  const outages = createOutageLog(log, database, () => time);
  const store = observeStore(database, effects, outages);
  await store.tenants.create({ id: "t", name: "T", auth_type: 3 });
  const submission = { tenant_id: "t", definition_hash: "h", definition: "{}", rate: 1, created_at: 0 };
  const stored = await store.commissions.submit(submission);

  const unlock = lock(path);
  outages.failed(error);
  for (let minute = 0; minute < 5; minute += 1) {
    time += 60_000;
    expect(await store.commissions.submit(submission)).toEqual(stored);
    await expect(store.assertWritable()).rejects.toThrow("The database is busy");
  }
  expect(lines).toEqual([{ level: 50, error, msg: "the store is unavailable" }]);

  unlock();
  time += 60_000;
  await store.commissions.submit(submission);
  await expect
    .poll(() => lines.slice(1))
    .toEqual([{ level: 30, failures: 1, seconds: 360, msg: "the store is available again" }]);
  await store.close();
});
