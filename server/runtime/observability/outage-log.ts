/** Logs an outage with one line per minute. A line with a stack for each failure would fill the disk. */
import { andThen } from "../contract/awaitable.ts";
import type { Log } from "./log.ts";
import type { StoreObserver, WritableStore } from "./observed-store.ts";
import type { LoggableError } from "./redaction.ts";

/** It observes the store to find out when it accepts writes again. */
export interface OutageLog extends StoreObserver {
  failed(error: LoggableError, requestId?: string): void;
}

const repeatMs = 60_000;
/** An outage can end only if no call has failed for this time. */
const quietMs = 5000;

interface Outage {
  readonly since: number;
  reportedAt: number;
  failedAt: number;
  failures: number;
}

/** @param now a monotonic clock in milliseconds */
export function createOutageLog(
  log: Log,
  { assertWritable }: WritableStore,
  now: () => number = () => performance.now(),
): OutageLog {
  let outage: Outage | undefined;
  let isChecking = false;
  const sum = ({ since, failures }: Outage) => ({ failures, seconds: Math.round((now() - since) / 1000) });
  const isQuiet = () => outage !== undefined && now() - outage.failedAt >= quietMs;

  /** Tests with a write, because a repeated submission succeeds without one, even while the database is locked. */
  async function endIfWritable(): Promise<void> {
    isChecking = true;
    try {
      await assertWritable();
      if (outage === undefined || !isQuiet()) return;
      log.info(sum(outage), "the store is available again");
      outage = undefined;
    } catch {
      if (outage !== undefined) outage.failedAt = now();
    } finally {
      isChecking = false;
    }
  }

  return {
    failed(error, requestId) {
      const at = now();
      if (outage === undefined) {
        outage = { since: at, reportedAt: at, failedAt: at, failures: 1 };
        log.error({ request_id: requestId, error }, "the store is unavailable");
        return;
      }
      outage.failures += 1;
      outage.failedAt = at;
      if (at - outage.reportedAt < repeatMs) return;
      outage.reportedAt = at;
      log.error({ request_id: requestId, ...sum(outage), error }, "the store is still unavailable");
    },
    ignoresReads: true,
    observeStoreCall(_, call) {
      return andThen(call(), (result) => {
        if (!isChecking && isQuiet()) void endIfWritable();
        return result;
      });
    },
  };
}
