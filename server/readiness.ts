/** Whether this process can serve: its store takes writes, and nobody has asked it to stop. */
import { setImmediate, setTimeout } from "node:timers/promises";
import { andThen } from "./contract/pipeline.ts";
import type { StoreObserver } from "./observed-store.ts";
import type { Store } from "./store/store.ts";

/** As an observer it notices a write that succeeds: what failed before counts no more. */
export interface Readiness extends StoreObserver {
  isReady(): Promise<boolean>;
  /** A call has found the store unavailable: what was proven before counts no more. */
  doubt(): void;
  /** From now on the answer is no, so that whoever balances load sends nothing new. */
  drain(): void;
}

export interface ReadinessOptions {
  /** How long the store may take for a write; longer counts as none. */
  readonly limitMs?: number;
  /** For how long a write is proof, so that whoever asks often costs no more than one in that time. */
  readonly freshMs?: number;
  /** For how long a write that failed stands for the next ones. */
  readonly failedMs?: number;
  /** Told why the answer is no. */
  readonly onFault?: (error: unknown) => void;
}

export function createReadiness(
  store: Pick<Store, "assertWritable">,
  { limitMs = 1000, freshMs = 2000, failedMs = 500, onFault = () => {} }: ReadinessOptions = {},
): Readiness {
  let isDraining = false;
  let provenAt = Number.NEGATIVE_INFINITY;
  let doubtedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  /** One for all who ask meanwhile: anyone may ask, and must not be able to keep the store busy by it. */
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
      onFault(error);
      return false;
    }
  }

  function judge(): Promise<boolean> {
    const answer = takesWrites();
    const forget = () => {
      verdict = undefined;
    };
    answer.then(forget, forget);
    return within(limitMs, answer, () => onFault(new Error(`no answer within ${limitMs} ms`)));
  }

  return {
    async isReady() {
      const isProven = provenAt > doubtedAt && performance.now() - provenAt < freshMs;
      if (!isDraining && !isProven) {
        if (performance.now() - failedAt < failedMs) return false;
        verdict ??= judge();
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

async function within(ms: number, answer: Promise<boolean>, onLate: () => void): Promise<boolean> {
  const timer = new AbortController();
  const late = async () => {
    await setTimeout(ms, undefined, timer);
    // On a busy event loop the answer may have come, and not have been looked at: it gets one more turn.
    await setImmediate(undefined, timer);
    onLate();
    return false;
  };
  try {
    return await Promise.race([answer, late()]);
  } finally {
    timer.abort();
  }
}
