/** The last released interface, in a folder next to the spec. The digest next to it detects edits. */
import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { JsonObject } from "../openapi/document.ts";
import { replaceFile } from "../openapi/replace-file.ts";
import { codeOf, SpecProblemsError } from "../openapi/spec-problems.ts";

export function releasedFile(spec: string): string {
  return join(dirname(spec), "released", "openapi.json");
}

function digestFile(file: string): string {
  return `${file}.sha256`;
}

/** The format of `sha256sum`. */
function digestLine(file: string, text: string | Uint8Array): string {
  return `${createHash("sha256").update(text).digest("hex")}  ${basename(file)}\n`;
}

/**
 * Writes the digest first, so that an interrupted release is detected. Each file is written under a temporary name, then
 * renamed.
 */
export async function writeReleased(spec: string, document: JsonObject): Promise<void> {
  const file = releasedFile(spec);
  await mkdir(dirname(file), { recursive: true });
  const text = `${JSON.stringify(document, null, 2)}\n`;
  await replaceFile(digestFile(file), digestLine(file, text));
  await replaceFile(file, text);
}

/** @throws SpecProblemsError if the file differs from its digest */
export async function assertReleased(file: string): Promise<void> {
  const digest = await readFile(digestFile(file), "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (digest === digestLine(file, await readFile(file))) return;
  const why =
    digest === undefined
      ? `its digest ${basename(digestFile(file))} is missing`
      : `its content differs from its digest in ${basename(digestFile(file))}`;
  const folder = dirname(file);
  const message = `${why}; restore both with \`git checkout -- ${folder}\`, and change only the spec`;
  throw new SpecProblemsError([{ location: file, message }]);
}
