/** Tries mutants in a copy of the tree. Before that, all gates must pass on the unchanged tree. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Copy, type Tree } from "./copies.ts";
import { DriftError, type Mutant } from "./mutant.ts";
import { killAll } from "./processes.ts";
import { assertPasses, type Kill, killOf } from "./trial.ts";

export interface TriedMutant {
  readonly mutant: Mutant;
  readonly kill: Kill | undefined;
}

/**
 * @param control a mutant that must pass, because others include its change
 * @throws DriftError if the unchanged tree or the control does not pass
 */
export async function run(
  tree: Tree,
  mutants: readonly Mutant[],
  control: Mutant | undefined,
  onTried: (tried: TriedMutant) => void,
): Promise<TriedMutant[]> {
  using work = workFolder();
  const copy = await Copy.make(tree, work.folder);
  await assertPasses(copy);
  const kill = control && (await killOf(control, copy));
  if (kill !== undefined)
    throw new DriftError(`${control?.title} does not pass ${kill.gate}: ${kill.reason}`);
  const tried: TriedMutant[] = [];
  for (const mutant of mutants) {
    const result = { mutant, kill: await killOf(mutant, copy) };
    tried.push(result);
    onTried(result);
  }
  return tried;
}

/** Ctrl-C also removes the folder and ends all processes in it. */
function workFolder(): Disposable & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "drift-"));
  // Other users may read the folder, because PostgreSQL runs as another user if the tests run as root.
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
