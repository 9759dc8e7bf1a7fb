/**
 * Exchanges several files of a folder: all of them, or none. What is needed to go back stands in the folder itself until
 * all is done, so that the next run can go back for one that was killed.
 */
import { copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { codeOf } from "./problems.ts";

/** New contents by file name; undefined deletes the file. */
export type Changes = ReadonlyMap<string, string | undefined>;

/** True for what `exchange` keeps in the folder while it works. */
export function isOfExchange(name: string): boolean {
  return stagingForm.test(name);
}

const stagingForm = /^\.exchange-(\d+)$/;

/**
 * Everything is written beside its place before anything is renamed, so that no reader sees half of a file; a reader of
 * several files may see new and old ones in the moment between two renames.
 *
 * @throws what the file system throws; the folder's files are then those of before
 */
export async function exchange(folder: string, changes: Changes): Promise<void> {
  if (changes.size === 0) return;
  const staging = join(folder, `.exchange-${process.pid}`);
  const fresh = (name: string): string => join(staging, `${name}.new`);
  try {
    await mkdir(staging);
    const journal: Journal = { replaced: [], added: [] };
    for (const [name, content] of changes) {
      if (content !== undefined) await writeFile(fresh(name), content);
      const list = (await copyIfThere(join(folder, name), oldOf(staging, name))) ? "replaced" : "added";
      journal[list].push(name);
    }
    await writeFile(fresh(journalName), JSON.stringify(journal));
    await rename(fresh(journalName), join(staging, journalName));
    for (const [name, content] of changes) {
      if (content === undefined) await rm(join(folder, name));
      else await rename(fresh(name), join(folder, name));
    }
    await rm(join(staging, journalName));
  } catch (error) {
    await goBack(folder, staging);
    throw error;
  }
  await rm(staging, { recursive: true });
}

/**
 * Goes back for every run that was killed while it exchanged files of the folder.
 *
 * @param names what is in the folder
 * @returns whether there was one
 */
export async function goBackForKilledRuns(folder: string, names: readonly string[]): Promise<boolean> {
  const left = names.filter((name) => isOfExchange(name) && !isOfAnotherRun(name));
  for (const name of left) await goBack(folder, join(folder, name));
  return left.length > 0;
}

const journalName = "journal.json";

interface Journal {
  readonly replaced: string[];
  readonly added: string[];
}

/** May itself be killed and done again. */
async function goBack(folder: string, staging: string): Promise<void> {
  const { replaced, added } = await readJournal(staging);
  for (const name of replaced) {
    await rename(oldOf(staging, name), join(folder, name)).catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error;
    });
  }
  for (const name of added) await rm(join(folder, name), { force: true });
  await rm(staging, { recursive: true, force: true });
}

/** Without a journal, nothing in the folder has been touched yet, or all is done. */
async function readJournal(staging: string): Promise<Journal> {
  try {
    const { replaced, added }: Journal = JSON.parse(await readFile(join(staging, journalName), "utf8"));
    const isOfFolder = (name: string): boolean => basename(name) === name;
    return { replaced: replaced.filter(isOfFolder), added: added.filter(isOfFolder) };
  } catch (error) {
    // Half of a journal is what a crash of the machine can leave.
    if (codeOf(error) === "ENOENT" || error instanceof SyntaxError) return { replaced: [], added: [] };
    throw error;
  }
}

function oldOf(staging: string, name: string): string {
  return join(staging, `${name}.old`);
}

async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

function isOfAnotherRun(name: string): boolean {
  const pid = Number(stagingForm.exec(name)?.[1]);
  if (pid === process.pid) return false;
  try {
    // Signal 0 only asks whether there is such a process.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
