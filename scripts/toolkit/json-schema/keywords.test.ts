/** Tests the problems of values that a keyword rejects. The official suite tests which values keywords accept. */
import { expect, test } from "vitest";
import { compileRoot } from "./testing/compiled.ts";

const unsafe = "must be an integer from -9007199254740991 to 9007199254740991";
const twenty = Array.from({ length: 20 }, (_, index) => index);

/** One message for the whole value, or one message for each pointer. */
type Problems = string | { readonly [pointer: string]: string };

const cases: readonly [schema: unknown, value: unknown, problems: Problems][] = [
  [false, 1, "is not allowed"],
  [{ type: "integer" }, "1", "must be an integer"],
  [{ type: "integer", minimum: 1 }, JSON.parse("9007199254740993"), unsafe],
  [{ type: "number" }, Number.POSITIVE_INFINITY, "must be a number"],
  [{ type: ["null", "string"] }, 1, "must be a string or null"],
  // If the type is wrong, no other problem is reported.
  [{ type: "string", minLength: 3, pattern: "a", enum: ["aaa"] }, 1, "must be a string"],
  [{ const: { a: [1, null] } }, { a: [1] }, 'must be {"a":[1,null]}'],
  [{ enum: ["a", "b"] }, "c", 'must be one of "a", "b"'],
  [{ enum: [...twenty, 20, 21] }, 22, `must be one of ${twenty.join(", ")} or 2 more`],
  [{ minimum: 0 }, -1, "must be at least 0"],
  [{ maximum: 10 }, 11, "must be at most 10"],
  [{ exclusiveMinimum: 0 }, 0, "must be greater than 0"],
  [{ exclusiveMaximum: 1 }, 1, "must be less than 1"],
  [{ multipleOf: 0.01 }, 19.999, "must be a multiple of 0.01"],
  [{ multipleOf: 0.123456789 }, 1e308, "must be a multiple of 0.123456789"],
  [{ minLength: 2 }, "💩", "must be at least 2 characters"],
  [{ maxLength: 3 }, "abcd", "must be at most 3 characters"],
  [{ minLength: 1 }, "", "must not be empty"],
  [{ pattern: "^a/[/]\n\\p{L}$" }, "a", "must match the pattern ^a/[/]\n\\p{L}$"],
  [{ minItems: 2 }, [1], "must have at least 2 items"],
  [{ maxItems: 3 }, [1, 2, 3, 4], "must have at most 3 items"],
  [{ uniqueItems: true }, [{ a: 1, b: 2 }, 1, { b: 2, a: 1 }], "must not repeat items 0 and 2"],
  [{ contains: { const: 1 }, minContains: 2 }, [1], "must have at least 2 matching items"],
  [{ contains: { const: 1 }, maxContains: 1 }, [1, 1], "must have at most 1 matching item"],
  [
    { required: ["a", "b", "x/y~"], properties: { b: { type: "string" }, c: { minimum: 1 } } },
    { b: 1, c: 0 },
    {
      "/b": "must be a string",
      "/c": "must be at least 1",
      "/a": "is required",
      "/x~1y~0": "is required",
    },
  ],
  [
    { properties: { a: true }, patternProperties: { "^x-": true }, additionalProperties: false },
    { "a/b": 1, c: 2, "x-a": 3 },
    { "/a~1b": "is not a known property", "/c": "is not a known property" },
  ],
  [{ propertyNames: { maxLength: 3 } }, { ABCD: 1 }, { "/ABCD": "name must be at most 3 characters" }],
  [{ minProperties: 1 }, {}, "must not be empty"],
  [{ maxProperties: 2 }, { a: 1, b: 2, c: 3 }, "must have at most 2 properties"],
  [{ dependentRequired: { a: ["b"] } }, { a: 1 }, { "/b": "is required when a is present" }],
  // Equal problems are reported once.
  [{ allOf: [{ type: "object" }, { type: "object", required: ["a"] }] }, 1, "must be an object"],
  [{ not: { const: 3 } }, 3, "must not be 3"],
  [{ not: { type: "string" } }, "", "must not be a string"],
  [{ not: { required: ["a"] } }, { a: 1 }, { "/a": "is not allowed" }],
  [{ not: { minimum: 3, maximum: 5 } }, 4, "must not match the excluded shape"],
  [{ properties: { a: { readOnly: true, not: {} } } }, { a: 1 }, { "/a": "is read-only; leave it out" }],
  [{ properties: { a: { writeOnly: true, not: {} } } }, { a: 1 }, { "/a": "is write-only; leave it out" }],
  [
    { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    {},
    "must match at least one of the 2 permitted shapes",
  ],
  [{ oneOf: [{ minimum: 1 }, { maximum: 3 }] }, 2, "must match exactly one of the 2 permitted shapes"],
  [{ anyOf: [{ type: "null" }, { type: "string" }] }, 1, "must be a string or null"],
  [{ oneOf: [{ const: 1, title: "one" }, { enum: ["a"] }] }, 2, 'must be one of 1, "a"'],
];

test.each(cases)("each problem is reported at its place: %j", async (schema, value, problems) => {
  const { problemsOf, unenforceable } = await compileRoot(schema);
  expect(unenforceable).toEqual([]);
  const messages = Object.entries(typeof problems === "string" ? { "": problems } : problems);
  expect(problemsOf(value)).toEqual(messages.map(([pointer, message]) => ({ pointer, message })));
});

test("multipleOf is exact, without rounding errors of doubles", async () => {
  const { problemsOf } = await compileRoot({ multipleOf: 0.01 });
  const values = [0, 0.01, 0.07, 1.13, 19.99, 4.35, -0.29, 1e20, 123456789012345.67];
  expect(values.filter((value) => problemsOf(value).length > 0)).toEqual([]);
});
