/** Writes the page of every operation, docs/client-operations.md. */
import { writeFile } from "node:fs/promises";
import { examplesOf } from "../client/mock/examples.ts";
import { contract } from "../generated/contract.ts";
import document from "../generated/openapi.json" with { type: "json" };
import project from "../package.json" with { type: "json" };
import { operationsPage } from "./client-docs/operations-page.ts";
import { runProgram } from "./command.ts";

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

Exit status: 0 done, 1 the page cannot be written, 2 wrong usage.
`;

if (import.meta.main)
  await runProgram({
    name: "npm run docs:client --",
    help,
    options: {},
    run: async () => {
      await writeFile(pageFile, currentPage());
      process.stdout.write(`${pageFile} is what the spec says; commit it\n`);
      return 0;
    },
  });
