/** Whether this process can serve: its store answers, and nobody has asked it to stop. */
import type { Store } from "./store/store.ts";

export interface Readiness {
  isReady(): Promise<boolean>;
  /** From now on the answer is no, so that whoever balances load sends nothing new. */
  drain(): void;
}

/** @param pingMs how long the store may take to answer; longer counts as no answer */
export function createReadiness(store: Pick<Store, "ping">, pingMs = 1000): Readiness {
  let isDraining = false;
  /** One for all who ask meanwhile: anyone may ask, and must not be able to keep the store busy by it. */
  let verdict: Promise<boolean> | undefined;
  return {
    async isReady() {
      if (isDraining) return false;
      verdict ??= within(
        pingMs,
        answers(store).finally(() => {
          verdict = undefined;
        }),
      );
      return (await verdict) && !isDraining;
    },
    drain() {
      isDraining = true;
    },
  };
}

function answers(store: Pick<Store, "ping">): Promise<boolean> {
  return store.ping().then(
    () => true,
    () => false,
  );
}

function within(ms: number, answer: Promise<boolean>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    void answer.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
