/**
 * Tells of a store that is out of reach by a line when that begins, one a minute while it lasts, and one when it is over:
 * a line with a stack for each failure would fill the disk just when somebody needs the log.
 */
import type { BaseLogger } from "pino";
import { andThen } from "./contract/pipeline.ts";
import type { StoreObserver } from "./observed-store.ts";
import type { LoggableError } from "./redaction.ts";

/** As an observer it notices that the store takes writes again. */
export interface OutageLog extends StoreObserver {
  /** @param requestId of the request that met the failure, if it was one */
  failed(error: LoggableError, requestId?: string): void;
}

/** How often an outage that lasts is told of again. */
const repeatMs = 60_000;
/**
 * An outage is over when a write succeeds and no call has failed for so long. Reads prove nothing, because a read-only
 * database serves them. Probes of /readyz write, so the end is noticed without other requests.
 */
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
  const sum = ({ since, failures }: Outage) => ({ failures, seconds: Math.round((now() - since) / 1000) });

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
    ignoresReads: true,
    observeStoreCall(_, call) {
      return andThen(call(), (result) => {
        if (outage !== undefined && now() - outage.failedAt >= quietMs) {
          log.info(sum(outage), "the store answers again");
          outage = undefined;
        }
        return result;
      });
    },
  };
}
