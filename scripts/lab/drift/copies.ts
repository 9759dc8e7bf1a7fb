/** Copies of the tree to work in, with the packages of the checkout, so that nothing of the checkout is ever touched. */
import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { copyFile, cp, link, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** What a run writes itself, and what is said of its verdicts afterwards: neither changes any verdict. */
const aside = new Set(["docs/drift.md", "scripts/lab/drift/explanations.yaml"]);

export interface Tree {
  readonly root: string;
  /** By path from the root, in order. */
  readonly files: readonly string[];
  /** Of everything that verdicts depend on. */
  readonly digest: string;
}

/** No verdict on this tree would mean anything, or it cannot be copied. The message is for people. */
export class UnmeasurableTreeError extends Error {}

/** @throws UnmeasurableTreeError where the root is no checkout of git, or its packages are not installed */
export async function treeAt(root: string): Promise<Tree> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const listing = promisify(execFile)("git", args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  const { stdout } = await listing.catch((error: unknown) => {
    throw new UnmeasurableTreeError(`git cannot list the files of ${root}; run this in a checkout`, {
      cause: error,
    });
  });
  const files: string[] = [];
  const digests: [string, string][] = [["node", process.version]];
  for (const file of stdout.split("\0").filter((name) => name !== "")) {
    const content = await readFile(join(root, file)).catch(() => undefined);
    // Git still lists what has been deleted and not committed.
    if (content === undefined) continue;
    files.push(file);
    if (!aside.has(file)) digests.push([file, hash("sha256", content)]);
  }
  const packages = await readFile(join(root, "node_modules/.package-lock.json")).catch((error: unknown) => {
    throw new UnmeasurableTreeError("the packages are not installed; run `npm ci`", { cause: error });
  });
  digests.push(["packages", hash("sha256", packages)]);
  return { root, files: files.toSorted(), digest: hash("sha256", JSON.stringify(digests.toSorted())) };
}

export class Copy {
  readonly root: string;
  /** For what its programs write elsewhere; empty again after each mutant. */
  readonly temporary: string;
  readonly #tree: Tree;
  readonly #changed = new Set<string>();

  private constructor(tree: Tree, root: string, temporary: string) {
    this.#tree = tree;
    this.root = root;
    this.temporary = temporary;
  }

  /** @param folder to be filled; on the file system of the checkout, packages take no room there */
  static async make(tree: Tree, folder: string): Promise<Copy> {
    const copy = new Copy(tree, join(folder, "tree"), join(folder, "tmp"));
    await mkdir(copy.root, { recursive: true });
    await mkdir(copy.temporary, { mode: 0o1777 });
    for (const file of tree.files) await copyInto(tree.root, file, copy.root);
    await linkPackages(join(tree.root, "node_modules"), join(copy.root, "node_modules"));
    return copy;
  }

  /** @param text undefined to delete the file */
  async write(file: string, text: string | undefined): Promise<void> {
    this.#changed.add(file);
    const path = join(this.root, file);
    if (text === undefined) await rm(path);
    else {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
  }

  /** Takes back what was written, also by a program in a folder that is named here. */
  async restore(...folders: readonly string[]): Promise<void> {
    const isTouched = (file: string): boolean =>
      this.#changed.has(file) || folders.some((folder) => file.startsWith(`${folder}/`));
    for (const file of this.#changed) await rm(join(this.root, file), { force: true });
    for (const folder of folders) await rm(join(this.root, folder), { recursive: true, force: true });
    for (const file of this.#tree.files)
      if (isTouched(file)) await copyInto(this.#tree.root, file, this.root);
    this.#changed.clear();
    for (const name of await readdir(this.temporary))
      await rm(join(this.temporary, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function copyInto(from: string, file: string, to: string): Promise<void> {
  const path = join(to, file);
  await mkdir(dirname(path), { recursive: true });
  await copyFile(join(from, file), path);
}

/**
 * Hard links, for tools find packages by where they really are. What tools keep there for themselves (`.cache`, `.vite`)
 * each copy has of its own: it is written in place.
 */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      const isOwn = entry.name.startsWith(".") && entry.name !== ".bin";
      if (!isOwn) await linkPackages(source, target);
    } else if (entry.isSymbolicLink()) await cp(source, target, { verbatimSymlinks: true });
    else await link(source, target).catch(() => copyFile(source, target));
  }
}
