import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

export const fixtures = resolve("scripts/toolkit/generate/fixtures");
export const library = join(fixtures, "accept/library.yaml");

export interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function run(args: readonly string[], cwd = process.cwd()): Promise<Run> {
  return ended([process.execPath, resolve("scripts/generate.ts"), ...args], cwd);
}

/** Resolves even if the program fails, because tests check its exit status. */
export function ended([program = "", ...args]: readonly string[], cwd = process.cwd()): Promise<Run> {
  return new Promise((done) => {
    execFile(program, args, { cwd }, (error, stdout, stderr) => {
      done({ status: typeof error?.code === "number" ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
}

/** The text of each file in a folder without subfolders. */
export async function textsOf(directory: string): Promise<Record<string, string>> {
  const names = await readdir(directory);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name), "utf8")])),
  );
}
