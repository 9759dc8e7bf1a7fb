import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../openapi/spec-problems.ts";
import { isGenerated, origin } from "./source-text.ts";

export type GeneratedFiles = ReadonlyMap<string, string>;

/** The folder contains files that were not generated. */
export class OutputError extends Error {
  override readonly name = "OutputError";
}

const manifestName = "manifest.json";
const manifestNote = `${origin}: the files here that it replaces and deletes.`;
const foreign = "is not generated; move it elsewhere";

export function withManifest(files: GeneratedFiles): GeneratedFiles {
  const manifest = { note: manifestNote, files: [...files.keys(), manifestName].toSorted() };
  return new Map([...files, [manifestName, `${JSON.stringify(manifest, null, 2)}\n`]]);
}

/** Returns a line for each file in the folder that differs from the output. */
export async function staleFiles(folder: string, files: GeneratedFiles): Promise<string[]> {
  const { wanted, present, isCurrent, isOurs } = await compared(folder, files);
  const complaint = (name: string): string => {
    if (!present.includes(name)) return "is missing";
    if (!isOurs(name)) return foreign;
    return wanted.has(name) ? "is stale" : "is no longer generated";
  };
  return [...new Set([...wanted.keys(), ...present])]
    .filter((name) => !isCurrent(name))
    .map((name) => `${join(folder, name)} ${complaint(name)}`)
    .toSorted();
}

/**
 * Writes the files whose content has changed, and deletes obsolete ones. @returns the names of written and deleted files
 * @throws OutputError, and errors of the file system
 */
export async function writeFiles(folder: string, files: GeneratedFiles): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const { wanted, present, isCurrent, isOurs } = await compared(folder, files);
  const differing = [...wanted.keys()].filter((name) => !isCurrent(name));
  const inTheWay = differing.filter((name) => present.includes(name) && !isOurs(name)).toSorted();
  const remedy = `${foreign}, or give another folder with --out DIR`;
  if (inTheWay.length > 0)
    throw new OutputError(inTheWay.map((name) => `${join(folder, name)} ${remedy}`).join("\n"));
  const changed = [...differing, ...present.filter((name) => !wanted.has(name) && isOurs(name))];
  if (changed.length > 0) await replaceFiles(folder, changed, wanted);
  return changed;
}

/** Writes all new files under temporary names before it replaces the first one. */
async function replaceFiles(folder: string, names: readonly string[], wanted: GeneratedFiles): Promise<void> {
  const scratch = join(folder, `.generate.${process.pid}`);
  try {
    await mkdir(scratch);
    for (const name of names) await writeFile(join(scratch, name), wanted.get(name) ?? "");
    for (const name of names) {
      if (wanted.has(name)) await rename(join(scratch, name), join(folder, name));
      else await rm(join(folder, name));
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Compared {
  readonly wanted: GeneratedFiles;
  /** Every name in the folder. */
  readonly present: readonly string[];
  isCurrent(name: string): boolean;
  isOurs(name: string): boolean;
}

async function compared(folder: string, files: GeneratedFiles): Promise<Compared> {
  const wanted = withManifest(files);
  const present = await namesIn(folder);
  const current = new Set<string>();
  const generated = new Set<string>();
  let manifest = "";
  // Only one old file is in memory at a time, because all old and new files together can need much memory.
  for (const name of present) {
    const text = wanted.get(name);
    if (text === undefined) continue;
    const old = await readFile(join(folder, name), "utf8");
    if (text === old) current.add(name);
    if (isGenerated(old)) generated.add(name);
    if (name === manifestName) manifest = old;
  }
  // The manifest may have merge conflicts.
  const listed = isGenerated(manifest) ? [manifestName, ...(manifest.match(/(?<=^ {4}")[^"]+/gm) ?? [])] : [];
  return {
    wanted,
    present,
    isCurrent: (name) => current.has(name),
    isOurs: (name) => listed.includes(name) || generated.has(name),
  };
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
}
