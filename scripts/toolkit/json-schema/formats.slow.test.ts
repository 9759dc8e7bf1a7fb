import { expect, test } from "vitest";
import { costlyFormatPatterns, timeOf } from "./testing/format-patterns.ts";

test("the time to match the patterns of durations and URI templates grows with the length of the string at most", () => {
  expect(costlyFormatPatterns.map(timeOf)).toEqual(["linear", "linear"]);
});
