/** Finds out whether this process can serve requests: its store accepts writes, and it is not stopping. */
import { setImmediate, setTimeout } from "node:timers/promises";
import { andThen } from "../contract/awaitable.ts";
import type { StoreObserver, WritableStore } from "./observed-store.ts";

export interface Readiness extends StoreObserver {
  isReady(): Promise<boolean>;
  /** Call this when the store was unavailable. Earlier successful writes no longer count. */
  doubt(): void;
  drain(): void;
}

export interface ReadinessOptions {
  readonly limitMs?: number;
  /** How long a successful write counts. This limits how many writes probes cause. */
  readonly freshMs?: number;
  readonly failedMs?: number;
  readonly onError?: (error: unknown) => void;
}

export function createReadiness(
  store: WritableStore,
  { limitMs = 1000, freshMs = 2000, failedMs = 500, onError = () => {} }: ReadinessOptions = {},
): Readiness {
  let isDraining = false;
  let provenAt = Number.NEGATIVE_INFINITY;
  let doubtedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  /** Concurrent probes share one check. Anyone may send probes, and they must not keep the store busy. */
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
    // On a busy event loop, the result may have arrived but not be processed yet. So it gets one more turn.
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
