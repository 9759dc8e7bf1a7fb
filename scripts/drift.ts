/** Applies one change at a time to a copy of the tree, and reports which gate of `npm test` fails because of it. */
import { runProgram, UsageError } from "./command.ts";
import { DriftError, type Target, targets } from "./lab/drift/mutant.ts";
import { type DriftOptions, drift } from "./lab/drift/run-drift.ts";

const help = `Makes one change at a time to a copy of the tree, and reports which gate of \`npm test\` detects each change.

Usage: npm run drift [-- OPTIONS]

  --only TARGET   only changes of: ${targets.join(", ")}
  --mutant ID     only this change; repeat it to try more
  --sample N      only N changes, evenly distributed over the list
  --list          only print the list of changes
  --help          this text

A run without --only, --mutant and --sample takes hours and writes docs/drift.md. No other file of the checkout changes.

Exit status: 0 every change is detected; 1 some changes are not detected, or nothing could be measured; 2 wrong usage.
`;

async function main(options: DriftOptions): Promise<number> {
  try {
    return await drift(options);
  } catch (error) {
    if (!(error instanceof DriftError)) throw error;
    process.stderr.write(`${error.message}\nNothing was measured.\n`);
    return 1;
  }
}

function countOf(option: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new UsageError(`--${option} must be a whole number from 1 to 999999`);
  return Number(text);
}

function targetOf(name: string): Target {
  const target = targets.find((each) => each === name);
  if (target === undefined) throw new UsageError(`--only must be one of: ${targets.join(", ")}`);
  return target;
}

if (import.meta.main)
  await runProgram({
    name: "npm run drift --",
    help,
    options: {
      only: { type: "string" },
      mutant: { type: "string", multiple: true, default: [] },
      sample: { type: "string" },
      list: { type: "boolean", default: false },
    },
    run: ({ only, sample, ...others }) =>
      main({
        ...others,
        only: only === undefined ? undefined : targetOf(only),
        sample: sample === undefined ? undefined : countOf("sample", sample),
      }),
  });
