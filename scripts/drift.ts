/** Applies one change at a time to a copy of the tree, and reports which gate of `npm test` fails because of it. */
import { DriftError } from "./lab/drift/mutant.ts";
import { randomDrift } from "./lab/drift/random-run.ts";
import { drift } from "./lab/drift/run-drift.ts";
import { runProgram, seedIn, UsageError } from "./toolkit/command.ts";

const help = `Makes one change at a time to a copy of the tree, and reports which gate of \`npm test\` detects each change.

Usage: npm run drift [-- OPTIONS]

  --mutant ID     only this change; repeat it to try more
  --sample N      only N changes, evenly distributed over the list
  --list          only print the list of changes
  --random N      instead of the list, which changes the spec, N random changes of server and client, chosen by --seed
                  (1 by default)
  --record FILE   with --random: the results, as JSON. A run that was cut continues with the changes that it has not
                  tried. With --mutant ID, it tries only that change again
  --help          this text

A run without --mutant, --sample and --random takes hours and writes docs/drift.md. No other file of the checkout changes.

Exit status: 0 every change is detected; 1 some changes are not detected, or nothing could be measured; 2 wrong usage.
`;

async function main(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
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

if (import.meta.main)
  await runProgram({
    name: "npm run drift --",
    help,
    options: {
      mutant: { type: "string", multiple: true, default: [] },
      sample: { type: "string" },
      list: { type: "boolean", default: false },
      random: { type: "string" },
      seed: { type: "string", default: "1" },
      record: { type: "string", default: "coverage/drift.json" },
    },
    run: ({ sample, random, seed, record, ...others }) =>
      main(() =>
        random === undefined
          ? drift({
              ...others,
              sample: sample === undefined ? undefined : countOf("sample", sample),
            })
          : randomDrift({ ...others, count: countOf("random", random), seed: seedIn(seed), record }),
      ),
  });
