/** Applies one change at a time to a copy of the tree, and reports which gate of `npm test` fails because of it. */
import { DriftError } from "./lab/drift/mutant.ts";
import { randomDrift } from "./lab/drift/random-run.ts";
import { drift } from "./lab/drift/run-drift.ts";
import {
  action,
  collectText,
  createCommand,
  parseSeed,
  runProgram,
  wholeNumber,
} from "./toolkit/commands/command-line.ts";

interface Options {
  readonly mutant: readonly string[];
  readonly sample: number | undefined;
  readonly list: boolean;
  readonly random: number | undefined;
  readonly seed: number;
  readonly record: string;
}

async function main({ sample, random, seed, record, ...others }: Options): Promise<number> {
  try {
    return await (random === undefined
      ? drift({ ...others, sample })
      : randomDrift({ ...others, count: random, seed, record }));
  } catch (error) {
    if (!(error instanceof DriftError)) throw error;
    process.stderr.write(`${error.message}\nNothing was measured.\n`);
    return 1;
  }
}

const command = createCommand(
  "npm run drift --",
  `Makes one change at a time to a copy of the tree, and reports which gate of \`npm test\` detects each change.

A run without --mutant, --sample and --random takes hours and writes docs/drift.md. No other file of the checkout changes.`,
  "0 every change is detected; 1 some changes are not detected, or nothing could be measured; 2 wrong usage.",
)
  .option("--mutant <ID>", "only this change; repeat it to try more", collectText, [])
  .option("--sample <N>", "only N changes, evenly distributed over the list", wholeNumber(1, 999_999))
  .option("--list", "only print the list of changes", false)
  .option(
    "--random <N>",
    "instead of the list, which changes the spec, N random changes of server and client, chosen by --seed",
    wholeNumber(1, 999_999),
  )
  .option("--seed <N>", "chooses other random changes", parseSeed, 1)
  .option(
    "--record <FILE>",
    "with --random: the results, as JSON. A run that was cut continues with the changes that it has not tried. With --mutant ID, it tries only that change again",
    "coverage/drift.json",
  )
  .action(action(main));

if (import.meta.main) await runProgram(command);
