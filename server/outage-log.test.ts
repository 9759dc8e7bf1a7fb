import { pino } from "pino";
import { expect, test } from "vitest";
import { createOutageLog } from "./outage-log.ts";

test("an outage is told of when it begins, once a minute while it lasts, and when it is over", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { base: null, timestamp: false },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  let time = 0;
  const outages = createOutageLog(log, () => time);
  const error = { type: "Error", message: "away", stack: "Error: away" };
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
