/** Repeats attempts with a timer, because SQLite's busy handler would block the event loop. */
import { setTimeout as delay } from "node:timers/promises";
import { isBusy } from "./driver-errors.ts";

const firstDelayMs = 1;
/** The delay is short because SQLite's lock has no queue, so the process with the most frequent attempts gets it. */
const longestDelayMs = 10;

export async function untilFree<T>(attempt: () => T, busyTimeoutMs: number): Promise<T> {
  let waitedMs = 0;
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || waitedMs >= busyTimeoutMs) throw error;
    }
    await delay(delayMs);
    waitedMs += delayMs;
  }
}
