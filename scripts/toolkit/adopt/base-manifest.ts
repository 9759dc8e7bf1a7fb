/**
 * The list of a project's base files as they were written, so that an upgrade can tell which ones the user has
 * changed.
 */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../openapi/document.ts";
import { codeOf } from "../openapi/spec-problems.ts";

export const manifestName = "base-files.json";

export interface BaseManifest {
  /** SHA-256 digests, keyed by path. */
  readonly files: { readonly [path: string]: string };
  /** The fields of package.json, which users extend. */
  readonly package: JsonObject;
}

export async function writeManifest(folder: string, paths: readonly string[]): Promise<void> {
  const files: [string, string | undefined][] = [];
  for (const path of paths.toSorted()) files.push([path, await digestOf(join(folder, path))]);
  const fields: JsonObject = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const note =
    "Written by `npm run adopt`: the base files of this project, for its `--upgrade`. Do not edit.";
  const manifest = { note, files: Object.fromEntries(files), package: fields };
  await writeFile(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
}

export async function readManifest(folder: string): Promise<BaseManifest | undefined> {
  const text = await textOrNone(join(folder, manifestName));
  return text === undefined ? undefined : JSON.parse(text.toString("utf8"));
}

/** Undefined if the file does not exist. */
export async function digestOf(path: string): Promise<string | undefined> {
  const content = await textOrNone(path);
  return content && createHash("sha256").update(content).digest("hex");
}

async function textOrNone(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  });
}
