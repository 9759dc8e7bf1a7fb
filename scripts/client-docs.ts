/** Writes the page of every operation, docs/client-operations.md. */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { contract } from "../generated/contract.ts";
import document from "../generated/openapi.json" with { type: "json" };
import project from "../package.json" with { type: "json" };
import { operationsPage } from "./client-docs/operations-page.ts";
import { messageOf } from "./generate/problems.ts";
import { examplesOf } from "./mock/examples.ts";

export const pageFile = "docs/client-operations.md";

/** The page as the spec has it now. */
export function currentPage(): string {
  return operationsPage({
    document,
    operations: contract.operations,
    examples: examplesOf(document, contract.operations),
    module: `${project.name}/client`,
    baseUrl: "http://127.0.0.1:4010",
  });
}

const help = `Writes the page that shows a call of every operation, ${pageFile}.

Usage: npm run docs:client

Exit status: 0 done, 2 wrong usage.
`;

/** @returns the exit status */
async function main(args: readonly string[]): Promise<number> {
  let wantsHelp: boolean;
  try {
    const { values } = parseArgs({ args: [...args], options: { help: { type: "boolean", default: false } } });
    wantsHelp = values.help;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\nTry: npm run docs:client -- --help\n`);
    return 2;
  }
  if (wantsHelp) {
    process.stdout.write(help);
    return 0;
  }
  await writeFile(pageFile, currentPage());
  process.stdout.write(`${pageFile} is what the spec says; commit it\n`);
  return 0;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
