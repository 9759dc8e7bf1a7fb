import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { codeMutants } from "./code-mutants.ts";
import { treeAt } from "./copies.ts";
import { markdownReport, survivors } from "./drift-report.ts";
import { gateNames } from "./gates.ts";
import { DriftError, type Mutant, sampled, type Target } from "./mutant.ts";
import { run } from "./run-mutants.ts";
import { raisedVersion, specFile, specMutants } from "./spec-mutants.ts";

export interface DriftOptions {
  readonly only: Target | undefined;
  readonly mutant: readonly string[];
  readonly sample: number | undefined;
  readonly list: boolean;
}

const root = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
/** These tests fail for each change of code, because the replaced text no longer exists. */
const isOwnTest = /^scripts\/lab\/drift\/.*\.test\.ts$/;

const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** @returns the exit status. @throws DriftError */
export async function drift(options: DriftOptions): Promise<number> {
  const mutants = selected([...specMutants(read(specFile)), ...codeMutants(read)], options);
  if (options.list) {
    process.stdout.write(mutants.map(({ id, title }) => `${id}\n  ${title}\n`).join(""));
    return 0;
  }
  process.stderr.write("running the gates on the unchanged tree\n");
  let count = 0;
  const { files } = await treeAt(root);
  const tree = { root, files: files.filter((file) => !isOwnTest.test(file)) };
  const control = mutants.some(({ target }) => target === "spec") ? raisedVersion(read(specFile)) : undefined;
  const tried = await run(tree, mutants, control, ({ mutant, kill }) => {
    count += 1;
    const outcome = kill === undefined ? "NOT DETECTED" : `${kill.gate}: ${kill.reason}`;
    process.stderr.write(`${count}/${mutants.length}  ${mutant.id}\n    ${outcome}\n`);
  });
  const report = markdownReport(tried, gateNames, commit());
  process.stdout.write(report);
  const { only, mutant, sample } = options;
  if (only === undefined && mutant.length === 0 && sample === undefined)
    writeFileSync(join(root, "docs/drift.md"), report);
  return survivors(tried).length > 0 ? 1 : 0;
}

function selected(all: readonly Mutant[], { only, mutant, sample }: DriftOptions): readonly Mutant[] {
  const unknown = mutant.filter((id) => !all.some((each) => each.id === id));
  if (unknown.length > 0) throw new DriftError(`there is no change ${unknown.join(", ")}; --list shows all`);
  if (mutant.length > 0) return all.filter(({ id }) => mutant.includes(id));
  const wanted = all.filter(({ target }) => only === undefined || target === only);
  return sample === undefined ? wanted : sampled(wanted, sample);
}

function commit(): string {
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  return git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain") === "" ? "" : " with changes");
}
