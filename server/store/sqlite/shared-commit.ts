/**
 * Lets concurrent writes share one durable commit, so that durability costs one disk flush a batch and not one a write.
 * What a write does is its caller's; when it runs, and when its promise settles, is decided here.
 */
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { StoreUnavailableError } from "../store.ts";
import { fromDriver } from "./driver-errors.ts";
import { untilFree } from "./until-free.ts";

/** A batch runs without a pause; the bound keeps other work on the event loop from waiting long. */
const maxBatch = 500;

export type SharedCommit = {
  /**
   * Runs `work` (statements only, nothing asynchronous) in a transaction, and settles after that is committed. What
   * `work` throws undoes what it wrote, and nothing that another wrote.
   */
  write<T>(work: () => T): Promise<T>;
  /** Refuses every further write and settles when those asked for have settled. */
  end(): Promise<void>;
};

type Write = {
  /** Runs inside the open transaction; answers how to settle the promise once that is committed. */
  run: () => () => void;
  reject: (error: unknown) => void;
};

/** @param endReads ends what transaction reads have open */
export function shareCommits(db: DatabaseSync, busyTimeoutMs: number, endReads: () => void): SharedCommit {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const rollback = db.prepare("ROLLBACK");
  const savepoint = db.prepare("SAVEPOINT write");
  const undo = db.prepare("ROLLBACK TO write");
  const release = db.prepare("RELEASE write");

  const waiting: Write[] = [];
  let working: Promise<void> | undefined;
  let ended = false;

  function write<T>(work: () => T): Promise<T> {
    if (ended) return Promise.reject(new StoreUnavailableError());
    return new Promise<T>((resolve, reject) => {
      const run = () => {
        savepoint.run();
        try {
          const value = work();
          release.run();
          return () => resolve(value);
        } catch (error) {
          // A full disk or an I/O error ends the whole transaction: then nobody's write was kept.
          if (!db.isTransaction) throw error;
          undo.run();
          release.run();
          return () => reject(fromDriver(error));
        }
      };
      waiting.push({ run, reject });
      working ??= workOff();
    });
  }

  async function workOff(): Promise<void> {
    while (waiting.length > 0) {
      await nextTurn();
      try {
        await untilFree(commitBatch, busyTimeoutMs);
      } catch (error) {
        for (const { reject } of waiting.splice(0)) reject(fromDriver(error));
      }
    }
    working = undefined;
  }

  /** Throws only where the transaction could not begin, and has then taken no write from the queue. */
  function commitBatch(): void {
    endReads();
    begin.run();
    const batch = waiting.splice(0, maxBatch);
    try {
      const settlements = batch.map(({ run }) => run());
      commit.run();
      for (const settle of settlements) settle();
    } catch (error) {
      for (const { reject } of batch) reject(fromDriver(error));
      if (db.isTransaction) rollback.run();
    }
  }

  return {
    write,
    async end() {
      ended = true;
      await working;
    },
  };
}
