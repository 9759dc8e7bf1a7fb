/**
 * Joins what the last run of the tests has shown of the contract: prints what is tested and names what is not, writes the
 * picture of it, and fails where anything is left.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { contract } from "../generated/contract.ts";
import document from "../generated/openapi.json" with { type: "json" };
import { runProgram } from "./command.ts";
import { Coverage } from "./coverage/cells.ts";
import { codeAt } from "./coverage/code-at.ts";
import { pageOf } from "./coverage/page.ts";
import { readRecord } from "./coverage/record.ts";
import { summarise } from "./coverage/summary.ts";

const help = `Tells which of all that the spec lets happen the last run of the tests has shown, and draws it.

Usage: npm run coverage:contract

  --help  this text

Names each status, error code, credential and place of a request that no test met, each parameter that no handler looked
at, and each property and header that the spec declares of answers and no answer had. The picture of all of them is
coverage/contract.html. Part of \`npm test\`.

Exit status: 0 all is tested, 1 something is not, or no tests have been run, 2 wrong usage.
`;

const pageFile = fileURLToPath(new URL("../coverage/contract.html", import.meta.url));
/** @returns the exit status */
async function main(): Promise<number> {
  const recorded = readRecord();
  if (recorded === undefined || !recorded.isCurrent) {
    const why = recorded === undefined ? "no tests have been run" : "the tests were run with another spec";
    console.error(`contract coverage: ${why}; run \`npm test\``);
    return 1;
  }
  const matrix = new Coverage(document, contract, codeAt).matrix();
  const { lines, untested } = summarise(matrix, recorded.cells);
  const { title, version } = document.info;
  await mkdir(dirname(pageFile), { recursive: true });
  await writeFile(
    pageFile,
    pageOf(matrix, recorded.cells, { title, version, operations: contract.operations }),
  );
  console.log(lines.join("\n"));
  console.log(`picture: ${relative(process.cwd(), pageFile)}`);
  return untested.length === 0 ? 0 : 1;
}

if (import.meta.main)
  await runProgram({ name: "npm run coverage:contract --", help, options: {}, run: main });
