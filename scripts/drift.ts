/** Measures how surely drift is noticed: changes the tree in one place at a time, and tells which gate refuses it. */
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram, UsageError } from "./command.ts";
import { treeAt, UnmeasurableTreeError } from "./lab/drift/copies.ts";
import { explanationsIn, faultsOf } from "./lab/drift/explanations.ts";
import { gatesOf } from "./lab/drift/gates.ts";
import type { Keeper } from "./lab/drift/keeper.ts";
import { chosen, type Group, type Kind, kinds, type Mutant } from "./lab/drift/mutant.ts";
import { groupsOf, sampled, sourcesOf } from "./lab/drift/mutants.ts";
import { jsonReport, judgedOf, markdownReport, terminalReport, unexplained } from "./lab/drift/report.ts";
import { run } from "./lab/drift/run.ts";
import { SpecTextError } from "./lab/drift/spec-text.ts";
import type { Verdict } from "./lab/drift/trial.ts";
import { WrittenChangesError } from "./lab/drift/written-mutants.ts";

const help = `Measures how surely drift is noticed: changes the tree in one place at a time, in copies of it, and tells which gate of
\`npm test\` refuses each change.

Usage: npm run drift [-- OPTIONS]

  --only KIND   changes of the ${kinds.join(", ")} alone; may be repeated
  --mutant ID   this change alone; may be repeated
  --sample N    N changes of each kind, of each operator in turn (50)
  --every       every bound, field and check that can be changed, which takes many hours
  --resume      go on with what an earlier run found of the same tree
  --jobs N      copies that are worked in at once    (one for each processor)
  --list        show the changes and run none
  --json        what was found as one JSON object
  --help        this text

A run without --only, --mutant and --sample writes docs/drift.md. The checkout is changed in nothing else, however a run ends.

130 is the status of an interrupted run.

Exit status: 0 all is refused or explained, 1 something is not, or the tree itself does not pass, 2 wrong usage.
`;

interface Options {
  readonly only: readonly Kind[];
  readonly mutant: readonly string[];
  readonly sample: number | undefined;
  readonly every: boolean;
  readonly resume: boolean;
  readonly jobs: number;
  readonly list: boolean;
  readonly json: boolean;
}

/** Of each kind. */
const defaultSample = 50;
const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** @returns the exit status */
async function main(options: Options): Promise<number> {
  try {
    const groups = groupsOf(sourcesOf(root));
    const all = groups.flatMap((group) => group.mutants);
    const unknown = options.mutant.filter((id) => !all.some((mutant) => mutant.id === id));
    if (unknown.length > 0)
      throw new UsageError(`there is no change ${unknown.join(", ")}, --list --every shows all`);
    const selected = select(groups, options);
    if (options.list) {
      process.stdout.write(selected.map(({ id, title }) => `${id}\n  ${title}\n`).join(""));
      return 0;
    }
    return report(all, selected, await verdictsOn(selected, options), options);
  } catch (error) {
    const isTold = [SpecTextError, UnmeasurableTreeError, WrittenChangesError].some(
      (kind) => error instanceof kind,
    );
    if (!isTold) throw error;
    process.stderr.write(`${(error as Error).message}\nNothing was measured.\n`);
    return 1;
  }
}

async function report(
  all: readonly Mutant[],
  selected: readonly Mutant[],
  verdicts: readonly Verdict[],
  { json, only, mutant, sample }: Options,
): Promise<number> {
  const explanations = explanationsIn(root);
  const judged = judgedOf(selected, verdicts, explanations);
  const gates = gatesOf(root).map(({ name }) => name);
  process.stdout.write(json ? jsonReport(judged) : terminalReport(judged, gates));
  const isWhole = only.length === 0 && mutant.length === 0 && sample === undefined;
  if (isWhole) await writeFile(join(root, "docs/drift.md"), markdownReport(judged, gates));
  const faults = faultsOf(explanations, all, verdicts);
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return faults.length > 0 || unexplained(judged).length > 0 ? 1 : 0;
}

function kindOf(name: string): Kind {
  const kind = kinds.find((each) => each === name);
  if (kind === undefined) throw new UsageError(`there is no kind ${name}; choose of ${kinds.join(", ")}`);
  return kind;
}

function countOf(option: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--${option} must be a number above 0`);
  return Number(text);
}

function select(groups: readonly Group[], { only, mutant, sample, every }: Options): readonly Mutant[] {
  const isNamed = mutant.length > 0;
  const wanted = groups
    .flatMap((group) => (every || isNamed ? group.mutants : chosen(group)))
    .filter(
      ({ id, kind }) => (only.length === 0 || only.includes(kind)) && (!isNamed || mutant.includes(id)),
    );
  if (sample === undefined && (every || isNamed)) return wanted;
  return sampled(wanted, sample ?? defaultSample);
}

async function verdictsOn(mutants: readonly Mutant[], { jobs, resume }: Options): Promise<Verdict[]> {
  const tree = await treeAt(root);
  let keeper: Keeper | undefined;
  const interrupt = (): void => {
    process.stderr.write("interrupted; --resume goes on from here\n");
    void (keeper?.end() ?? Promise.resolve()).then(() => process.exit(130));
  };
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  return run(
    tree,
    mutants,
    {
      jobs,
      resumes: resume,
      onStage: (text) => process.stderr.write(`${text}\n`),
      onVerdict: ({ id }, { kill, seconds }, { count, all, secondsLeft }) => {
        const outcome = kill === null ? "SURVIVED" : kill.gate;
        const left = `${Math.ceil(secondsLeft / 60)} min left`;
        process.stderr.write(`${count}/${all}  ${outcome.padEnd(15)}  ${id}  ${seconds} s, ${left}\n`);
      },
    },
    (started) => {
      keeper = started;
    },
  );
}

if (import.meta.main)
  await runProgram({
    name: "npm run drift --",
    help,
    options: {
      only: { type: "string", multiple: true, default: [] },
      mutant: { type: "string", multiple: true, default: [] },
      sample: { type: "string" },
      every: { type: "boolean", default: false },
      resume: { type: "boolean", default: false },
      jobs: { type: "string", default: String(availableParallelism()) },
      list: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
    run: ({ only, sample, jobs, ...choices }) =>
      main({
        ...choices,
        only: only.map(kindOf),
        sample: sample === undefined ? undefined : countOf("sample", sample),
        jobs: countOf("jobs", jobs),
      }),
  });
