/**
 * Bounds costly work: so much of it runs at once, so many callers may be inside, and whoever comes beyond that is told so
 * at the door, before anything has been spent on them.
 */

export type BoundedWork = {
  /**
   * Takes a place, to be given back by calling what is answered, once. Undefined where all places are taken, or where one
   * of the holders has as many as are free: of n greedy ones none has more than its share of n + 1, and the last share
   * stays free for everybody else (dynamic thresholds: Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998).
   * @param holders whom the place counts for, each by a name of its own
   */
  enter(holders: readonly string[]): (() => void) | undefined;
  /**
   * Runs `work` in its turn, first come first served.
   * @throws the signal's reason where it is aborted before the turn comes; `work` is then never run
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};

/** @param options `concurrency` of work that runs at once, and places for `waiting` callers beside it */
export function boundWork({
  concurrency,
  waiting: mostWaiting,
}: {
  concurrency: number;
  waiting: number;
}): BoundedWork {
  let places = concurrency + mostWaiting;
  const held = new Map<string, number>();
  let free = concurrency;
  const waiting = new Set<() => void>();

  function turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        waiting.delete(begin);
        signal?.removeEventListener("abort", leave);
        free -= 1;
        resolve();
      };
      const leave = () => {
        waiting.delete(begin);
        reject(signal?.reason);
      };
      if (signal?.aborted) leave();
      else if (free > 0) begin();
      else {
        waiting.add(begin);
        signal?.addEventListener("abort", leave, { once: true });
      }
    });
  }

  return {
    enter(holders) {
      const heldBy = (holder: string) => held.get(holder) ?? 0;
      if (places === 0 || holders.some((holder) => heldBy(holder) >= places)) return undefined;
      places -= 1;
      for (const holder of holders) held.set(holder, heldBy(holder) + 1);
      return () => {
        places += 1;
        for (const holder of holders) {
          if (heldBy(holder) === 1) held.delete(holder);
          else held.set(holder, heldBy(holder) - 1);
        }
      };
    },
    async run(work, signal) {
      await turn(signal);
      try {
        return await work();
      } finally {
        free += 1;
        // A set keeps the order of coming.
        const [next] = waiting;
        next?.();
      }
    },
  };
}
