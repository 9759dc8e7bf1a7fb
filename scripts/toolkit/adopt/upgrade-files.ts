/** Replaces either all base files of a project or none. Files that the user has changed or added are kept. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject } from "../openapi/document.ts";
import { originOf } from "./base-files.ts";
import { type BaseManifest, digestOf, manifestName, readManifest } from "./base-manifest.ts";

export interface Plan {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Files and fields that are kept, although the base has changed. */
  readonly kept: readonly { readonly path: string; readonly why: string }[];
  /** True if package.json has fields of the base and of the user. */
  readonly merged: boolean;
}

const packageFile = "package.json";
/** `npm install` updates this file. */
const lockFile = "package-lock.json";

/** @param parts the folder of the new project, where package.json gets the fields of the user */
export async function planOf(folder: string, parts: string, before: BaseManifest): Promise<Plan> {
  const after = await readManifest(parts);
  if (after === undefined) throw new Error("the made project has no manifest");
  const written: string[] = [];
  const removed: string[] = [];
  const kept: { path: string; why: string }[] = [];
  let merged = false;
  for (const path of Object.keys({ ...before.files, ...after.files }).toSorted()) {
    const [old, next] = [before.files[path], after.files[path]];
    const now = await digestOf(join(folder, path));
    if (now === next || (now !== old && old === next && path !== packageFile)) continue;
    if (now === old) (next === undefined ? removed : written).push(path);
    else if (path === packageFile && now !== undefined) {
      const mine: JsonObject = JSON.parse(readFileSync(join(folder, path), "utf8"));
      const conflicts: string[] = [];
      const fields = mergedFields(before.package, mine, after.package, "", conflicts);
      for (const field of conflicts)
        kept.push({ path: `${path} ${field}`, why: "you and the base have changed it" });
      if (isDeepStrictEqual(fields, mine)) continue;
      merged = true;
      writeFileSync(join(parts, path), `${JSON.stringify(fields, null, 2)}\n`);
      written.push(path);
    } else if (path !== lockFile) kept.push({ path, why: whyKept(path, old, now, next) });
  }
  const generated = generatedIn(parts);
  for (const path of [...generated, manifestName])
    if ((await digestOf(join(folder, path))) !== (await digestOf(join(parts, path)))) written.push(path);
  removed.push(...generatedIn(folder).filter((path) => !generated.includes(path)));
  return { written, removed, kept, merged };
}

function whyKept(path: string, old?: string, now?: string, next?: string): string {
  if (next === undefined) return "you changed it, and the base no longer has it";
  if (now === undefined) return "you deleted it, and the base has changed it";
  if (old === undefined) return "you wrote it, and the base now has a file with this name";
  const origin = originOf(path);
  return `you and the base have changed it${origin === undefined ? "" : `: merge ${origin}`}`;
}

/** The fields of the base after the upgrade, and those that the user has added or changed. */
function mergedFields(
  old: JsonObject,
  mine: JsonObject,
  next: JsonObject,
  place: string,
  conflicts: string[],
): JsonObject {
  const merged: JsonObject = {};
  for (const name of new Set([...Object.keys(next), ...Object.keys(mine)])) {
    const [was, now, then]: (Json | undefined)[] = [old[name], mine[name], next[name]];
    const path = place === "" ? name : `${place}.${name}`;
    if (isObject(now) && isObject(then)) {
      merged[name] = mergedFields(isObject(was) ? was : {}, now, then, path, conflicts);
      continue;
    }
    const isMine = !isDeepStrictEqual(now, was);
    const value = isMine ? now : then;
    if (value !== undefined) merged[name] = value;
    if (isMine && !isDeepStrictEqual(then, was) && !isDeepStrictEqual(then, now)) conflicts.push(path);
  }
  return merged;
}

function generatedIn(folder: string): string[] {
  const manifest = join(folder, "generated/manifest.json");
  if (!existsSync(manifest)) return [];
  const { files }: { files: string[] } = JSON.parse(readFileSync(manifest, "utf8"));
  return files.map((name) => `generated/${name}`).filter((path) => existsSync(join(folder, path)));
}

/**
 * All calls are synchronous, so not even a signal handler can interrupt them. If the process is killed, each file is
 * either old or new. The manifest is written last, so it is old, and the next run completes the upgrade.
 *
 * @throws errors of the file system, after all changes have been undone
 */
export function replaceFiles(folder: string, parts: string, { written, removed }: Plan): void {
  const undo: (() => void)[] = [];
  try {
    for (const path of [...removed, ...written]) {
      const [place, old] = [join(folder, path), join(parts, ".old", path)];
      if (existsSync(place)) {
        mkdirSync(dirname(old), { recursive: true });
        copyFileSync(place, old);
        undo.push(() => renameSync(old, place));
      }
      if (removed.includes(path)) {
        rmSync(place, { force: true });
        continue;
      }
      mkdirSync(dirname(place), { recursive: true });
      renameSync(join(parts, path), place);
      undo.push(() => rmSync(place));
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
}
