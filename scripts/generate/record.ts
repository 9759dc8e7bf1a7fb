/**
 * Remembers of a run what went into it and what came out, so that the next one can tell by reading alone that nothing has
 * changed. Whatever cannot be read or remembered means a run in full: this is never asked by `--check`.
 */
import { hash } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type GeneratedFiles, withManifest } from "./write.ts";

/** What decides a run besides the contents of files. */
export interface Decisions {
  readonly spec: string;
  readonly out: string;
  readonly lenient: boolean;
  readonly docs: boolean;
  readonly waivers?: string | undefined;
}

interface Remembered {
  /** The folder of the output. */
  readonly out: string;
  readonly generator: string;
  /** By path, the SHA-256 of each file that was read; null where there was none. */
  readonly inputs: Readonly<Record<string, string | null>>;
  readonly outputs: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = join(root, "node_modules/.cache/generate");

export class RunRecord {
  readonly #file: string;
  readonly #out: string;
  readonly #generator: string | undefined;

  private constructor({ spec, out, lenient, docs, waivers }: Decisions, generator: string | undefined) {
    this.#out = resolve(out);
    this.#generator = generator;
    const decisions = [
      resolve(spec),
      this.#out,
      lenient,
      docs,
      waivers === undefined ? null : resolve(waivers),
    ];
    this.#file = join(folder, `${hash("sha256", JSON.stringify(decisions))}.json`);
  }

  /** To be called before a run loads any more of the generator: what it runs on is looked at here. */
  static async of(decisions: Decisions): Promise<RunRecord> {
    return new RunRecord(decisions, await generatorDigest());
  }

  /** True only where a run would read the same, by the same code, and find its output already there. */
  async isStillTrue(): Promise<boolean> {
    const remembered = await rememberedIn(this.#file);
    if (remembered === undefined || remembered.generator !== this.#generator) return false;
    const { inputs, outputs } = remembered;
    const checks = [
      ...Object.entries(inputs).map(async ([path, digest]) => (await digestOf(path)) === digest),
      ...Object.entries(outputs).map(
        async ([name, digest]) => (await digestOf(join(this.#out, name))) === digest,
      ),
    ];
    return (await Promise.all(checks)).every(Boolean);
  }

  /** @param inputs by absolute path, the SHA-256 of what was read; undefined where there was nothing to be read */
  async keep(inputs: ReadonlyMap<string, string | undefined>, files: GeneratedFiles): Promise<void> {
    if (this.#generator === undefined) return;
    const remembered: Remembered = {
      out: this.#out,
      generator: this.#generator,
      inputs: Object.fromEntries([...inputs].map(([path, digest]) => [path, digest ?? null])),
      outputs: Object.fromEntries(
        [...withManifest(files)].map(([name, text]) => [name, hash("sha256", text)]),
      ),
    };
    try {
      await mkdir(folder, { recursive: true });
      await forgetOutputsGone();
      const temporary = `${this.#file}.${process.pid}`;
      await writeFile(temporary, JSON.stringify(remembered));
      await rename(temporary, this.#file);
    } catch {
      // The next run is one in full, and nothing else is lost.
    }
  }
}

/** Undefined where it cannot be told which packages are installed, so that no run is like another. */
async function generatorDigest(): Promise<string | undefined> {
  try {
    // What npm writes of the packages as it installed them, with their versions and checksums.
    const packages = await digestOf(join(root, "node_modules/.package-lock.json"));
    if (packages === null) return undefined;
    const sources = globSync("scripts/generate{.ts,/**/*.{ts,js}}", { cwd: root }).toSorted();
    const digests = await Promise.all(sources.map(async (name) => [name, await digestOf(join(root, name))]));
    return hash("sha256", JSON.stringify([process.version, packages, digests]));
  } catch {
    return undefined;
  }
}

/** The SHA-256 of a file, or null where there is none that can be read. */
async function digestOf(path: string): Promise<string | null> {
  try {
    return hash("sha256", await readFile(path));
  } catch {
    return null;
  }
}

async function forgetOutputsGone(): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const remembered = await rememberedIn(file);
    const isGone = remembered === undefined || !(await stat(remembered.out).catch(() => undefined));
    if (isGone) await rm(file, { force: true });
  }
}

async function rememberedIn(file: string): Promise<Remembered | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined;
  }
}
