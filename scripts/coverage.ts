/**
 * Joins what the last run of the tests has shown of the contract: prints what is tested and names what is not, writes the
 * picture of it, and fails where anything is left.
 */
import { globSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { contract } from "../generated/contract.ts";
import document from "../generated/openapi.json" with { type: "json" };
import { Coverage } from "./coverage/cells.ts";
import { codeAt } from "./coverage/code-at.ts";
import { pageOf } from "./coverage/page.ts";
import { readRecord } from "./coverage/record.ts";
import { summarise } from "./coverage/summary.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pageFile = fileURLToPath(new URL("../coverage/contract.html", import.meta.url));
/** Run apart, by `npm run test:package` and `npm run test:browser`. */
const apart = ["scripts/build/consumers/", "client/browser/"];

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
  const missed = testFiles().filter((file) => !recorded.testFiles.has(file));
  console.log(lines.join("\n"));
  console.log(`picture: ${relative(process.cwd(), pageFile)}`);
  if (missed.length === 0) return untested.length === 0 ? 0 : 1;
  const all = testFiles().length;
  console.log(
    `The last run was of ${all - missed.length} of ${all} test files: \`npm test\` runs all of them.`,
  );
  return untested.length === 0 ? 0 : 1;
}

function testFiles(): string[] {
  return globSync("{server,client,scripts}/**/*.test.ts", { cwd: root }).filter(
    (file) => !apart.some((folder) => file.startsWith(folder)),
  );
}

process.exitCode = await main();
