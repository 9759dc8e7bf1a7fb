/** Copies the tree with its packages, so that the checkout is never changed. */
import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { copyFile, cp, link, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { DriftError } from "./drift-error.ts";
import { killAll } from "./processes.ts";

/** Lists the files of the checkout, without ignored and deleted ones. @throws DriftError if it is not a checkout of git */
export async function filesIn(root: string): Promise<string[]> {
  const list = async (...options: readonly string[]): Promise<string[]> =>
    (await git(root, "ls-files", "-z", ...options)).split("\0").filter((name) => name !== "");
  try {
    const deleted = new Set(await list("--deleted"));
    const files = await list("--cached", "--others", "--exclude-standard", "--deduplicate");
    return files.filter((file) => !deleted.has(file));
  } catch (error) {
    throw new DriftError(`git cannot list the files of ${root}`, { cause: error });
  }
}

export async function git(root: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Ctrl-C also removes the copy and ends all processes in it. */
export class Copy implements Disposable {
  readonly root: string;
  /** A folder for temporary files of the gates. `restore` empties it. */
  readonly temporary: string;
  readonly #folder = mkdtempSync(join(tmpdir(), "drift-"));

  private constructor() {
    // Other users may read the folder, because PostgreSQL runs as another user if the tests run as root.
    chmodSync(this.#folder, 0o755);
    this.root = join(this.#folder, "tree");
    this.temporary = join(this.#folder, "tmp");
    process.once("exit", this.#clean).once("SIGINT", this.#end).once("SIGTERM", this.#end);
  }

  static async make(from: string, files: readonly string[]): Promise<Copy> {
    const copy = new Copy();
    // The folder is open to all users, because PostgreSQL runs as another user if the tests run as root.
    await mkdir(copy.temporary, { mode: 0o1777 });
    for (const file of files) {
      await mkdir(dirname(join(copy.root, file)), { recursive: true });
      await copyFile(join(from, file), join(copy.root, file));
    }
    // `restore` gets the files from the index of git.
    await git(copy.root, "init", "--quiet");
    await git(copy.root, "add", "--all");
    await linkPackages(join(from, "node_modules"), join(copy.root, "node_modules"));
    return copy;
  }

  write(file: string, text: string): Promise<void> {
    return writeFile(join(this.root, file), text);
  }

  /** Undoes every change of files that git does not ignore. */
  async restore(): Promise<void> {
    await git(this.root, "restore", ".");
    await git(this.root, "clean", "--quiet", "--force", "-d");
    for (const name of await readdir(this.temporary))
      await rm(join(this.temporary, name), { recursive: true, force: true, maxRetries: 5 });
  }

  readonly #clean = (): void => {
    killAll();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  readonly #end = (): never => process.exit(130);

  [Symbol.dispose](): void {
    process.off("exit", this.#clean).off("SIGINT", this.#end).off("SIGTERM", this.#end);
    this.#clean();
  }
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
