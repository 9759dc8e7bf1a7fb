/** Which version of each file stands on disk, so that a later look tells which have become others meanwhile. */
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";

/** What editors and tools keep beside the files of people: dot files, backups, numbers that Vim tries names with. */
const passing = /^\.|~$|\.(swp|swx|tmp|new|orig|bak)$|^\d+$/;

/** Whether nobody means a file to last. */
export function isPassing(path: string): boolean {
  return passing.test(basename(path));
}

/** By path, for every file that is there. */
export type Versions = ReadonlyMap<string, string>;

/** @param paths files and folders; what is within folders counts too */
export function versionsOf(paths: readonly string[]): Versions {
  const versions = new Map<string, string>();
  for (const path of paths) {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    const files = isFolder
      ? readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((entry) => !entry.isDirectory())
          .map((entry) => join(entry.parentPath, entry.name))
      : [path];
    for (const file of files) if (!isPassing(file)) versions.set(file, versionOf(file));
  }
  return versions;
}

/** Another one after every write, also where a file was replaced by one of the same size. */
export function versionOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? "absent" : `${found.mtimeMs} ${found.size} ${found.ino}`;
}

/** The files that came, went or became others, in order. */
export function changedSince(before: Versions, now: Versions): string[] {
  const files = new Set([...before.keys(), ...now.keys()]);
  return [...files].filter((file) => before.get(file) !== now.get(file)).toSorted();
}
