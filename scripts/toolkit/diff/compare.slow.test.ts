/** Checks the verdict that includes TypeScript, with the same table of changes as wire.test.ts. */
import { describe, expect, test } from "vitest";
import { compare } from "./compare.ts";
import { cases } from "./testing/cases.ts";
import { specOf } from "./testing/spec.ts";

/** Changes that break only callers' TypeScript, because names or types differ. */
const typesAlone = new Set([
  "response: writeOnly is removed",
  "a component is renamed",
  "a component is inlined",
  "operationId, which is not on the wire, changes",
  "the letter case of a header changes",
  "a media type becomes a range",
  "the letter case of a media type changes",
  "a response gets a body",
  "an error status is removed",
  "an error status becomes a range",
  "a path parameter is renamed",
  "a range becomes two statuses",
  "response: allOf that allows nothing, narrowed",
  "the media type's character set changes",
  "a success status becomes a range",
]);
// If the wire verdict is major, the whole verdict is major too.
const compatible = cases.filter(([, , , expected]) => expected !== "major");

describe("the whole verdict", () => {
  test.each(compatible)("%s", async (title, old, now, expected) => {
    const { impact, typeBreaks } = await compare(specOf(old, "old.json"), specOf(now, "new.json"));
    const whole = typesAlone.has(title) ? "major" : expected;
    expect(impact, JSON.stringify(typeBreaks, null, 1)).toBe(whole);
  });

  test("has a change in the table for each exception of this file", () => {
    const titles = new Set(compatible.map(([title]) => title));
    expect([...typesAlone].filter((title) => !titles.has(title))).toEqual([]);
  });
});
