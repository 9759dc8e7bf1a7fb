import { expect, test } from "vitest";
import { hintOfGenerate, listOfNotes, listOfProblems, type SpecProblem } from "./spec-problems.ts";

function problems(count: number, message: string, rule?: string): SpecProblem[] {
  return Array.from({ length: count }, (_, index) => ({
    location: `a.yaml:${index + 1}:3`,
    message,
    ...(rule !== undefined && { rule }),
  }));
}

test("equal problems are one line with their places, and those with the most places are first", () => {
  const elsewhere = { location: "more/a.yaml:9:9", message: "two", rule: "r" };
  const given = [...problems(1, "one", "r"), ...problems(2, "two", "r"), elsewhere];
  expect(listOfProblems(given).split("\n")).toEqual([
    "a.yaml:1:3  two (also at 2:3, more/a.yaml:9:9) [r]",
    "a.yaml:1:3  one [r]",
  ]);
  const other = problems(4, "one");
  expect(listOfProblems([...given, ...other]).split("\n")).toEqual([
    "a.yaml:1:3  one (also at 2:3, 3:3, 1 more)",
    "a.yaml:1:3  two (also at 2:3, more/a.yaml:9:9) [r]",
    "a.yaml:1:3  one [r]",
    "8 places: 4 r, 4 cannot be waived. --verbose lists all of them.",
  ]);
  expect(listOfProblems(given, true).split("\n")).toHaveLength(4);
});

test("the way to list all places is named once, and a command without the option names another one", () => {
  const given = problems(4, "one");
  expect(listOfNotes(given, false, [])).toBe(`a.yaml:1:3  one (also at 2:3, 3:3, 1 more)
4 places: 4 cannot be waived. --verbose lists all of them.
Notes: 4 places, listed above. Notes do not stop generation.
`);
  expect(listOfNotes(given, false, given)).toContain("\n4 places: 4 cannot be waived.\n");
  expect(listOfProblems(given, false, hintOfGenerate)).toMatch(
    /\n4 places: 4 cannot be waived\. `generate --verbose` lists all of them\.$/,
  );
});

test("many different problems are grouped by rule", () => {
  const given = Array.from({ length: 31 }, (_, index) => problems(index === 30 ? 2 : 1, `no ${index}`, "r"));
  expect(listOfProblems(given.flat()).split("\n")).toEqual([
    "a.yaml:1:3  no 30 (also at 2:3) [r]",
    "a.yaml:1:3  no 0 [r]",
    "a.yaml:1:3  no 1 [r]",
    "… 28 more [r]",
    "32 places: 32 r. --verbose lists all of them.",
  ]);
});
