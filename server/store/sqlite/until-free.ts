/**
 * Waits for a database that another connection has locked. SQLite's own busy handler sleeps on the event loop, where it
 * would hold up every other request; connections therefore have none, and wait here, by timer.
 */
import { setTimeout as delay } from "node:timers/promises";
import { isBusy } from "./driver-errors.ts";

const firstDelayMs = 1;
/** Short, because whoever asks seldom loses to whoever asks often: nothing queues for SQLite's lock. */
const longestDelayMs = 10;

/** Calls `attempt` until SQLite lets it through; rethrows its busy error once `busyTimeoutMs` are over, any other at once. */
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
