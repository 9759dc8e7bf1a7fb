import { rename, writeFile } from "node:fs/promises";

/** Writes a new file and renames it, so that no reader sees half of it. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}
