/** A full queue drops the newest entry of the caller with the most entries, so a flood drops only its own entries. */
import { fairQueue } from "./fair-queue.ts";

export type BoundedWork = {
  /** @throws NoRoomError if too many tasks wait, or the signal's reason if it is aborted. `work` then never runs */
  run<T>(work: () => Promise<T>, turn: Turn): Promise<T>;
};

export type Turn = {
  /** Identifies the caller, for example tenant, address and account. Turns are shared fairly at each level. */
  path: readonly string[];
  /** The cost of a turn at each level, 1 by default. With cost 4, turns come a quarter as often as with cost 1. */
  costs?: readonly number[];
  signal?: AbortSignal | undefined;
};

export class NoRoomError extends Error {
  override name = "NoRoomError";
}

export function boundWork({
  concurrency,
  waiting: mostWaiting,
}: {
  concurrency: number;
  waiting: number;
}): BoundedWork {
  let free = concurrency;
  const waiting = fairQueue<{ begin(): void; giveUp(reason: unknown): void }>();

  function turnOf({ path, costs = [], signal }: Turn): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (free > 0) {
        free -= 1;
        return resolve();
      }
      const abort = () => {
        waiting.remove(entry);
        reject(signal?.reason);
      };
      const settled = () => signal?.removeEventListener("abort", abort);
      const begin = () => {
        settled();
        resolve();
      };
      const giveUp = (reason: unknown) => {
        settled();
        reject(reason);
      };
      const entry = waiting.add({ begin, giveUp }, path, costs);
      signal?.addEventListener("abort", abort, { once: true });
      if (waiting.size > mostWaiting)
        waiting.takeFromFullest()?.giveUp(new NoRoomError("too many tasks are waiting"));
    });
  }

  return {
    async run(work, turn) {
      await turnOf(turn);
      try {
        return await work();
      } finally {
        const next = waiting.take();
        if (next === undefined) free += 1;
        else next.begin();
      }
    },
  };
}
