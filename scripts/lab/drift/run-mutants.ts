/** Tries mutants in parallel copies of the tree, after the unchanged tree has passed. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Copy, type Tree } from "./copies.ts";
import { DriftError, type Mutant } from "./mutant.ts";
import { killAll } from "./processes.ts";
import { assertPasses, type Kill, killOf } from "./trial.ts";

export interface TriedMutant {
  readonly mutant: Mutant;
  readonly kill: Kill | undefined;
}

interface RunOptions {
  readonly jobs: number;
  /** A mutant that must pass, because others include its change. */
  readonly control: Mutant | undefined;
  readonly onTried: (tried: TriedMutant) => void;
}

/** @throws DriftError if the unchanged tree or the control does not pass */
export async function run(
  tree: Tree,
  mutants: readonly Mutant[],
  { jobs, control, onTried }: RunOptions,
): Promise<TriedMutant[]> {
  const processors = availableParallelism();
  using work = workFolder();
  const copies: Copy[] = [];
  for (let index = 0; index < Math.min(jobs, mutants.length); index += 1)
    copies.push(await Copy.make(tree, join(work.folder, String(index))));
  const [first] = copies;
  if (first === undefined) return [];
  await assertPasses(first, processors);
  const kill = control && (await killOf(control, first, processors));
  if (kill !== undefined)
    throw new DriftError(`${control?.title} does not pass ${kill.gate}: ${kill.reason}`);
  const workers = Math.max(1, Math.floor(processors / copies.length));
  const queue = mutants.entries();
  const tried: TriedMutant[] = [];
  const trial = async (copy: Copy): Promise<void> => {
    for (const [index, mutant] of queue) {
      const result = { mutant, kill: await killOf(mutant, copy, workers) };
      tried[index] = result;
      onTried(result);
    }
  };
  await Promise.all(copies.map(trial));
  return tried;
}

/** Ctrl-C also removes the folder and ends all processes in it. */
function workFolder(): Disposable & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "drift-"));
  // PostgreSQL runs as another user if the tests run as root.
  chmodSync(folder, 0o755);
  const clean = (): void => {
    killAll();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  const end = (): never => process.exit(130);
  process.once("exit", clean).once("SIGINT", end).once("SIGTERM", end);
  return {
    folder,
    [Symbol.dispose]: () => {
      process.off("exit", clean).off("SIGINT", end).off("SIGTERM", end);
      clean();
    },
  };
}
