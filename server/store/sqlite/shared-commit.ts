/** Concurrent writes share one durable commit, so that a batch costs one disk flush. */
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { OutcomeUnknownError, StoreUnavailableError } from "../store.ts";
import type { DatabaseFile } from "./database-file.ts";
import { isDamaged } from "./driver-errors.ts";
import type { RowCache } from "./row-cache.ts";
import { untilFree } from "./until-free.ts";

/** A batch runs without a pause, so its size limits how long other work waits. */
const maxBatch = 500;
/** How long a batch waits until it has as many writes as the last batch. */
const gatherMs = 1;
/** If the last batch ended longer ago than this, a batch does not wait for other writes. */
const pauseMs = 5;

export type SharedCommit = {
  /**
   * Runs synchronous `work` in a transaction, and settles after the commit. If `work` throws, only the changes
   * of this call are undone.
   */
  write<T>(work: () => T): Promise<T>;
  hasWaiting(): boolean;
  end(): Promise<void>;
};

type Write = {
  /** May run twice, so effects outside SQL must be repeatable. */
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
};

type Settlement = () => void;

export function shareCommits(
  db: DatabaseSync,
  file: DatabaseFile,
  busyTimeoutMs: number,
  cache: Pick<RowCache, "beforeWrite">,
): SharedCommit {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const rollback = db.prepare("ROLLBACK");
  const runAll = batchRunner(db, file);

  const waiting: Write[] = [];
  let working: Promise<void> | undefined;
  let ended = false;
  let onWrite: (() => void) | undefined;
  /** The number of writers in the last batch, and the time when they got their results. */
  let last = { writers: 0, at: Number.NEGATIVE_INFINITY };

  function write<T>(work: () => T): Promise<T> {
    if (ended) return Promise.reject(new StoreUnavailableError());
    return new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      working ??= workOff();
      onWrite?.();
    });
  }

  async function workOff(): Promise<void> {
    while (waiting.length > 0) {
      await gather();
      try {
        await untilFree(commitBatch, busyTimeoutMs);
      } catch (error) {
        for (const { reject } of waiting.splice(0)) reject(file.errorOf(error));
      }
    }
    working = undefined;
  }

  /** Waits for as many writes as in the last batch, because each commit costs one flush. It sleeps, to save CPU time. */
  async function gather(): Promise<void> {
    const expected = performance.now() - last.at < pauseMs ? last.writers : 1;
    await nextTurn();
    if (waiting.length >= expected) return;
    await new Promise<void>((resolve) => {
      onWrite = () => {
        if (waiting.length >= expected) resolve();
      };
      void delay(gatherMs).then(resolve);
    });
    onWrite = undefined;
    await nextTurn();
  }

  /** Throws only if the transaction cannot begin. Then the queue stays unchanged. */
  function commitBatch(): void {
    cache.beforeWrite();
    file.assertInPlace();
    begin.run();
    const batch = waiting.splice(0, maxBatch);
    try {
      const settlements = runAll(batch);
      commit.run();
      assertCommitted();
      last = { writers: batch.length + waiting.length, at: performance.now() };
      for (const settle of settlements) settle();
    } catch (error) {
      for (const { reject } of batch) reject(file.errorOf(error));
      if (db.isTransaction) rollback.run();
    }
  }

  function assertCommitted(): void {
    try {
      file.assertInPlace();
    } catch (error) {
      throw new OutcomeUnknownError(error);
    }
  }

  return {
    write,
    hasWaiting: () => waiting.length > 0,
    async end() {
      ended = true;
      await working;
    },
  };
}

/** Runs all writes in one savepoint, because they seldom throw. If one does, each runs again in its own savepoint. */
function batchRunner(db: DatabaseSync, file: DatabaseFile): (batch: readonly Write[]) => Settlement[] {
  const savepoint = db.prepare("SAVEPOINT write");
  const undo = db.prepare("ROLLBACK TO write");
  const release = db.prepare("RELEASE write");

  /** If `work` throws, undoes its changes and calls `otherwise`. */
  function inSavepoint<T>(work: () => T, otherwise: (error: unknown) => T): T {
    savepoint.run();
    try {
      const value = work();
      release.run();
      return value;
    } catch (error) {
      // A full disk or an I/O error ends the transaction. A damaged file must not be written.
      if (!db.isTransaction || isDamaged(error)) throw error;
      undo.run();
      release.run();
      return otherwise(error);
    }
  }

  const runOne = ({ work, resolve }: Write): Settlement => {
    const value = work();
    return () => resolve(value);
  };
  const runAlone = (one: Write) =>
    inSavepoint(
      () => runOne(one),
      (error) => () => one.reject(file.errorOf(error)),
    );
  return (batch) =>
    inSavepoint(
      () => batch.map(runOne),
      () => batch.map(runAlone),
    );
}
