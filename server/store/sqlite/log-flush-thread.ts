/** Flushes and copies the log when asked. See log-flush.ts. An error ends the thread. */
import { fdatasyncSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import { isInPlace } from "./database-file.ts";
import { isBusy } from "./driver-errors.ts";
import type { LogThreadData } from "./log-flush.ts";

const { database, log } = workerData as LogThreadData;
const url = pathToFileURL(database.path);
// Creates no file.
url.searchParams.set("mode", "rw");
const db = new DatabaseSync(url);
if (!isInPlace(database)) throw new Error(`The database file ${database.path} was replaced.`);
// Flushes the file too, before SQLite may overwrite the log.
db.exec("PRAGMA synchronous = FULL");
const copy = db.prepare("PRAGMA wal_checkpoint(PASSIVE)");
const version = db.prepare("PRAGMA user_version");

parentPort?.on("message", (copies: boolean) => {
  fdatasyncSync(log);
  parentPort?.postMessage("flushed");
  if (!copies) return;
  copy.get();
  beginAgain();
  parentPort?.postMessage("copied");
});
parentPort?.postMessage("ready");

/** SQLite flushes the first commit of a log that begins again. This one changes nothing. */
function beginAgain(): void {
  try {
    db.exec("BEGIN IMMEDIATE");
    db.exec(`PRAGMA user_version = ${version.get()?.user_version}; COMMIT`);
  } catch (error) {
    // The log may begin with a commit of another process.
    if (!isBusy(error)) throw error;
  } finally {
    if (db.isTransaction) db.exec("ROLLBACK");
  }
}
