import { expect, test } from "vitest";
import { countedIn, documentedCounts } from "./testing/counts.ts";
import { foundExceptions, listedExceptions } from "./testing/exceptions.ts";
import { compilerOutcomes, type Outcome, suiteFiles } from "./testing/outcomes.ts";

const outcomes = new Map<string, Outcome[]>();
for (const file of suiteFiles) outcomes.set(file, await compilerOutcomes(file));

test.each(suiteFiles)(
  "%s: the compiler has the results that the suite expects, except in the listed cases",
  (file) => {
    expect(foundExceptions(outcomes.get(file))).toEqual(listedExceptions(file));
  },
);

test("docs/generator.md has the current numbers of the compiler", async () => {
  expect(await documentedCounts()).toEqual(countedIn(outcomes));
});
