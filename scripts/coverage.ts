import document from "../generated/openapi.json" with { type: "json" };
import { runProgram } from "./toolkit/command.ts";
import { Coverage } from "./toolkit/coverage/cells.ts";
import { readRecord } from "./toolkit/coverage/record.ts";
import { summarise } from "./toolkit/coverage/summary.ts";

const help = `Reports how much of the spec the last run of the tests has covered.

Usage: npm run coverage:contract

  --help  this text

Lists what no test covers: each status and error code, each method of a twin, each parameter that no handler read, and each
declared property and header that no response had. It is part of \`npm test\`.

Exit status: 0 everything is covered, 1 something is not, or no tests have been run, 2 wrong usage.
`;

async function main(): Promise<number> {
  const recorded = readRecord();
  if (recorded === undefined || !recorded.isCurrent) {
    const why = recorded === undefined ? "no tests have been run" : "the tests were run with another spec";
    console.error(`contract coverage: ${why}; run \`npm test\``);
    return 1;
  }
  const { lines, untested } = summarise(new Coverage(document).cells(), recorded.cells);
  console.log(lines.join("\n"));
  return untested.length === 0 ? 0 : 1;
}

if (import.meta.main)
  await runProgram({ name: "npm run coverage:contract --", help, options: {}, run: main });
