import { expect, test } from "vitest";
import { countedIn, documentedCounts } from "./testing/counts.ts";
import { exceptions } from "./testing/exceptions.ts";
import { compilerOutcomes, type Outcome, suiteFiles } from "./testing/outcomes.ts";

const outcomes = new Map<string, Outcome[]>();
for (const file of suiteFiles) outcomes.set(file, await compilerOutcomes(file));

test.each(suiteFiles)(
  "%s: the compiler has the results that the suite expects, except in the listed cases",
  (file) => {
    const found = outcomes
      .get(file)
      ?.filter(({ rejected, wrong }) => rejected.length > 0 || wrong.length > 0);
    const listed = exceptions.filter((each) => each.file === file && !each.onlyInGenerator);
    expect(found?.map(({ group, rejected, wrong }) => ({ group, rejected, wrong })).sort(byGroup)).toEqual(
      listed.map(({ group, rejected = [], wrong = [] }) => ({ group, rejected, wrong })).sort(byGroup),
    );
  },
);

function byGroup(left: { group: string }, right: { group: string }): number {
  return left.group.localeCompare(right.group);
}

test("every exception is in a file of the suite and has a reason", () => {
  expect(exceptions.filter(({ file, why }) => !suiteFiles.includes(file) || why === "")).toEqual([]);
});

test("docs/generator.md has the current numbers of the compiler", async () => {
  expect(await documentedCounts("compiler")).toEqual(countedIn(outcomes));
});
