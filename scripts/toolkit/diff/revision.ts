/** Copies a spec and its files at a git revision into a folder. Nothing is checked out. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { codeOf, messageOf, SpecProblemsError } from "../openapi/spec-problems.ts";

/** References may point to these files anywhere, and to all files in the folder of the spec. */
const specFile = /\.(?:ya?ml|json)$/i;

/**
 * @param path the path of the spec in the work tree of a repository
 * @param copy a folder for the files, and a file for a separate git index
 * @returns the path of the copied spec
 * @throws SpecProblemsError if there is no repository, no such revision, or no such file in it
 */
export async function copyRevision(
  revision: string,
  path: string,
  copy: { readonly folder: string; readonly index: string },
): Promise<string> {
  const within = dirname(resolve(path));
  if (!existsSync(within)) reject(path, "no such folder; give an existing file with --spec FILE");
  const places = await git(["rev-parse", "--show-toplevel", "--show-prefix"], within).catch(
    (error: unknown) => reject(path, `git cannot read it (${messageOf(error)}); give a file in a repository`),
  );
  const [top = "", prefix = ""] = places.split("\n");
  const tree = await treeOf(revision, within);
  const list = await git(["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree], within);
  const names = list.split("\0");
  const name = prefix + basename(path);
  if (!names.includes(name)) reject(`${revision}:${name}`, "no such file; give a revision that has it");
  const isWanted = (each: string): boolean =>
    each === name || specFile.test(each) || (prefix !== "" && each.startsWith(prefix));
  // A separate index file keeps the repository's index unchanged.
  const environment = { ...process.env, GIT_INDEX_FILE: copy.index };
  await git(["read-tree", "--no-sparse-checkout", tree], top, environment);
  const checkout = ["checkout-index", "--stdin", "-z", `--prefix=${copy.folder}/`];
  await git(checkout, top, environment, names.filter(isWanted).join("\0"));
  return join(copy.folder, name);
}

/**
 * Returns the paths of the files that a revision has in a folder of the work tree, relative to this folder.
 * @throws SpecProblemsError if there is no repository or no such revision
 */
export async function filesAtRevision(revision: string, folder: string): Promise<string[]> {
  const list = await git(["ls-tree", "-r", "-z", "--name-only", await treeOf(revision, folder)], folder);
  return list.split("\0").filter((name) => name !== "");
}

async function treeOf(revision: string, folder: string): Promise<string> {
  const args = ["rev-parse", "--verify", "--end-of-options", `${revision}^{tree}`];
  const tree = await git(args, folder).catch((error: unknown) => {
    const what = existsSync(revision) ? "is a folder" : "no such file";
    return reject(revision, `${what}, and git knows no such revision (${messageOf(error)}); give another`);
  });
  return tree.trim();
}

function reject(location: string, message: string): never {
  throw new SpecProblemsError([{ location, message: `${message}, or a document with --base FILE` }]);
}

/** @throws Error with the first line of standard error */
async function git(
  args: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv = process.env,
  input = "",
): Promise<string> {
  const running = promisify(execFile)("git", args, { cwd, env: environment, maxBuffer: 1e9 });
  // If git stops reading its input, its exit status reports the cause, so this error is ignored.
  running.child.stdin?.on("error", () => {}).end(input);
  try {
    return (await running).stdout;
  } catch (error) {
    if (codeOf(error) === "ENOENT") throw new Error("git is not installed, or not on the PATH");
    const complaint = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    throw new Error(complaint.split("\n", 1)[0]?.replace(/^fatal: /, "") || messageOf(error));
  }
}
