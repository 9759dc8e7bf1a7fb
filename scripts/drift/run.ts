/** Runs the trials of mutants side by side, each in a copy of the tree, once it is known that the tree itself passes. */
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Copy, type Tree } from "./copies.ts";
import { gatesOf, splitAtTests } from "./gates.ts";
import { Keeper } from "./keeper.ts";
import type { Mutant } from "./mutant.ts";
import { Reach } from "./reach.ts";
import { specFile } from "./spec-mutants.ts";
import { SpecText } from "./spec-text.ts";
import { TestOrder } from "./test-order.ts";
import { BaselineError, Trial, type Trials, type Verdict } from "./trial.ts";
import { Verdicts } from "./verdicts.ts";

export interface RunOptions {
  /** How many copies are worked in at once. */
  readonly jobs: number;
  readonly resumes: boolean;
  readonly onStage: (text: string) => void;
  readonly onVerdict: (mutant: Mutant, verdict: Verdict, done: Done) => void;
}

export interface Done {
  readonly count: number;
  readonly all: number;
  readonly secondsLeft: number;
}

const baselineLimitMs = 20 * 60_000;

/**
 * The verdicts in the order of the mutants.
 *
 * @param keep told of the keeper before anything runs, to end it where the run is interrupted
 * @throws BaselineError
 */
export async function run(
  tree: Tree,
  mutants: readonly Mutant[],
  { jobs, resumes, onStage, onVerdict }: RunOptions,
  keep: (keeper: Keeper) => void,
): Promise<Verdict[]> {
  const verdicts = await Verdicts.of(tree, resumes);
  const pending = mutants.filter(({ id }) => verdicts.get(id) === undefined);
  if (pending.length > 0) {
    const keeper = await Keeper.start();
    keep(keeper);
    try {
      await runPending();
    } finally {
      await keeper.end();
    }

    async function runPending(): Promise<void> {
      onStage("copying the tree");
      const copies: Copy[] = [];
      for (let index = 0; index < Math.min(jobs, pending.length); index += 1) {
        const folder = join(keeper.folder, String(index));
        await mkdir(folder);
        copies.push(await Copy.make(tree, folder));
      }
      const [first] = copies;
      if (first === undefined) return;
      const processors = availableParallelism();
      const alone: Trials = {
        keeper,
        ...splitAtTests(gatesOf(tree.root)),
        order: undefined,
        testers: processors,
        limitMs: baselineLimitMs,
      };
      onStage("putting the unchanged tree before the gates");
      const baseline = (await verdicts.baseline()) ?? (await new Trial(alone, first).baseline());
      await verdicts.keepBaseline(baseline);
      const reach = new Reach(tree.files, (file) => readFileSync(join(tree.root, file), "utf8"));
      const trials: Trials = {
        ...alone,
        testers: Math.max(1, Math.floor(processors / copies.length)),
        order: new TestOrder(baseline.seconds, reach),
        limitMs: Math.max(
          120_000,
          5000 * Object.values(baseline.seconds).reduce((sum, each) => sum + each, 0),
        ),
      };
      const queue = [...pending];
      const started = performance.now();
      let count = 0;
      if (pending.some(({ kind }) => kind === "spec") && verdicts.get(raisedVersionId) === undefined)
        queue.unshift(raisedVersion(tree));
      const work = async (copy: Copy): Promise<void> => {
        for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
          const verdict = await new Trial(trials, copy, mutant).verdict();
          const isRaised = mutant.id === raisedVersionId;
          if (isRaised && verdict.kill !== null)
            throw new BaselineError(
              `the spec with nothing but a higher version does not pass ${verdict.kill.gate}: ${verdict.kill.said}`,
            );
          await verdicts.keep(verdict);
          if (isRaised) continue;
          count += 1;
          const perMutant = (performance.now() - started) / 1000 / count;
          onVerdict(mutant, verdict, {
            count,
            all: pending.length,
            secondsLeft: perMutant * (pending.length - count),
          });
        }
      };
      await Promise.all(copies.map(work));
    }
  }
  return mutants.flatMap(({ id }) => verdicts.get(id) ?? []);
}

const raisedVersionId = "spec:raise-version:/info/version";

/** Each verdict on the spec may rest on a raised version, so the raising alone has to pass. */
function raisedVersion({ root }: Tree): Mutant {
  const spec = new SpecText(readFileSync(join(root, specFile), "utf8"));
  return {
    id: raisedVersionId,
    kind: "spec",
    operator: "raise-version",
    title: "a higher version and nothing else",
    file: specFile,
    text: spec.with(spec.replaced("/info/version", "99.0.0")),
  };
}
