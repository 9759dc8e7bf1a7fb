/** Creates a project from a document. Its files are written to a temporary folder, which is renamed at the end. */
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { promisify } from "node:util";
import { writeFiles } from "../generate/output.ts";
import { type Run, run } from "../generate/pipeline.ts";
import type { Info } from "../openapi/document.ts";
import { codeOf, messageOf, type SpecProblem, SpecProblemsError } from "../openapi/spec-problems.ts";
import { withWaivers } from "../openapi/waivers.ts";
import { baseFiles, root } from "./base-files.ts";
import { manifestName, readManifest, writeManifest } from "./base-manifest.ts";
import { type Operations, operationFiles } from "./operation-files.ts";
import { projectFiles } from "./project-files.ts";
import { type Plan, planOf, replaceFiles } from "./upgrade-files.ts";

/** The folder cannot be used. The message has the folder, the cause and the fix. */
export class FolderError extends Error {
  override readonly name = "FolderError";
}

export interface Adopted {
  readonly operations: number;
  readonly files: number;
  readonly passed: readonly SpecProblem[];
  readonly notes: readonly SpecProblem[];
}

export interface Upgraded extends Plan, Pick<Adopted, "passed" | "notes"> {}

interface AdoptChoices {
  readonly document: string;
  /** Must be missing or empty. Parent folders are created. */
  readonly folder: string;
  readonly lenient: boolean;
}

/** @throws SpecProblemsError with every place of the document that must be fixed, or FolderError */
export async function adopt(choices: AdoptChoices): Promise<Adopted> {
  await assertFree(choices.folder);
  return make(choices, (parts) => moveTo(choices.folder, parts));
}

/** Upgrades a project to this version of the base. The user's files are kept. @throws SpecProblemsError, FolderError */
export async function upgrade({ folder, lenient }: Omit<AdoptChoices, "document">): Promise<Upgraded> {
  const before = await readManifest(folder);
  if (before === undefined)
    throw new FolderError(
      `${folder} has no ${manifestName}, which \`npm run adopt\` writes; make a new project and move your files to it`,
    );
  let plan: Plan | undefined;
  const { passed, notes } = await make(
    { document: join(folder, "spec/openapi.yaml"), folder, lenient },
    async (parts) => {
      plan = await planOf(folder, parts, before);
      if (plan.merged) await format(parts, "package.json");
      replaceFiles(folder, parts, plan);
    },
  );
  if (plan === undefined) throw new Error("the upgrade has no plan");
  return { ...plan, passed, notes };
}

/** Makes the project in a temporary folder next to `folder`. */
async function make(
  { document, folder, lenient }: AdoptChoices,
  finish: (parts: string) => Promise<void>,
): Promise<Adopted> {
  const made = await run({ spec: document, lenient });
  const spec = await specFiles(document, made);
  const base = baseFiles();
  const { info }: { info: Info } = JSON.parse(made.files.get("openapi.json") ?? "");
  const { parts, firstMade } = await beside(folder);
  let isDone = false;
  try {
    const put = (files: ReadonlyMap<string, string | Uint8Array>) => writeAll(parts, files);
    await put(spec);
    const generated = await generatedFrom(parts, document);
    await writeFiles(join(parts, "generated"), generated);
    const { operations }: { operations: Operations } = await import(join(parts, "generated/operations.ts"));
    const ofBase = new Map([...base, ...projectFiles(base, info)]);
    const others = new Map([...ofBase, ...operationFiles(operations)]);
    await put(others);
    await format(parts, ".");
    await writeManifest(parts, [...ofBase.keys()]);
    // `mkdtemp` creates a folder that only its owner can read.
    await chmod(parts, 0o777 & ~process.umask());
    await finish(parts);
    isDone = true;
    // The lists of files, `generated/manifest.json` and `base-files.json`, are counted too.
    const count = spec.size + generated.size + 1 + others.size + 1;
    const { passed, notes } = made;
    return { operations: Object.keys(operations).length, files: count, passed, notes };
  } catch (error) {
    throw explained(error, folder);
  } finally {
    await rm(parts, { recursive: true, force: true });
    process.off("exit", removeParts);
    if (!isDone && firstMade !== undefined) await removeEmpty(dirname(resolve(folder)), firstMade);
  }
}

/** The temporary folder. It is removed on exit if the run is interrupted. */
let partsOfRun: string | undefined;
function removeParts(): void {
  if (partsOfRun !== undefined) rmSync(partsOfRun, { recursive: true, force: true });
}

/** Runs before the slow generator, so that the user gets the error early. */
async function assertFree(folder: string): Promise<void> {
  const wanted = resolve(folder);
  const own = relative(root, wanted);
  if (own === "" || !own.startsWith(".."))
    throw new FolderError(`${folder} is inside this project; give a folder outside, such as ../my-api`);
  try {
    if ((await readdir(wanted)).length > 0)
      throw new FolderError(`${folder} is not empty; give an empty or a new folder`);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw explained(error, folder);
  }
}

/** Makes an empty folder next to `folder`, because `rename` works only on the same disk. Creates missing parents. */
async function beside(folder: string): Promise<{ parts: string; firstMade: string | undefined }> {
  const wanted = resolve(folder);
  try {
    const around = dirname(wanted);
    const firstMade = await mkdir(around, { recursive: true });
    const prefix = `.${basename(wanted)}-adopt-`;
    await removeLeft(around, prefix);
    const parts = await realpath(await mkdtemp(join(around, `${prefix}${process.pid}-`)));
    partsOfRun = parts;
    process.once("exit", removeParts);
    return { parts, firstMade };
  } catch (error) {
    throw explained(error, folder);
  }
}

/** Removes the temporary folders of runs that were killed. */
async function removeLeft(around: string, prefix: string): Promise<void> {
  for (const name of await readdir(around)) {
    const [, pid] = /^(\d+)-\w{6}$/.exec(name.startsWith(prefix) ? name.slice(prefix.length) : "") ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(around, name), { recursive: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

async function removeEmpty(from: string, upTo: string): Promise<void> {
  for (let path = from; path.startsWith(upTo); path = dirname(path))
    if (
      !(await rmdir(path).then(
        () => true,
        () => false,
      ))
    )
      return;
}

/**
 * The document, the files that it refers to, and its waivers, keyed by path.
 * @throws SpecProblemsError if a referenced file cannot be copied
 */
async function specFiles(document: string, made: Run): Promise<Map<string, string | Uint8Array>> {
  const folder = dirname(resolve(document));
  const waivers = join(folder, "waivers.yaml");
  const files = new Map<string, string | Uint8Array>([["spec/openapi.yaml", await readFile(document)]]);
  for (const path of made.read) {
    if (path === resolve(document) || path === waivers) continue;
    const place = relative(folder, path).split(sep).join("/");
    if (files.has(`spec/${place}`))
      throw new SpecProblemsError([
        {
          location: document,
          message: `it refers to ${place}, which is outside its folder; merge both into one file with \`npx redocly bundle\``,
        },
      ]);
    files.set(`spec/${place}`, await readFile(path));
  }
  const given = made.read.includes(waivers) ? await readFile(waivers, "utf8") : "";
  const all = await withWaivers(given, made.passed);
  if (all !== "") files.set("spec/waivers.yaml", all);
  return files;
}

async function writeAll(folder: string, files: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** Generates like the new project. The run is not lenient, because the waivers list all rules that are not enforced. */
async function generatedFrom(parts: string, document: string) {
  try {
    return (await run({ spec: join(parts, "spec/openapi.yaml"), lenient: false, runtime: "#specbind" }))
      .files;
  } catch (error) {
    if (!(error instanceof SpecProblemsError)) throw error;
    const [first] = error.problems;
    const message = `it is not valid after its renaming to spec/openapi.yaml (${first?.message}); if a reference contains the name of this file, write only the part from #`;
    throw new SpecProblemsError([{ location: document, message }]);
  }
}

/** Formatting is necessary, because long names from the document can make lines too long. */
async function format(parts: string, path: string): Promise<void> {
  const biome = join(root, "node_modules/.bin/biome");
  await promisify(execFile)(biome, ["check", "--write", "--error-on-warnings", path], { cwd: parts });
}

async function moveTo(folder: string, parts: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  await rename(parts, folder);
}

const denied = "FOLDER cannot be written: permission denied; give another folder";
const full = "the disk of FOLDER is full; free some space, or give a folder on another disk";
const occupied = "FOLDER cannot be a folder, because there is a file in its place; give another folder";
const messages: { readonly [code: string]: string } = {
  EACCES: denied,
  EPERM: denied,
  EROFS: denied,
  ENOSPC: full,
  EDQUOT: full,
  ENOTDIR: occupied,
  EEXIST: occupied,
  ENAMETOOLONG: "the name of FOLDER is too long; give another folder",
  ENOTEMPTY: "FOLDER is no longer empty; give an empty folder",
};

function explained(error: unknown, folder: string): unknown {
  if (!(error instanceof Error && "syscall" in error)) return error;
  const message = messages[codeOf(error) ?? ""] ?? `FOLDER: ${messageOf(error)}`;
  return new FolderError(message.replace("FOLDER", () => folder));
}
