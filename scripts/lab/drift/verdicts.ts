/** Keeps verdicts as they come, so that a run that was interrupted is gone on with; those of another tree are forgotten. */
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Tree } from "./copies.ts";
import type { Baseline, Verdict } from "./trial.ts";

export class Verdicts {
  readonly #file: string;
  readonly #baselineFile: string;
  readonly #known = new Map<string, Verdict>();

  private constructor(base: string) {
    this.#file = `${base}.jsonl`;
    this.#baselineFile = `${base}.json`;
  }

  /** @param resumes whether what an earlier run found of the same tree still counts */
  static async of({ root, digest }: Tree, resumes: boolean): Promise<Verdicts> {
    const folder = join(root, "node_modules/.cache/drift");
    await mkdir(folder, { recursive: true });
    const verdicts = new Verdicts(join(folder, digest));
    for (const name of await readdir(folder)) if (!name.startsWith(digest)) await rm(join(folder, name));
    if (!resumes) await rm(verdicts.#file, { force: true });
    const text = await readFile(verdicts.#file, "utf8").catch(() => "");
    for (const line of text.split("\n")) {
      // The last line may have been cut off.
      if (!line.endsWith("}")) continue;
      const verdict: Verdict = JSON.parse(line);
      verdicts.#known.set(verdict.id, verdict);
    }
    return verdicts;
  }

  get(id: string): Verdict | undefined {
    return this.#known.get(id);
  }

  /** What is known of the tree without a change, also from a run that is not gone on with. */
  async baseline(): Promise<Baseline | undefined> {
    const text = await readFile(this.#baselineFile, "utf8").catch(() => undefined);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async keepBaseline(baseline: Baseline): Promise<void> {
    const temporary = `${this.#baselineFile}.${process.pid}`;
    await writeFile(temporary, JSON.stringify(baseline));
    await rename(temporary, this.#baselineFile);
  }

  async keep(verdict: Verdict): Promise<void> {
    this.#known.set(verdict.id, verdict);
    await appendFile(this.#file, `${JSON.stringify(verdict)}\n`);
  }
}
