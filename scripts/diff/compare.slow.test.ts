/** Checks the TypeScript verdict too, with the same table of changes as wire.test.ts. */
import { describe, expect, test } from "vitest";
import { compare } from "./compare.ts";
import { cases } from "./testing/cases.ts";
import { specOf } from "./testing/spec.ts";

/** Changes that only a compiler notices: other names, and types that do not fit. */
const typesAlone = new Set([
  "response: writeOnly is removed",
  "a component is renamed",
  "a component is written in place",
  "another operationId, which is not on the wire",
  "a header parameter in other letter case",
  "a media type becomes a range",
  "a media type in other letter case",
  "a response gets a body",
  "a failure is removed",
  "a status becomes a range",
  "a path parameter has another name",
  "a range becomes two statuses",
  "request: additionalProperties that allows nothing, widened",
  "response: additionalProperties that allows nothing, narrowed",
  "response: allOf that allows nothing, narrowed",
  "the media type's character set",
  "success becomes any success",
]);
// A major wire verdict stays major with any TypeScript verdict.
const compatible = cases.filter(({ expected }) => expected !== "major");

describe("the whole verdict", () => {
  test.each(compatible)("$title: $expected on the wire", async ({ title, old, now, expected }) => {
    const { impact, typeBreaks } = await compare(specOf(old, "old.json"), specOf(now, "new.json"));
    const whole = typesAlone.has(title) ? "major" : expected;
    expect(impact, JSON.stringify(typeBreaks, null, 1)).toBe(whole);
  });

  test("is worse than the verdict of the wire only for changes of the table", () => {
    const titles = new Set(compatible.map(({ title }) => title));
    expect([...typesAlone].filter((title) => !titles.has(title))).toEqual([]);
  });
});
