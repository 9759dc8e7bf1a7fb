/** Makes a folder that is complete or missing: it is written next to its place, and renamed at the end. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { chmod, mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf, messageOf } from "../openapi/spec-problems.ts";

/** The folder cannot be used. The message has the folder, the cause and the fix. */
export class FolderError extends Error {
  override readonly name = "FolderError";
}

/** Call this before slow work, so that the user gets the error early. @throws FolderError */
export async function assertFree(folder: string): Promise<void> {
  try {
    if ((await readdir(folder)).length > 0)
      throw new FolderError(`${folder} is not empty; give an empty or a new folder`);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw explained(error, folder);
  }
}

/**
 * Missing parents are created. If `write` fails or the process ends, nothing is left.
 * @param folder must be missing or empty
 * @param write gets the path of the temporary folder
 * @throws FolderError
 */
export async function makeFolder<Result>(
  folder: string,
  write: (parts: string) => Promise<Result>,
): Promise<Result> {
  const wanted = resolve(folder);
  let firstMade: string | undefined;
  let parts: string | undefined;
  // A write that has started may still add a file.
  const removeParts = () => parts && rmSync(parts, { recursive: true, force: true, maxRetries: 10 });
  process.once("exit", removeParts);
  try {
    // `rename` works only on the same disk.
    firstMade = await mkdir(dirname(wanted), { recursive: true });
    await removeLeft(dirname(wanted), prefixFor(wanted));
    // A signal must not come between the creation and the assignment.
    parts = mkdtempSync(join(realpathSync(dirname(wanted)), `${prefixFor(wanted)}${process.pid}-`));
    const result = await write(parts);
    // `mkdtemp` creates a folder that only its owner can read.
    await chmod(parts, 0o777 & ~process.umask());
    await rmdir(wanted).catch((error) => {
      if (codeOf(error) !== "ENOENT") throw error;
    });
    await rename(parts, wanted);
    firstMade = undefined;
    return result;
  } catch (error) {
    throw explained(error, folder);
  } finally {
    process.off("exit", removeParts);
    if (parts !== undefined) await rm(parts, { recursive: true, force: true });
    if (firstMade !== undefined) await removeEmpty(dirname(wanted), firstMade);
  }
}

function prefixFor(wanted: string): string {
  return `.${basename(wanted)}-init-`;
}

/** Removes the temporary folders of runs that were killed. */
async function removeLeft(around: string, prefix: string): Promise<void> {
  for (const name of await readdir(around)) {
    const [, pid] = /^(\d+)-\w{6}$/.exec(name.startsWith(prefix) ? name.slice(prefix.length) : "") ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(around, name), { recursive: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

async function removeEmpty(from: string, upTo: string): Promise<void> {
  for (let path = from; path.startsWith(upTo); path = dirname(path))
    if (
      !(await rmdir(path).then(
        () => true,
        () => false,
      ))
    )
      return;
}

const denied = "FOLDER cannot be written: permission denied; give another folder";
const full = "the disk of FOLDER is full; free some space, or give a folder on another disk";
const occupied = "FOLDER cannot be a folder, because there is a file in its place; give another folder";
const messages: { readonly [code: string]: string } = {
  EACCES: denied,
  EPERM: denied,
  EROFS: denied,
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: full,
  ENOTDIR: occupied,
  EEXIST: occupied,
  ENAMETOOLONG: "the name of FOLDER is too long; give another folder",
  ENOTEMPTY: "FOLDER is no longer empty; give an empty folder",
};

function explained(error: unknown, folder: string): unknown {
  if (!(error instanceof Error && "syscall" in error)) return error;
  const message = messages[codeOf(error) ?? ""] ?? `FOLDER: ${messageOf(error)}`;
  return new FolderError(message.replace("FOLDER", () => folder));
}
