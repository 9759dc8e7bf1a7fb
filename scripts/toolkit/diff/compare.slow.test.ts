/** Checks the verdict that includes TypeScript, with the same table of changes as wire.test.ts. */
import { describe, expect, test } from "vitest";
import { compare } from "./compare.ts";
import { cases } from "./testing/cases.ts";
import { specsOf } from "./testing/spec.ts";

/** Changes that break only callers' TypeScript, because names or types differ. */
const typesAlone = new Set([
  "a component is renamed",
  "a component is inlined",
  "operationId, which is not on the wire, changes",
  "the letter case of a header changes",
  "a media type becomes a range",
  "the letter case of a media type changes",
  "an error status is removed",
  "an error status becomes a range",
  "a path parameter is renamed",
  "a range becomes two statuses",
  "response: allOf that allows nothing, narrowed",
  "the media type's character set changes",
  "a success status becomes a range",
  "response: enum or pattern, rewritten",
  "request: `not` twice, rewritten",
  "request: a range or an enum, rewritten",
  "response: a union with common properties, rewritten",
  "request: enum or pattern, rewritten back",
  "response: `not` twice, rewritten back",
  "response: a range or an enum, rewritten back",
  "request: a union with common properties, rewritten back",
  "a stream's itemSchema becomes a list",
  "a stream's list becomes itemSchema",
  "a reusable parameter is inlined",
  "a reusable response is inlined",
  "a query parameter: integer to string",
  "a query parameter: boolean to its two texts",
  "a query parameter: boolean to three texts",
  "a query parameter: texts to integers",
  "a query parameter: string to list",
  "a query parameter: integer to a list of strings",
  "a query parameter: a list of integers to a list of strings",
  "a path parameter: integer to string",
  "a header: integer to string",
  "a cookie: integer to string",
  "a form field: integer to string",
  "a form field: boolean to its two texts",
  "a form field: string to list",
  "a multipart field: integer to string",
  "a response header: string to integer",
  "a property of a deepObject parameter: integer to string",
  "a base path moves from the server into the paths",
  "a base path moves from the paths into the server",
]);
// If the wire verdict is major, the whole verdict is major too.
const compatible = cases.filter(([, , , expected]) => expected !== "major");

describe("the whole verdict", () => {
  test.each(compatible)("%s", async (title, old, now, expected) => {
    const { impact, typeBreaks } = await compare(...(await specsOf(old, now)));
    const whole = typesAlone.has(title) ? "major" : expected;
    expect(impact, JSON.stringify(typeBreaks, null, 1)).toBe(whole);
  });

  test("has a change in the table for each exception of this file", () => {
    const titles = new Set(compatible.map(([title]) => title));
    expect([...typesAlone].filter((title) => !titles.has(title))).toEqual([]);
  });
});
