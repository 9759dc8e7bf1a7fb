/**
 * Keeps the covered cells of a test run in a file for each worker. Each cell is written immediately, because a process
 * may end at any time.
 */
import { hash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { threadId } from "node:worker_threads";

const folder = fileURLToPath(new URL("../../../coverage/record", import.meta.url));
const documentFile = fileURLToPath(new URL("../../../generated/openapi.json", import.meta.url));
const hashFile = join(folder, "document");

interface Recorded {
  readonly cells: ReadonlySet<string>;
  /** False if the document has changed since the test run. */
  readonly isCurrent: boolean;
}

/** Vitest calls this before the run. Only a run of all tests is recorded, because others cover only a part. */
export function setup(): void {
  rmSync(folder, { recursive: true, force: true });
  if (process.env.RECORDS_COVERAGE === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(hashFile, documentHash());
}

/** Does nothing if the run is not recorded, for example if it has only slow tests. */
export function recordCell(key: string): void {
  if (existsSync(folder)) appendFileSync(join(folder, `${process.pid}-${threadId}.txt`), `${key}\n`);
}

/** Returns undefined if no complete test run is recorded. */
export function readRecord(): Recorded | undefined {
  if (!existsSync(hashFile)) return undefined;
  const files = globSync(join(folder, "*.txt"));
  return {
    cells: new Set(files.flatMap((file) => readFileSync(file, "utf8").split("\n"))),
    isCurrent: readFileSync(hashFile, "utf8") === documentHash(),
  };
}

function documentHash(): string {
  return hash("sha256", readFileSync(documentFile));
}
