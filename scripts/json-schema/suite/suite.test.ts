import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { exceptions } from "./testing/exceptions.ts";
import { judgeFile, type Outcome, suiteFiles } from "./testing/outcomes.ts";

const outcomes = new Map<string, Outcome[]>();
for (const file of suiteFiles) outcomes.set(file, await judgeFile(file));

test.each(suiteFiles)("%s: every case is judged as the suite says, but for the named exceptions", (file) => {
  const found = outcomes.get(file)?.filter(({ refused, wrong }) => refused.length > 0 || wrong.length > 0);
  const named = exceptions.filter((exception) => exception.file === file);
  const byGroup = (left: { group: string }, right: { group: string }) =>
    left.group.localeCompare(right.group);
  expect(found?.map(({ group, refused, wrong }) => ({ group, refused, wrong })).sort(byGroup)).toEqual(
    named.map(({ group, refused = [], wrong = [] }) => ({ group, refused, wrong })).sort(byGroup),
  );
});

test("every exception is of a file of the suite and has its reason", () => {
  expect(exceptions.filter(({ file, why }) => !suiteFiles.includes(file) || why === "")).toEqual([]);
});

test("docs/generator.md counts the cases as they are judged", async () => {
  const parts = {
    "what the draft requires": (file: string) => !file.startsWith("optional/"),
    "optional: formats": (file: string) => file.startsWith("optional/format/"),
    "optional: all else": (file: string) =>
      file.startsWith("optional/") && !file.startsWith("optional/format/"),
  };
  const rows = Object.entries(parts).map(([part, holds]) => {
    const all = suiteFiles.filter(holds).flatMap((file) => outcomes.get(file) ?? []);
    const count = (counted: (outcome: Outcome) => number) =>
      all.reduce((sum, outcome) => sum + counted(outcome), 0);
    const right = count(({ cases, refused, wrong }) => (refused.length > 0 ? 0 : cases - wrong.length));
    const waived = count(({ cases, refused, wrong }) => (refused.length > 0 ? cases - wrong.length : 0));
    return `| ${part} | ${count(({ cases }) => cases)} | ${right} | ${waived} | ${count(({ wrong }) => wrong.length)} |`;
  });
  const docs = await readFile("docs/generator.md", "utf8");
  const [, section = ""] = docs.split("## The JSON Schema Test Suite\n");
  const [, table = ""] = section.split("|---|---|---|---|---|\n");
  expect(table.split("\n\n", 1)[0]?.split("\n")).toEqual(rows);
});
