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
 * A process with few writes has no thread, so SQLite flushes each commit (`synchronous = FULL`). It also does so if the
 * thread fails. Then it also copies the log.
 */
import { closeSync, fdatasync, openSync, realpathSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { StoreUnavailableError } from "../store.ts";

export type LogFlush = {
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

export type LogThreadData = { readonly path: string; readonly log: number };

const thread = new URL("log-flush-thread.ts", import.meta.url);
const writesBeforeThread = 200;
/** With small rows, the log has about 1000 pages then. SQLite itself copies it if it has 4000. */
const writesPerCopy = 500;
const flush = promisify(fdatasync);

export const noLog: LogFlush = {
  afterCommit: () => undefined,
  afterRead: () => undefined,
  copied: undefined,
  end: async () => {},
};

/** @param path the database file, whose log must exist */
export function createLogFlush(db: DatabaseSync, path: string): LogFlush {
  // SQLite derives the log's name from the resolved path. It has no locks on the log that closing the file would drop.
  const log = openSync(`${realpathSync(path)}-wal`, "r+");
  const underWay: { [Task in "flushed" | "copied"]?: PromiseWithResolvers<void> | undefined } = {};
  let writes = 0;
  let worker: Worker | undefined;
  let isThreadUsed = false;
  let readsWaiting = 0;

  function start(): Worker {
    const data: LogThreadData = { path, log };
    const started = new Worker(thread, { workerData: data, execArgv: [] });
    started.unref();
    started.on("message", (done: "ready" | "flushed" | "copied") => {
      if (done === "ready") useThread(true);
      else end(done);
    });
    started.on("error", (error) => {
      useThread(false);
      underWay.flushed?.reject(error);
      end("flushed");
      end("copied");
    });
    return started;
  }

  function useThread(isUsed: boolean): void {
    isThreadUsed = isUsed;
    const [flushes, pages] = isUsed ? ["NORMAL", 4000] : ["FULL", 1000];
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
    } catch (error) {
      throw new StoreUnavailableError(error);
    } finally {
      readsWaiting -= 1;
    }
  }

  return {
    afterCommit(more) {
      writes += more;
      if (worker === undefined && writes >= writesBeforeThread) worker = start();
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
    },
  };
}
