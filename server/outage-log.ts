/**
 * Tells of a store that is out of reach by a line when that begins, one a minute while it lasts, and one when it is over:
 * a line with a stack for each failure would fill the disk just when somebody needs the log.
 */
import type { BaseLogger } from "pino";
import { andThen, attempt } from "./contract/awaitable.ts";
import { isWrite, type ObserveCall } from "./observed-store.ts";
import type { LoggableError } from "./redaction.ts";
import { StoreUnavailableError } from "./store/store.ts";

export interface OutageLog {
  /** @param requestId of the request that met the failure, where it was one */
  failed(error: LoggableError, requestId?: string): void;
  /** Notices that the store answers again. */
  readonly observeStoreCall: ObserveCall;
}

/** How often an outage that lasts is told of again. */
const repeatMs = 60_000;
/** An outage is over when a call succeeds, a write where writes have failed, and none has failed for so long. */
const quietMs = 5000;

interface Outage {
  readonly since: number;
  toldAt: number;
  failedAt: number;
  failures: number;
}

/** @param now in milliseconds, of a clock that is never set */
export function createOutageLog(log: BaseLogger, now: () => number = () => performance.now()): OutageLog {
  let outage: Outage | undefined;
  /** A read-only database answers reads all the while. */
  let hasWriteFailed = false;
  const sum = ({ since, failures }: Outage) => ({ failures, seconds: Math.round((now() - since) / 1000) });

  const noticed: ObserveCall = (method, call) =>
    attempt(
      () =>
        andThen(call(), (result) => {
          if (isWrite(method)) hasWriteFailed = false;
          if (outage !== undefined && !hasWriteFailed && now() - outage.failedAt >= quietMs) {
            log.info(sum(outage), "the store answers again");
            outage = undefined;
          }
          return result;
        }),
      (error) => {
        if (isWrite(method) && error instanceof StoreUnavailableError) hasWriteFailed = true;
        throw error;
      },
    );

  return {
    failed(error, requestId) {
      const at = now();
      if (outage === undefined) {
        outage = { since: at, toldAt: at, failedAt: at, failures: 1 };
        log.error({ request_id: requestId, error }, "the store is unavailable");
        return;
      }
      outage.failures += 1;
      outage.failedAt = at;
      if (at - outage.toldAt < repeatMs) return;
      outage.toldAt = at;
      log.error({ request_id: requestId, ...sum(outage), error }, "the store is still unavailable");
    },
    observeStoreCall(method, call) {
      // A read has something to tell only during an outage.
      return outage === undefined && !isWrite(method) ? call() : noticed(method, call);
    },
  };
}
