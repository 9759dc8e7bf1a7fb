import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Copy, filesIn, git } from "./copy.ts";
import { markdownReport, survivors } from "./drift-report.ts";
import { DriftError, type Mutant, sampled } from "./mutant.ts";
import { raisedVersion, specFile, specMutants } from "./spec-mutants.ts";
import { assertPasses, gateNames, killOf, type TriedMutant } from "./trial.ts";

export interface DriftOptions {
  readonly mutant: readonly string[];
  readonly sample: number | undefined;
  readonly list: boolean;
}

const root = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** @returns the exit status. @throws DriftError */
export async function drift(options: DriftOptions): Promise<number> {
  const mutants = selected(specMutants(read(specFile)), options);
  if (options.list) {
    process.stdout.write(mutants.map(({ id, title }) => `${id}\n  ${title}\n`).join(""));
    return 0;
  }
  process.stderr.write("running the gates on the unchanged tree\n");
  let count = 0;
  const files = await filesIn(root);
  const control = raisedVersion(read(specFile));
  const tried = await run(root, files, mutants, control, ({ mutant, kill }) => {
    count += 1;
    const outcome = kill === undefined ? "NOT DETECTED" : `${kill.gate}: ${kill.reason}`;
    process.stderr.write(`${count}/${mutants.length}  ${mutant.id}\n    ${outcome}\n`);
  });
  const report = markdownReport(tried, gateNames, await commit());
  process.stdout.write(report);
  const { mutant, sample } = options;
  if (mutant.length === 0 && sample === undefined) writeFileSync(join(root, "docs/drift.md"), report);
  return survivors(tried).length > 0 ? 1 : 0;
}

function selected(all: readonly Mutant[], { mutant, sample }: DriftOptions): readonly Mutant[] {
  const unknown = mutant.filter((id) => !all.some((each) => each.id === id));
  if (unknown.length > 0) throw new DriftError(`there is no change ${unknown.join(", ")}; --list shows all`);
  if (mutant.length > 0) return all.filter(({ id }) => mutant.includes(id));
  return sample === undefined ? all : sampled(all, sample);
}

/**
 * @param control a mutant that must pass, because others include its change
 * @throws DriftError if the unchanged tree or the control does not pass
 */
export async function run(
  root: string,
  files: readonly string[],
  mutants: readonly Mutant[],
  control: Mutant | undefined,
  onTried: (tried: TriedMutant) => void,
): Promise<TriedMutant[]> {
  using copy = await Copy.make(root, files);
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

async function commit(): Promise<string> {
  const hash = await git(root, "rev-parse", "--short", "HEAD");
  return hash.trim() + ((await git(root, "status", "--porcelain")) === "" ? "" : " with changes");
}
