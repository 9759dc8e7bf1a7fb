/** Runs the suite with the whole generator. Each schema is a component of an OpenAPI document. */
import { expect, test } from "vitest";
import { countedIn, documentedCounts } from "./testing/counts.ts";
import { foundExceptions, listedExceptions } from "./testing/exceptions.ts";
import { generatorOutcomes, type Outcome, suiteFiles } from "./testing/outcomes.ts";

const outcomes = new Map<string, Outcome[]>();
for (const file of suiteFiles) outcomes.set(file, await generatorOutcomes(file));

test.each(suiteFiles)(
  "%s: generated validators have the results that the suite expects, except in the listed cases",
  (file) => {
    expect(foundExceptions(outcomes.get(file))).toEqual(listedExceptions(file));
  },
);

test("docs/generator.md has the current numbers of the generator", async () => {
  expect(await documentedCounts()).toEqual(countedIn(outcomes));
});
