/**
 * Keeps the covered cells of a test run in a file for each worker. Each cell is written immediately, because a process
 * may end at any time.
 */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { threadId } from "node:worker_threads";

const folder = fileURLToPath(new URL("../../coverage/record", import.meta.url));
const documentFile = fileURLToPath(new URL("../../generated/openapi.json", import.meta.url));

interface Recorded {
  readonly cells: ReadonlySet<string>;
  /** False if the document has changed since the test run. */
  readonly isCurrent: boolean;
}

/** Vitest calls this before the run. */
export function setup(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  append("document", documentHash());
}

/** Does nothing if the run is not recorded, for example if it has only slow tests. */
export function recordCell(key: string): void {
  if (existsSync(folder)) append("cell", key);
}

/** Returns undefined if no test run is recorded. */
export function readRecord(): Recorded | undefined {
  const lines = files(folder).flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"));
  const ofKind = (kind: string) =>
    new Set(lines.filter((line) => line.startsWith(`${kind}\t`)).map((line) => line.slice(kind.length + 1)));
  const document = ofKind("document");
  if (document.size === 0) return undefined;
  return { cells: ofKind("cell"), isCurrent: document.has(documentHash()) };
}

function files(record: string): string[] {
  try {
    return readdirSync(record);
  } catch {
    return [];
  }
}

function append(kind: string, text: string): void {
  appendFileSync(join(folder, `${process.pid}-${threadId}.txt`), `${kind}\t${text}\n`);
}

function documentHash(): string {
  return createHash("sha256").update(readFileSync(documentFile)).digest("hex");
}
