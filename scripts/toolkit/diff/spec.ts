/** Loads the two documents of a comparison: from files, from the last release, or from a git revision. */
import { existsSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { shownPathOf } from "../openapi/files.ts";
import type { LoadedSpec } from "../openapi/load.ts";
import { readSpec } from "../openapi/read-spec.ts";
import { type SpecProblem, SpecProblemsError } from "../openapi/spec-problems.ts";
import { assertReleased } from "./released.ts";
import { copyRevision } from "./revision.ts";

export interface Spec extends Pick<LoadedSpec, "document" | "locate" | "placeOf"> {
  /** True if the document was written in OpenAPI 3.0. It is upgraded when it is read. */
  readonly isOpenApi30?: boolean;
  /** The problems that a lenient run ignored. */
  readonly ignored?: readonly SpecProblem[];
}

/** Called with one line for each problem that a lenient run ignores. */
type OnIgnored = (line: string) => void;

/**
 * Always lenient, because a released document cannot be fixed. When it was released, all its problems were waived.
 *
 * @throws SpecProblemsError
 */
export async function specOfRelease(path: string): Promise<Spec> {
  await assertReleased(path);
  return readSpec(path, () => {});
}

/**
 * The document in a file, in standard input (`-`), or in a revision of git.
 *
 * @param path the path of the spec in the revision
 */
export async function specOfSource(
  source: string,
  path: string,
  onIgnored?: OnIgnored,
  allowOutside: readonly string[] = [],
): Promise<Spec> {
  if (source === "-") return specOfInput(onIgnored);
  if (isRevision(source)) return specOfRevision(source, path, onIgnored, allowOutside);
  return specOfBase(source, onIgnored, allowOutside);
}

export function isRevision(source: string): boolean {
  return source !== "-" && !(existsSync(source) && statSync(source).isFile());
}

async function specOfInput(onIgnored?: OnIgnored): Promise<Spec> {
  const folder = await mkdtemp(join(tmpdir(), "input-"));
  const file = join(folder, "openapi.yaml");
  const shown = (line: string): string => line.replaceAll(shownPathOf(file), "standard input");
  try {
    await writeFile(file, await buffer(process.stdin));
    const spec = await readSpec(file, onIgnored && ((line) => onIgnored(shown(line))));
    return { ...spec, locate: (pointer) => shown(spec.locate(pointer)) };
  } catch (error) {
    throw reworded(error, shown);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Reports places as `revision:path`.
 *
 * @throws SpecProblemsError, even if the revision does not exist or has no such file
 */
async function specOfRevision(
  revision: string,
  path: string,
  onIgnored?: OnIgnored,
  allowOutside: readonly string[] = [],
): Promise<Spec> {
  const temporary = await mkdtemp(join(tmpdir(), "revision-"));
  const copy = { folder: join(temporary, "tree"), index: join(temporary, "index") };
  const inRevision = (text: string): string =>
    text.replaceAll(`${shownPathOf(copy.folder)}/`, `${revision}:`);
  try {
    const copied = await copyRevision(revision, path, copy);
    // Maps each allowed folder of the work tree to the same folder of the copy.
    const allowed = allowOutside.map((each) => resolve(dirname(copied), relative(dirname(path), each)));
    const spec = await readSpec(copied, onIgnored && ((line) => onIgnored(inRevision(line))), allowed);
    return { ...spec, locate: (pointer) => inRevision(spec.locate(pointer)) };
  } catch (error) {
    throw reworded(error, inRevision);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** @throws SpecProblemsError */
export async function specOfBase(
  path: string,
  onIgnored?: OnIgnored,
  allowOutside?: readonly string[],
): Promise<Spec> {
  return readSpec(path, onIgnored, allowOutside, { give: (wanted) => `give ${wanted} with --base FILE` });
}

function reworded(error: unknown, reword: (text: string) => string): unknown {
  if (!(error instanceof SpecProblemsError)) return error;
  return new SpecProblemsError(
    error.problems.map(({ location, message, ...rest }) => ({
      location: reword(location),
      message: reword(message),
      ...rest,
    })),
  );
}

/** @throws SpecProblemsError with the problems of all documents */
export async function allLoaded<Loaded extends unknown[]>(
  loading: {
    readonly [Index in keyof Loaded]: Promise<Loaded[Index]>;
  },
): Promise<Loaded> {
  const problems: SpecProblem[] = [];
  for (const each of await Promise.allSettled(loading)) {
    if (each.status === "fulfilled") continue;
    if (!(each.reason instanceof SpecProblemsError)) throw each.reason;
    problems.push(...each.reason.problems);
  }
  if (problems.length > 0) throw new SpecProblemsError(problems);
  return Promise.all(loading);
}
