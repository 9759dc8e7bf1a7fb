import { pino } from "pino";
import { expect, test } from "vitest";
import { observeStore } from "./observed-store.ts";
import { createOutageLog } from "./outage-log.ts";
import { openStore } from "./store/open.ts";

const error = { type: "Error", message: "away", stack: "Error: away" };

function collect() {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { base: null, timestamp: false },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  return { lines, log };
}

test("an outage is logged when it begins, once a minute while it lasts, and when a write shows that it is over", async () => {
  const { lines, log } = collect();
  let time = 0;
  const outages = createOutageLog(log, () => time);
  const store = observeStore(await openStore("file::memory:"), outages);

  await store.assertWritable();
  for (; time < 150_000; time += 100) {
    outages.failed(error, `request-${time}`);
    // A single successful write does not end the outage.
    await store.assertWritable();
  }
  time += 5000;
  // Reads do not end it either: a read-only database serves them.
  await store.tenants.list();
  time += 5000;
  await store.assertWritable();
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
