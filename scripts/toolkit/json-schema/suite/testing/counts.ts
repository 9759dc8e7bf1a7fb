/** Counts cases for the tables in docs/generator.md. */
import { readFile } from "node:fs/promises";
import type { Outcome } from "./outcomes.ts";

const parts: { readonly [part: string]: (file: string) => boolean } = {
  "what the draft requires": (file) => !file.startsWith("optional/"),
  "optional: formats": (file) => file.startsWith("optional/format/"),
  "optional: all else": (file) => file.startsWith("optional/") && !file.startsWith("optional/format/"),
};

/** Returns the rows of a table. @param outcomes keyed by file */
export function countedIn(outcomes: ReadonlyMap<string, readonly Outcome[]>): string[] {
  return Object.entries(parts).map(([part, holds]) => {
    const all = [...outcomes].flatMap(([file, found]) => (holds(file) ? found : []));
    const count = (counted: (outcome: Outcome) => number) =>
      all.reduce((sum, outcome) => sum + counted(outcome), 0);
    const right = count(({ cases, rejected, wrong }) => (rejected.length > 0 ? 0 : cases - wrong.length));
    const waived = count(({ cases, rejected, wrong }) => (rejected.length > 0 ? cases - wrong.length : 0));
    return `| ${part} | ${count(({ cases }) => cases)} | ${right} | ${waived} | ${count(({ wrong }) => wrong.length)} |`;
  });
}

export async function documentedCounts(): Promise<string[]> {
  const docs = await readFile("docs/generator.md", "utf8");
  const [, table = ""] = docs.split(
    "| cases | all | correct | correct if waived | different |\n|---|---|---|---|---|\n",
  );
  return table.split("\n\n", 1)[0]?.split("\n") ?? [];
}
