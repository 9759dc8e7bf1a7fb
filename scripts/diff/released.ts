/**
 * The last released interface, kept beside the spec: what callers were promised. Its digest stands beside it, so that what
 * was released cannot become another thing unnoticed.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { JsonObject } from "../openapi/document.ts";
import { SpecProblemsError } from "../openapi/problems.ts";

/** Where the released interface of a spec is kept. */
export function releasedFile(spec: string): string {
  return join(dirname(spec), "released", "openapi.json");
}

function digestFile(file: string): string {
  return `${file}.sha256`;
}

/** As `sha256sum` writes it, and `sha256sum --check` reads it. */
function digestLine(file: string, content: string | Uint8Array): string {
  return `${createHash("sha256").update(content).digest("hex")}  ${basename(file)}\n`;
}

/** Writes each file whole: no reader sees half of one, and files that are not of one release are refused. */
export async function writeReleased(spec: string, document: JsonObject): Promise<void> {
  const file = releasedFile(spec);
  await mkdir(dirname(file), { recursive: true });
  const content = `${JSON.stringify(document, null, 2)}\n`;
  for (const [path, text] of [
    [digestFile(file), digestLine(file, content)],
    [file, content],
  ] as const) {
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  }
}

/**
 * @param file as `releasedFile` names it; it must be there
 * @throws SpecProblemsError where it is not what was released
 */
export async function assertReleased(file: string): Promise<void> {
  const digest = await readFile(digestFile(file), "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (digest === digestLine(file, await readFile(file))) return;
  const why =
    digest === undefined
      ? `${basename(digestFile(file))}, which says what was released, is not beside it`
      : `it is not what was released: ${basename(digestFile(file))} says so`;
  const folder = dirname(file);
  const message = `${why}; restore both with \`git checkout -- ${folder}\`, and change the spec, not what was released`;
  throw new SpecProblemsError([{ location: file, message }]);
}
