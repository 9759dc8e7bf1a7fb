import document from "../generated/openapi.json" with { type: "json" };
import { action, createCommand, runProgram } from "./toolkit/commands/command-line.ts";
import { Coverage } from "./toolkit/coverage/cells.ts";
import { readRecord } from "./toolkit/coverage/record.ts";
import { summarise } from "./toolkit/coverage/summary.ts";

const description = `Reports how much of the spec the last run of the tests has covered. Lists what no test covers: each status and error code,
each method of a twin, each parameter that no handler read, and each declared property and header that no response had. It
is part of \`npm test\`.`;

async function main(): Promise<number> {
  const recorded = readRecord();
  if (recorded === undefined || !recorded.isCurrent) {
    const why =
      recorded === undefined
        ? "no complete run of the tests is recorded"
        : "the tests were run with another spec";
    console.error(`contract coverage: ${why}; run \`npm test\``);
    return 1;
  }
  const { lines, untested } = summarise(new Coverage(document).cells(), recorded.cells);
  console.log(lines.join("\n"));
  return untested.length === 0 ? 0 : 1;
}

const command = createCommand(
  "npm run coverage:contract --",
  description,
  "0 everything is covered, 1 something is not, or no complete run of the tests is recorded, 2 wrong usage.",
).action(action(main));

if (import.meta.main) await runProgram(command);
