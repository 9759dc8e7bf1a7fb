/** Runs the trials of mutants side by side, each in a copy of the tree, once it is known that the tree itself passes. */
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Copy, type Tree, UnmeasurableTreeError } from "./copies.ts";
import { gatesOf, splitAtTests } from "./gates.ts";
import { Keeper } from "./keeper.ts";
import type { Mutant } from "./mutant.ts";
import { Reach } from "./reach.ts";
import { specFile } from "./spec-mutants.ts";
import { SpecText } from "./spec-text.ts";
import { TestOrder } from "./test-order.ts";
import { Trial, type Trials, type Verdict } from "./trial.ts";
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

const baselineLimitMs = 30 * 60_000;
/** A gate that takes longer than all tests together five times over, but at least this long, hangs. */
const shortestLimitMs = 120_000;

/**
 * The verdicts in the order of the mutants.
 *
 * @param keep told of the keeper before anything runs, to end it where the run is interrupted
 * @throws UnmeasurableTreeError
 */
export async function run(
  tree: Tree,
  mutants: readonly Mutant[],
  options: RunOptions,
  keep: (keeper: Keeper) => void,
): Promise<Verdict[]> {
  const verdicts = await Verdicts.of(tree, options.resumes);
  const pending = mutants.filter(({ id }) => verdicts.get(id) === undefined);
  if (pending.length > 0) {
    const keeper = await Keeper.start();
    keep(keeper);
    try {
      await judge(tree, pending, options, keeper, verdicts);
    } finally {
      await keeper.end();
    }
  }
  return mutants.flatMap(({ id }) => verdicts.get(id) ?? []);
}

async function judge(
  tree: Tree,
  pending: readonly Mutant[],
  { jobs, onStage, onVerdict }: RunOptions,
  keeper: Keeper,
  verdicts: Verdicts,
): Promise<void> {
  onStage("copying the tree");
  const copies = await copiesOf(tree, keeper.folder, Math.min(jobs, pending.length));
  onStage("putting the unchanged tree before the gates");
  const trials = await trialsAfterBaseline(tree, copies, keeper, verdicts);
  const queue = [...pending];
  if (pending.some(({ kind }) => kind === "spec") && verdicts.get(raisedVersionId) === undefined)
    queue.unshift(raisedVersion(tree));
  const started = performance.now();
  let count = 0;
  const work = async (copy: Copy): Promise<void> => {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const verdict = await new Trial(trials, copy, mutant).verdict();
      if (mutant.id === raisedVersionId) assertPasses(verdict);
      await verdicts.keep(verdict);
      if (mutant.id === raisedVersionId) continue;
      count += 1;
      const secondsEach = (performance.now() - started) / 1000 / count;
      const secondsLeft = secondsEach * (pending.length - count);
      onVerdict(mutant, verdict, { count, all: pending.length, secondsLeft });
    }
  };
  await Promise.all(copies.map(work));
}

async function copiesOf(tree: Tree, folder: string, count: number): Promise<Copy[]> {
  const copies: Copy[] = [];
  for (let index = 0; index < count; index += 1) {
    const own = join(folder, String(index));
    await mkdir(own);
    copies.push(await Copy.make(tree, own));
  }
  return copies;
}

/** What is needed for trials, once the unchanged tree has passed in a copy, which has all processors for that. */
async function trialsAfterBaseline(
  tree: Tree,
  copies: readonly Copy[],
  keeper: Keeper,
  verdicts: Verdicts,
): Promise<Trials> {
  const processors = availableParallelism();
  const alone: Trials = {
    keeper,
    ...splitAtTests(gatesOf(tree.root)),
    order: undefined,
    showing: [],
    testers: processors,
    limitMs: baselineLimitMs,
  };
  const [copy] = copies;
  if (copy === undefined) return alone;
  const baseline = (await verdicts.baseline()) ?? (await new Trial(alone, copy).baseline());
  await verdicts.keepBaseline(baseline);
  const reach = new Reach(tree.files, (file) => readFileSync(join(tree.root, file), "utf8"));
  const allSeconds = Object.values(baseline.seconds).reduce((sum, each) => sum + each, 0);
  return {
    ...alone,
    showing: baseline.showing,
    testers: Math.max(1, Math.floor(processors / copies.length)),
    order: new TestOrder(baseline.seconds, reach),
    limitMs: Math.max(shortestLimitMs, 5000 * allSeconds),
  };
}

/** Each verdict on the spec may rest on a raised version, so the raising alone has to pass. */
function assertPasses({ kill }: Verdict): void {
  if (kill !== null)
    throw new UnmeasurableTreeError(
      `the spec with nothing but a higher version does not pass ${kill.gate}: ${kill.said}`,
    );
}

const raisedVersionId = "spec:raise-version:/info/version";

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
