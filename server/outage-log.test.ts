import { pino } from "pino";
import { expect, test } from "vitest";
import { createOutageLog } from "./outage-log.ts";
import { StoreUnavailableError } from "./store/store.ts";

const error = { type: "Error", message: "away", stack: "Error: away" };

function collect() {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { base: null, timestamp: false },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  return { lines, log };
}

test("an outage is told of when it begins, once a minute while it lasts, and when it is over", async () => {
  const { lines, log } = collect();
  let time = 0;
  const outages = createOutageLog(log, () => time);
  const answers = () => outages.observeStoreCall("tenants.list", async () => "answer");

  expect(await answers()).toBe("answer");
  for (; time < 150_000; time += 100) {
    outages.failed(error, `request-${time}`);
    // Some calls still succeed: that is not the end of it.
    await answers();
  }
  time += 5000;
  await answers();
  await answers();
  time += 60_000;
  outages.failed(error);
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
    { level: 30, failures: 1500, seconds: 155, msg: "the store answers again" },
    { level: 50, error, msg: "the store is unavailable" },
  ]);
});

test.each(["assertWritable", "sessions.replace"] as const)(
  "an outage of writes is over once a write succeeds, such as %s, whatever can be read meanwhile",
  async (method) => {
    const { lines, log } = collect();
    let time = 0;
    const outages = createOutageLog(log, () => time);
    for (; time < 30_000; time += 10_000) {
      const failing = outages.observeStoreCall(method, () => Promise.reject(new StoreUnavailableError()));
      await expect(failing).rejects.toThrow(StoreUnavailableError);
      outages.failed(error);
      time += 9000;
      expect(await outages.observeStoreCall("webhooks.find", async () => "webhook")).toBe("webhook");
    }
    await outages.observeStoreCall(method, async () => {});
    expect(lines).toEqual([
      { level: 50, error, msg: "the store is unavailable" },
      { level: 30, failures: 2, seconds: 38, msg: "the store answers again" },
    ]);
  },
);
