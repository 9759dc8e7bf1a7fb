/** Writes the schema by which editors complete and explain the spec. */
import { writeFile } from "node:fs/promises";
import { runProgram } from "./command.ts";

const help = `Writes the schema of OpenAPI 3.1 that editors complete and explain the spec by.

Usage: npm run docs:editor

  --help  this text

The schema is .vscode/openapi.schema.json, made of the types of the Redocly version that is installed.

Exit status: 0 done, 1 the schema cannot be written, 2 wrong usage.
`;

export const schemaFile = ".vscode/openapi.schema.json";

/** The whole text of the schema's file. */
export async function currentSchema(): Promise<string> {
  const { openApiSchema } = await import("./editor/open-api-schema.ts");
  return `${JSON.stringify(openApiSchema(), null, 2)}\n`;
}

/** @returns the exit status */
async function main(): Promise<number> {
  await writeFile(schemaFile, await currentSchema());
  process.stdout.write(`${schemaFile} is what Redocly knows of OpenAPI 3.1; commit it\n`);
  return 0;
}

if (import.meta.main) await runProgram({ name: "npm run docs:editor --", help, options: {}, run: main });
