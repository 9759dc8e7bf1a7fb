import { describe, expect, test } from "vitest";
import { compileRoot, type Problem } from "./testing/compiled.ts";

const at = (pointer: string, message: string): Problem => ({ pointer, message });
const here = (message: string) => [at("", message)];

interface Case {
  schema: unknown;
  accepts: unknown[];
  rejects: [value: unknown, problems: Problem[]][];
}

const cases: Record<string, Case> = {
  "a boolean schema true": { schema: true, accepts: [1, null, {}], rejects: [] },
  "a boolean schema false": { schema: false, accepts: [], rejects: [[1, here("is not allowed")]] },
  "type string": { schema: { type: "string" }, accepts: ["", "a"], rejects: [[1, here("must be a string")]] },
  "type integer": {
    schema: { type: "integer" },
    accepts: [1, 1.0, -0],
    rejects: [
      [1.5, here("must be an integer")],
      ["1", here("must be an integer")],
    ],
  },
  "integers that JavaScript may have read as others": {
    schema: { type: "integer", minimum: 1 },
    accepts: [1, 2 ** 53 - 1],
    rejects: [
      [JSON.parse("9007199254740993"), here("must be an integer from -9007199254740991 to 9007199254740991")],
      [1e20, here("must be an integer from -9007199254740991 to 9007199254740991")],
    ],
  },
  "such integers among other types": {
    schema: { anyOf: [{ type: ["integer", "null"] }, { type: "string" }] },
    accepts: [1 - 2 ** 53, "9007199254740993", null],
    rejects: [[-(2 ** 53), here("must be an integer, a string or null")]],
  },
  "type number, finite": {
    schema: { type: "number" },
    accepts: [1.5],
    rejects: [
      [Number.NaN, here("must be a number")],
      [Number.POSITIVE_INFINITY, here("must be a number")],
    ],
  },
  "type array": { schema: { type: "array" }, accepts: [[]], rejects: [[{}, here("must be an array")]] },
  "type object": {
    schema: { type: "object" },
    accepts: [{}],
    rejects: [
      [[], here("must be an object")],
      [null, here("must be an object")],
    ],
  },
  "several types": {
    schema: { type: ["null", "string"] },
    accepts: [null, "a"],
    rejects: [[1, here("must be a string or null")]],
  },
  "a wrong type without its consequences": {
    schema: { type: "string", minLength: 3, pattern: "a", enum: ["aaa"] },
    accepts: ["aaa"],
    rejects: [[1, here("must be a string")]],
  },
  const: {
    schema: { const: { a: [1, null] } },
    accepts: [{ a: [1, null] }],
    rejects: [[{ a: [1] }, here('must be {"a":[1,null]}')]],
  },
  enum: { schema: { enum: ["a", "b"] }, accepts: ["b"], rejects: [["c", here('must be one of "a", "b"')]] },
  "an empty enum": { schema: { enum: [] }, accepts: [], rejects: [[1, here("is not allowed")]] },
  "a long enum": {
    schema: { enum: Array.from({ length: 22 }, (_, index) => index) },
    accepts: [0, 21],
    rejects: [
      [22, here(`must be one of ${Array.from({ length: 20 }, (_, index) => index).join(", ")} or 2 more`)],
    ],
  },
  "bounds of numbers": {
    schema: { type: "number", minimum: 0, maximum: 10 },
    accepts: [0, 10],
    rejects: [
      [-1, here("must be at least 0")],
      [11, here("must be at most 10")],
    ],
  },
  "exclusive bounds": {
    schema: { exclusiveMinimum: 0, exclusiveMaximum: 1 },
    accepts: [0.5, "text"],
    rejects: [
      [0, here("must be greater than 0")],
      [1, here("must be less than 1")],
    ],
  },
  "multipleOf of decimals": {
    schema: { type: "number", multipleOf: 0.01 },
    accepts: [0, 0.01, 0.07, 1.13, 19.99, 4.35, -0.29, 1e20, 123456789012345.67],
    rejects: [
      [0.001, here("must be a multiple of 0.01")],
      [19.999, here("must be a multiple of 0.01")],
    ],
  },
  "multipleOf without overflow": {
    schema: { multipleOf: 0.123456789 },
    accepts: [0.246913578],
    rejects: [[1e308, here("must be a multiple of 0.123456789")]],
  },
  "lengths in code points": {
    schema: { type: "string", minLength: 2, maxLength: 3 },
    accepts: ["ab", "💩💩", "💩💩💩"],
    rejects: [
      ["💩", here("must be at least 2 characters")],
      ["abcd", here("must be at most 3 characters")],
    ],
  },
  "minLength 1": { schema: { minLength: 1 }, accepts: ["a", 1], rejects: [["", here("must not be empty")]] },
  pattern: {
    schema: { pattern: "^[0-9]+$" },
    accepts: ["12"],
    rejects: [["1a", here("must match the pattern ^[0-9]+$")]],
  },
  "pattern with slashes, line breaks and letters beyond ASCII": {
    schema: { pattern: "^a/[/]\n\\p{L}$" },
    accepts: ["a//\nä"],
    rejects: [["a", here("must match the pattern ^a/[/]\n\\p{L}$")]],
  },
  "bounds of arrays": {
    schema: { minItems: 2, maxItems: 3 },
    accepts: [[1, 2]],
    rejects: [
      [[1], here("must have at least 2 items")],
      [[1, 2, 3, 4], here("must have at most 3 items")],
    ],
  },
  uniqueItems: {
    schema: { uniqueItems: true },
    accepts: [[1, "1", [1], { a: 1 }, true], Array.from({ length: 99 }, (_, index) => ({ index }))],
    rejects: [
      [[{ a: 1, b: 2 }, 1, { b: 2, a: 1 }], here("must not repeat items 0 and 2")],
      [[...Array.from({ length: 50 }, (_, index) => [index]), [7]], here("must not repeat items 7 and 50")],
      [
        [...Array.from({ length: 50 }, (_, index) => `${index}`), "7"],
        here("must not repeat items 7 and 50"),
      ],
    ],
  },
  "items and prefixItems": {
    schema: { prefixItems: [{ type: "string" }, true], items: { type: "integer" } },
    accepts: [[], ["a"], ["a", null, 1]],
    rejects: [
      [
        [1, 2, "3"],
        [at("/0", "must be a string"), at("/2", "must be an integer")],
      ],
    ],
  },
  contains: {
    schema: { contains: { type: "string" } },
    accepts: [[1, "a"], "text"],
    rejects: [[[], here("must have at least 1 matching item")]],
  },
  "minContains and maxContains": {
    schema: { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    accepts: [[1, 1]],
    rejects: [
      [[1], here("must have at least 2 matching items")],
      [[1, 1, 1, 1], here("must have at most 3 matching items")],
    ],
  },
  "required and properties, every fault": {
    schema: {
      type: "object",
      required: ["a", "b", "x/y~"],
      properties: { b: { type: "string" }, c: { minimum: 1 } },
    },
    accepts: [{ a: 1, b: "", "x/y~": 0 }],
    rejects: [
      [
        { b: 1, c: 0 },
        [
          at("/b", "must be a string"),
          at("/c", "must be at least 1"),
          at("/a", "is required"),
          at("/x~1y~0", "is required"),
        ],
      ],
    ],
  },
  "additionalProperties false": {
    schema: { properties: { a: true }, patternProperties: { "^x-": true }, additionalProperties: false },
    accepts: [{ a: 1, "x-b": 2 }],
    rejects: [
      [{ "a/b": 1, c: 2 }, [at("/a~1b", "is not a known property"), at("/c", "is not a known property")]],
    ],
  },
  "additionalProperties and patternProperties with schemas": {
    schema: { patternProperties: { "^n": { type: "number" } }, additionalProperties: { type: "string" } },
    accepts: [{ n: 1, s: "" }],
    rejects: [[{ n: "", s: 1 }, [at("/n", "must be a number"), at("/s", "must be a string")]]],
  },
  propertyNames: {
    schema: { propertyNames: { pattern: "^[a-z]+$", maxLength: 3 } },
    accepts: [{ abc: 1 }],
    rejects: [
      [
        { ABCD: 1 },
        [
          at("/ABCD", "name must be at most 3 characters"),
          at("/ABCD", "name must match the pattern ^[a-z]+$"),
        ],
      ],
    ],
  },
  "bounds of objects": {
    schema: { minProperties: 1, maxProperties: 2 },
    accepts: [{ a: 1 }],
    rejects: [
      [{}, here("must not be empty")],
      [{ a: 1, b: 2, c: 3 }, here("must have at most 2 properties")],
    ],
  },
  dependentRequired: {
    schema: { dependentRequired: { card: ["address"] } },
    accepts: [{}, { card: 1, address: 2 }],
    rejects: [[{ card: 1 }, [at("/address", "is required when card is present")]]],
  },
  "allOf, each fault once": {
    schema: { allOf: [{ type: "object" }, { type: "object", required: ["a"] }] },
    accepts: [{ a: 1 }],
    rejects: [
      [1, here("must be an object")],
      [{}, [at("/a", "is required")]],
    ],
  },
  "not of a constant": { schema: { not: { const: 3 } }, accepts: [4], rejects: [[3, here("must not be 3")]] },
  "not of a type": {
    schema: { not: { type: "string" } },
    accepts: [1],
    rejects: [["", here("must not be a string")]],
  },
  "not of a required property": {
    schema: { type: "object", not: { required: ["a"] } },
    accepts: [{}],
    rejects: [[{ a: 1 }, [at("/a", "is not allowed")]]],
  },
  "not of a shape": {
    schema: { not: { minimum: 3, maximum: 5 } },
    accepts: [6],
    rejects: [[4, here("must not match the excluded shape")]],
  },
};

describe("a keyword accepts what it should and names exactly what it should not", () => {
  test.each(Object.entries(cases))("%s", async (_, { schema, accepts, rejects }) => {
    const { problemsOf, unenforceable } = await compileRoot(schema);
    expect(unenforceable).toEqual([]);
    for (const value of accepts) expect(problemsOf(value)).toEqual([]);
    for (const [value, problems] of rejects) expect(problemsOf(value)).toEqual(problems);
  });
});
