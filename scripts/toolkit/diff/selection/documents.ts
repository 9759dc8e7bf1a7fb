/** Finds the documents that a glob matches. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { MissingFileError } from "../../openapi/spec-problems.ts";
import { filesAtRevision } from "../revision.ts";
import { globPattern, isGlob } from "./glob.ts";

/**
 * @param glob a path, which may be one without `*`
 * @param old a revision of git. Without one, no document counts as added or removed
 * @param now a revision of git, or undefined for the work tree
 * @throws SpecProblemsError if no document matches, or git does not know the revision
 */
export async function documentsMatching(glob: string, old: string | undefined, now: string | undefined) {
  const nows = await filesMatching(glob, now);
  const olds = old === undefined ? nows : await filesMatching(glob, old);
  if (nows.length + olds.length === 0) {
    const message = isGlob(glob)
      ? "no document matches; correct this glob"
      : "no such file; correct its name";
    throw new MissingFileError([{ location: glob, message }]);
  }
  return {
    inBoth: nows.filter((each) => olds.includes(each)),
    added: nows.filter((each) => !olds.includes(each)),
    removed: olds.filter((each) => !nows.includes(each)),
  };
}

async function filesMatching(glob: string, revision: string | undefined): Promise<string[]> {
  if (revision === undefined && !isGlob(glob)) return existsSync(glob) ? [glob] : [];
  const path = withSlashes(relative(".", glob));
  let folder = dirname(path.replace(/\*.*$/, "*"));
  while (!existsSync(folder)) folder = dirname(folder);
  const files = await (revision === undefined ? filesBelow(folder) : filesAtRevision(revision, folder));
  const pattern = globPattern(path);
  return files
    .map((each) => withSlashes(join(folder, each)))
    .filter((each) => pattern.test(each) && !isReleased(each))
    .toSorted();
}

function withSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}

/** The released interface is not a document of its own. */
function isReleased(path: string): boolean {
  return basename(dirname(path)) === "released";
}

/** Skips packages and hidden folders. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = entries.map(async (entry) => {
    if (!entry.isDirectory()) return [entry.name];
    if (entry.name === "node_modules" || entry.name.startsWith(".")) return [];
    return (await filesBelow(join(folder, entry.name))).map((each) => join(entry.name, each));
  });
  return (await Promise.all(found)).flat();
}
