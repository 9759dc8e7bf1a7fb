/** Runs the suite with the whole generator. Each schema is a component of an OpenAPI document. */
import { expect, test } from "vitest";
import { countedIn, documentedCounts } from "./testing/counts.ts";
import { exceptions } from "./testing/exceptions.ts";
import { generatorOutcomes, type Outcome, suiteFiles } from "./testing/outcomes.ts";

const outcomes = new Map<string, Outcome[]>();
for (const file of suiteFiles) outcomes.set(file, await generatorOutcomes(file));

test.each(suiteFiles)(
  "%s: generated validators have the results that the suite expects, except in the listed cases",
  (file) => {
    const found = outcomes
      .get(file)
      ?.filter(({ rejected, wrong }) => rejected.length > 0 || wrong.length > 0);
    const listed = exceptions
      .filter((each) => each.file === file)
      .map(({ rejectedByGenerator, rejected, ...each }) => ({
        ...each,
        rejected: rejectedByGenerator ?? rejected,
      }));
    expect(found?.map(resultOf).toSorted()).toEqual(listed.map(resultOf).toSorted());
  },
);

interface Result {
  group: string;
  rejected?: readonly string[] | undefined;
  wrong?: readonly string[];
}

/** If a schema is rejected, the results of its cases are ignored. */
function resultOf({ group, rejected = [], wrong = [] }: Result): string {
  return `${group}: ${rejected.length > 0 ? `rejected by ${rejected.toSorted()}` : wrong}`;
}

test("docs/generator.md has the current numbers of the generator", async () => {
  expect(await documentedCounts("generator")).toEqual(countedIn(outcomes));
});
