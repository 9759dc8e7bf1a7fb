/** Reports saved files in batches, because editors and tools write files in several steps. */
import { type FSWatcher, watch } from "node:fs";
import { basename, join, relative } from "node:path";

/** Matches temporary files of editors and tools: dot files, backups, and the numeric names that Vim tries. */
const passing = /^[.#]|~$|\.(swp|swx|tmp|new|orig|bak)$|___jb_\w+___$|^\d+$/;

/** A batch is complete after this time without another save. */
const quietMs = 25;

export interface Batch {
  /** Paths relative to the working directory, sorted. */
  readonly files: readonly string[];
  /** The time when the first save was noticed, as returned by `performance.now()`. */
  readonly since: number;
}

/** Of the current folder, only its files are watched. @returns a function that stops watching */
export function watchFolders(folders: readonly string[], onBatch: (batch: Batch) => void): () => void {
  let files = new Set<string>();
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const noticed = (file: string): void => {
    if (passing.test(basename(file))) return;
    if (files.size === 0) since = performance.now();
    files.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const batch = { files: [...files].toSorted(), since };
      files = new Set();
      onBatch(batch);
    }, quietMs);
  };
  const watchers: FSWatcher[] = folders.map((folder) =>
    watch(folder, { recursive: join(folder) !== "." }, (_, name) => noticed(join(folder, name ?? "?"))),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** True for the folder itself and everything below it. */
export function isIn(path: string, folder: string): boolean {
  return !/^\.\.(?:$|[\\/])/.test(relative(folder, path));
}
