/**
 * Flushes commits on a thread, because a flush blocks its thread until the disk has finished. SQLite only writes each
 * commit to its log (`synchronous = NORMAL`), and a write is confirmed when the thread has flushed the log. The thread
 * also copies the log into the file (a checkpoint). Meanwhile there is no commit, because SQLite begins the log again only
 * after everything was copied.
 *
 * A read sees commits that are not yet flushed, also those of other processes, and a power cut may undo them. So a row
 * that is not cached is returned after a flush. The other requests, such as logins, write after they have read. The
 * flush of that write includes all earlier commits.
 *
 * After a failed flush, later flushes prove nothing, because the system may report success for data that it has dropped.
 * So before the next transaction, the log is written again, flushed, copied and emptied: as with `synchronous = FULL`, no
 * confirmed commit follows a lost one.
 *
 * A process with few writes has no thread, so SQLite flushes each commit (`synchronous = FULL`). It also does so if the
 * thread fails. Then it also copies the log.
 */
import { closeSync, fdatasync, openSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { StoreUnavailableError } from "../store.ts";
import { type Identity, identify } from "./database-file.ts";
import { busyError, isBusy } from "./driver-errors.ts";

export type LogFlush = {
  /**
   * Call this before each transaction. After a failed flush, it brings all commits to the disk.
   * @throws StoreUnavailableError, or an error that `isBusy`, if it cannot
   */
  assertOnDisk(): void;
  /** Call this immediately after each commit. Returns undefined if SQLite has flushed it. */
  afterCommit(writes: number): Promise<void> | undefined;
  /**
   * Call this in the snapshot of a read, whose rows must not be used before the promise resolves. Returns undefined if
   * everything in the snapshot is on the disk.
   * @param seesOthers another connection may have committed since the last call
   */
  afterRead(seesOthers: boolean): Promise<void> | undefined;
  /** Settles when the log is copied. No commit may begin before. */
  readonly copied: Promise<void> | undefined;
  end(): Promise<void>;
};

export type LogThreadData = { readonly database: Identity; readonly log: number };

const thread = new URL("log-flush-thread.ts", import.meta.url);
const writesBeforeThread = 200;
/**
 * With small rows, the log has about 1000 pages then. SQLite itself copies it if it has 20,000, which two such rounds of
 * request bodies of 64 KiB do not fill.
 */
const writesPerCopy = 500;
const flush = promisify(fdatasync);

export const noLog: LogFlush = {
  assertOnDisk: () => {},
  afterCommit: () => undefined,
  afterRead: () => undefined,
  copied: undefined,
  end: async () => {},
};

/** @param path the database file, whose log must exist */
export function createLogFlush(db: DatabaseSync, path: string): LogFlush {
  // SQLite derives the log's name from the resolved path. It has no locks on the log that closing the file would drop.
  const logPath = `${realpathSync(path)}-wal`;
  // Linux reports a failed flush once for each open descriptor, so the thread has a separate one.
  const [log, threadLog] = [openSync(logPath, "r+"), openSync(logPath, "r+")];
  const database = identify(path);
  const { assertOnDisk, afterFailedFlush } = trackLoss(db, logPath);
  const underWay: { [Task in "flushed" | "copied"]?: PromiseWithResolvers<void> | undefined } = {};
  let writes = 0;
  let worker: Worker | undefined;
  let isThreadUsed = false;
  let hasThreadFailed = false;
  let readsWaiting = 0;

  function start(): Worker {
    const data: LogThreadData = { database, log: threadLog };
    const started = new Worker(thread, { workerData: data, execArgv: [] });
    started.on("message", (done: "ready" | "flushed" | "copied") => {
      // Messages and errors have separate queues.
      if (hasThreadFailed) return;
      if (done === "ready") useThread(true);
      else end(done);
    });
    started.on("error", (error) => {
      hasThreadFailed = true;
      useThread(false);
      if (underWay.flushed !== undefined) afterFailedFlush();
      underWay.flushed?.reject(error);
      end("flushed");
      end("copied");
    });
    // Each listener makes the process wait for the thread again.
    started.unref();
    return started;
  }

  function useThread(isUsed: boolean): void {
    isThreadUsed = isUsed;
    const [flushes, pages] = isUsed ? ["NORMAL", 20_000] : ["FULL", 1000];
    db.exec(`PRAGMA synchronous = ${flushes}; PRAGMA wal_autocheckpoint = ${pages}`);
  }

  function end(task: "flushed" | "copied"): void {
    underWay[task]?.resolve();
    underWay[task] = undefined;
    if (underWay.flushed === undefined && underWay.copied === undefined) worker?.unref();
  }

  async function flushForRead(): Promise<void> {
    readsWaiting += 1;
    try {
      await flush(log);
      assertOnDisk();
    } catch (error) {
      afterFailedFlush();
      throw new StoreUnavailableError(error);
    } finally {
      readsWaiting -= 1;
    }
  }

  return {
    assertOnDisk,
    afterCommit(more) {
      writes += more;
      if (worker === undefined && !hasThreadFailed && writes >= writesBeforeThread) {
        try {
          worker = start();
        } catch {
          // For example, Node's permissions forbid threads.
          hasThreadFailed = true;
        }
      }
      if (worker === undefined || !isThreadUsed) return undefined;
      const copies = writes >= writesPerCopy;
      if (copies) {
        writes = 0;
        underWay.copied = Promise.withResolvers();
      }
      underWay.flushed = Promise.withResolvers();
      // Otherwise, the process may end before the write is confirmed.
      worker.ref();
      worker.postMessage(copies);
      return underWay.flushed.promise;
    },
    afterRead(seesOthers) {
      return underWay.flushed !== undefined || seesOthers || readsWaiting > 0 ? flushForRead() : undefined;
    },
    get copied() {
      return underWay.copied?.promise;
    },
    async end() {
      await worker?.terminate();
      closeSync(log);
      closeSync(threadLog);
    },
  };
}

function trackLoss(db: DatabaseSync, logPath: string) {
  const truncate = db.prepare("PRAGMA wal_checkpoint(TRUNCATE)");
  let isLossPossible = false;

  function assertOnDisk(): void {
    if (!isLossPossible) return;
    if (db.isTransaction) throw busyError();
    try {
      db.exec("BEGIN IMMEDIATE");
      // The checkpoint only flushes pages that were written since the failure.
      writeFileSync(logPath, readFileSync(logPath), { flag: "r+" });
      db.exec("ROLLBACK");
      if (truncate.get()?.busy !== 0) throw busyError();
      isLossPossible = false;
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      throw isBusy(error) ? error : new StoreUnavailableError(error);
    }
  }

  function afterFailedFlush(): void {
    isLossPossible = true;
    try {
      assertOnDisk();
    } catch {
      // The next transaction tries again.
    }
  }

  return { assertOnDisk, afterFailedFlush };
}
