/** Whether this process can serve: its store accepts writes, and it is not stopping. */
import { setImmediate, setTimeout } from "node:timers/promises";
import { andThen } from "./contract/pipeline.ts";
import type { StoreObserver } from "./observed-store.ts";
import type { Store } from "./store/store.ts";

export interface Readiness extends StoreObserver {
  isReady(): Promise<boolean>;
  /** A call found the store unavailable. This cancels an earlier proof. */
  doubt(): void;
  drain(): void;
}

export interface ReadinessOptions {
  readonly limitMs?: number;
  /** How long a successful write counts. It bounds the writes that probes cause. */
  readonly freshMs?: number;
  readonly failedMs?: number;
  readonly onError?: (error: unknown) => void;
}

export function createReadiness(
  store: Pick<Store, "assertWritable">,
  { limitMs = 1000, freshMs = 2000, failedMs = 500, onError = () => {} }: ReadinessOptions = {},
): Readiness {
  let isDraining = false;
  let provenAt = Number.NEGATIVE_INFINITY;
  let doubtedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  /** Shared by concurrent probes. Anyone may probe, and must not keep the store busy. */
  let verdict: Promise<boolean> | undefined;

  async function takesWrites(): Promise<boolean> {
    const startedAt = performance.now();
    try {
      await store.assertWritable();
      provenAt = startedAt;
      failedAt = Number.NEGATIVE_INFINITY;
      return true;
    } catch (error) {
      failedAt = performance.now();
      onError(error);
      return false;
    }
  }

  function checkInTime(): Promise<boolean> {
    const pending = takesWrites();
    const forget = () => {
      verdict = undefined;
    };
    pending.then(forget, forget);
    return within(limitMs, pending, () => onError(new Error(`no result within ${limitMs} ms`)));
  }

  return {
    async isReady() {
      const isProven = provenAt > doubtedAt && performance.now() - provenAt < freshMs;
      if (!isDraining && !isProven) {
        if (performance.now() - failedAt < failedMs) return false;
        verdict ??= checkInTime();
        if (!(await verdict)) return false;
      }
      return !isDraining;
    },
    ignoresReads: true,
    observeStoreCall(_, call) {
      return andThen(call(), (result) => {
        failedAt = Number.NEGATIVE_INFINITY;
        return result;
      });
    },
    doubt() {
      doubtedAt = performance.now();
    },
    drain() {
      isDraining = true;
    },
  };
}

async function within(ms: number, pending: Promise<boolean>, onLate: () => void): Promise<boolean> {
  const timer = new AbortController();
  const late = async () => {
    await setTimeout(ms, undefined, timer);
    // On a busy event loop the result may be there but not processed yet. It gets one more turn.
    await setImmediate(undefined, timer);
    onLate();
    return false;
  };
  try {
    return await Promise.race([pending, late()]);
  } finally {
    timer.abort();
  }
}
