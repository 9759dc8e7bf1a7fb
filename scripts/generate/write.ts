/** Puts generated files in their folder and tells what is stale there. */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** File names and their contents. */
export type GeneratedFiles = ReadonlyMap<string, string>;

/** The folder or a file in it cannot be read or written; the message names it, the cause and the remedy. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

/** One line for each file of the folder that is not what would be generated: stale, missing, or not generated at all. */
export async function staleFiles(folder: string, files: GeneratedFiles): Promise<string[]> {
  return explained(folder, async () => {
    const present = await filesIn(folder);
    const stale: string[] = [];
    for (const [name, content] of files) {
      if (!present.includes(name)) stale.push(`${join(folder, name)} is missing`);
      else if ((await readFile(join(folder, name), "utf8")) !== content)
        stale.push(`${join(folder, name)} is stale`);
    }
    for (const name of present) {
      if (!files.has(name)) stale.push(`${join(folder, name)} is not generated; move it elsewhere`);
    }
    return stale.sort();
  });
}

/**
 * Writes every file that differs. Each is written whole beside its place, and only when all are is any renamed: no
 * reader sees half of a file, and a fault while writing leaves all old files as they are.
 *
 * @returns the names of the files that were written
 * @throws OutputError where the folder cannot take them
 */
export async function writeFiles(folder: string, files: GeneratedFiles): Promise<string[]> {
  return explained(folder, async () => {
    await makeFolder(resolve(folder));
    const present = await filesIn(folder);
    const staged: { name: string; temporary: string }[] = [];
    try {
      for (const [name, content] of files) {
        if (present.includes(name) && (await readFile(join(folder, name), "utf8")) === content) continue;
        const temporary = join(folder, `.${name}.${process.pid}.new`);
        staged.push({ name, temporary });
        await writeFile(temporary, content);
      }
      for (const { name, temporary } of staged) await rename(temporary, join(folder, name));
    } finally {
      await Promise.all(staged.map(({ temporary }) => rm(temporary, { force: true })));
    }
    return staged.map(({ name }) => name);
  });
}

/** Node's own recursive `mkdir` never returns where a file system refuses with ENOENT, as /proc does. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (codeOf(error) === "EEXIST" && (await stat(folder)).isDirectory()) return;
    if (codeOf(error) !== "ENOENT" || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await mkdir(folder);
  }
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

async function explained<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const message =
      code === "EISDIR"
        ? `${folder} holds a folder where a generated file belongs; remove that folder`
        : code === "EEXIST" || code === "ENOTDIR"
          ? `${folder} is not a folder; name one with --out DIR`
          : `${folder} cannot be used (${code}); name a writable folder with --out DIR`;
    throw new OutputError(message, { cause: error });
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
