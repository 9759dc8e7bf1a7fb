/** The last released interface, kept beside the spec: what callers were promised. */
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JsonObject } from "../generate/document.ts";

/** Where the released interface of a spec is kept. */
export function releasedFile(spec: string): string {
  return join(dirname(spec), "released", "openapi.json");
}

/** Writes it whole: no reader sees half of it. */
export async function writeReleased(spec: string, document: JsonObject): Promise<void> {
  const file = releasedFile(spec);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, `${JSON.stringify(document, null, 2)}\n`);
  await rename(`${file}.new`, file);
}
