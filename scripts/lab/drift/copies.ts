/** Copies the tree with its packages, so that the checkout is never changed. */
import { execFile } from "node:child_process";
import { copyFile, cp, link, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { DriftError } from "./mutant.ts";

export interface Tree {
  readonly root: string;
  readonly files: readonly string[];
}

/** @throws DriftError if the root is not a checkout of git */
export async function treeAt(root: string): Promise<Tree> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const deleted = ["ls-files", "-z", "--deleted"];
  const list = async (args: readonly string[]): Promise<string[]> => {
    const { stdout } = await promisify(execFile)("git", args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
    return stdout.split("\0").filter((name) => name !== "");
  };
  try {
    const gone = new Set(await list(deleted));
    return { root, files: (await list(args)).filter((file) => !gone.has(file)) };
  } catch (error) {
    throw new DriftError(`git cannot list the files of ${root}`, { cause: error });
  }
}

export class Copy {
  readonly root: string;
  /** A folder for temporary files of the gates. `restore` empties it. */
  readonly temporary: string;
  readonly #tree: Tree;
  readonly #changed = new Set<string>();

  private constructor(tree: Tree, folder: string) {
    this.#tree = tree;
    this.root = join(folder, "tree");
    this.temporary = join(folder, "tmp");
  }

  static async make(tree: Tree, folder: string): Promise<Copy> {
    const copy = new Copy(tree, folder);
    await mkdir(copy.root, { recursive: true });
    // The folder is open to all users, because PostgreSQL runs as another user if the tests run as root.
    await mkdir(copy.temporary, { mode: 0o1777 });
    for (const file of tree.files) await copyInto(tree.root, file, copy.root);
    await linkPackages(join(tree.root, "node_modules"), join(copy.root, "node_modules"));
    return copy;
  }

  async write(file: string, text: string): Promise<void> {
    this.#changed.add(file);
    await mkdir(dirname(join(this.root, file)), { recursive: true });
    await writeFile(join(this.root, file), text);
  }

  /** Undoes `write` and every change in these folders. */
  async restore(...folders: readonly string[]): Promise<void> {
    const isTouched = (file: string): boolean =>
      this.#changed.has(file) || folders.some((folder) => file.startsWith(`${folder}/`));
    for (const path of [...this.#changed, ...folders])
      await rm(join(this.root, path), { recursive: true, force: true });
    for (const file of this.#tree.files)
      if (isTouched(file)) await copyInto(this.#tree.root, file, this.root);
    this.#changed.clear();
    for (const name of await readdir(this.temporary))
      await rm(join(this.temporary, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function copyInto(from: string, file: string, to: string): Promise<void> {
  await mkdir(dirname(join(to, file)), { recursive: true });
  await copyFile(join(from, file), join(to, file));
}

/**
 * Makes hard links, because tools resolve symbolic links. Hidden folders such as `.cache` are not linked, because tools
 * change their files in place.
 */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      const isCache = entry.name.startsWith(".") && entry.name !== ".bin";
      if (!isCache) await linkPackages(source, target);
    } else if (entry.isSymbolicLink()) await cp(source, target, { verbatimSymlinks: true });
    else await link(source, target).catch(() => copyFile(source, target));
  }
}
