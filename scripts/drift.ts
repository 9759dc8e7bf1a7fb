/** Applies one change at a time to a copy of the tree, and reports which gate of `npm test` fails because of it. */
import { type DriftOptions, drift } from "./lab/drift/drift.ts";
import { DriftError } from "./lab/drift/drift-error.ts";
import {
  action,
  collectText,
  createCommand,
  parseSeed,
  runProgram,
  wholeNumber,
} from "./toolkit/commands/command-line.ts";

async function main(options: DriftOptions): Promise<number> {
  try {
    return await drift(options);
  } catch (error) {
    if (!(error instanceof DriftError)) throw error;
    process.stderr.write(`${error.message}\nNothing was measured.\n`);
    return 1;
  }
}

const command = createCommand(
  "npm run drift --",
  `Makes one change at a time to a copy of the tree, and reports which stage detects each change. No file of the checkout
changes, except the record. A run with 300 changes takes about an hour.`,
  "0 every change is detected; 1 some changes are not detected, or nothing could be measured; 2 wrong usage.",
)
  .option("--spec", "changes of the spec, instead of server and client", false)
  .option("--count <N>", "the number of random changes", wholeNumber(1, 999_999), 300)
  .option("--seed <N>", "chooses other changes", parseSeed, 1)
  .option("--list", "only print the changes", false)
  .option(
    "--record <FILE>",
    "the results, as JSON. A run that was cut continues with the changes that it has not tried",
    "coverage/drift.json",
  )
  .option(
    "--only <ID>",
    "try only this change, even if the record has its result; repeat it to try more",
    collectText,
    [],
  )
  .action(action(main));

if (import.meta.main) await runProgram(command);
