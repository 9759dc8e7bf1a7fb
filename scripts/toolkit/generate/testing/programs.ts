import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Ended, ended } from "../../../testing/program.ts";

export const fixtures = resolve("scripts/toolkit/generate/fixtures");
export const library = join(fixtures, "accept/library.yaml");

export function run(args: readonly string[], cwd = process.cwd()): Promise<Ended> {
  return ended([process.execPath, resolve("scripts/generate.ts"), ...args], { cwd });
}

/** The text of each file in a folder without subfolders. */
export async function textsOf(directory: string): Promise<Record<string, string>> {
  const names = await readdir(directory);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name), "utf8")])),
  );
}
