import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Keyed by path in the package. The folders are the same as those of the sources. */
export type PackageFiles = Map<string, string>;

/**
 * Writes the files to a new folder, and replaces the old one if the check passes. Returns the check's result.
 * @throws what the check throws, and leaves the old folder unchanged
 */
export async function replaceFolder<Result>(
  folder: string,
  files: PackageFiles,
  check: (staged: string) => Promise<Result>,
): Promise<Result> {
  const staged = `${folder}.${process.pid}.new`;
  try {
    for (const [path, text] of files) {
      await mkdir(dirname(join(staged, path)), { recursive: true });
      await writeFile(join(staged, path), text);
    }
    const result = await check(staged);
    await rm(folder, { recursive: true, force: true });
    await rename(staged, folder);
    return result;
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}
