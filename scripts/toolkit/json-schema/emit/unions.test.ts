import { describe, expect, test } from "vitest";
import { compileRoot, type Problem } from "../testing/compiled.ts";

const at = (pointer: string, message: string): Problem => ({ pointer, message });
const here = (message: string) => [at("", message)];
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

const pet = (type: number, own: Record<string, unknown>) => ({
  type: "object",
  required: ["type", ...Object.keys(own)],
  properties: { type: { const: type }, ...own },
  additionalProperties: false,
});

describe("oneOf and anyOf", () => {
  const rules = {
    oneOf: [{ $ref: "#/components/schemas/Fixed" }, { allOf: [{ $ref: "#/components/schemas/Slab" }] }],
  };
  const schemas = { Fixed: pet(1, { fixed: { type: "number" } }), Slab: pet(2, { slab: { type: "array" } }) };

  test("report the problems of the branch that the tag selects, and why a property of another branch is rejected", async () => {
    const { problemsOf } = await compileRoot({ type: "array", items: rules }, schemas);
    expect(
      problemsOf([
        { type: 1, fixed: 1 },
        { type: 2, slab: [] },
      ]),
    ).toEqual([]);
    expect(problemsOf([{ type: 1, slab: [], zzz: 1 }])).toEqual([
      at("/0/fixed", "is required"),
      at("/0/slab", "is not allowed when type is 1"),
      at("/0/zzz", "is not a known property"),
    ]);
    expect(problemsOf([{ slab: 1 }, { type: 3 }, "x"])).toEqual([
      at("/0/type", "is required"),
      at("/1/type", "must be one of 1, 2"),
      at("/2", "must be an object"),
    ]);
  });

  test("report only the problems that all branches share, if the tag is unknown", async () => {
    const { problemsOf } = await compileRoot(
      { oneOf: [1, 2].map((type) => pet(type, { shared: { type: "number" }, [`own${type}`]: true })) },
      {},
    );
    expect(problemsOf({ type: 3, shared: "x", zzz: 1 })).toEqual([
      at("/type", "must be one of 1, 2"),
      at("/shared", "must be a number"),
      at("/zzz", "is not a known property"),
    ]);
    expect(problemsOf({})).toEqual([at("/type", "is required"), at("/shared", "is required")]);
  });

  test("report a property of another branch also if unevaluatedProperties is next to the branches", async () => {
    const open = (type: string, name: string) => ({
      type: "object",
      required: ["type"],
      properties: { type: { const: type }, [name]: true },
    });
    const { problemsOf } = await compileRoot({
      type: "object",
      oneOf: [open("a", "x"), open("b", "y")],
      unevaluatedProperties: false,
    });
    expect(problemsOf({ type: "a", x: 1 })).toEqual([]);
    expect(problemsOf({ type: "a", y: 1, z: 1 })).toEqual([
      at("/y", 'is not allowed when type is "a"'),
      at("/z", "is not a known property"),
    ]);
  });

  test("use a discriminator to select the reported branch, but not to decide whether the value is valid", async () => {
    const open = (needed: string) => ({ type: "object", required: ["kind", needed] });
    const { problemsOf } = await compileRoot(
      {
        oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }],
        discriminator: { propertyName: "kind", mapping: { cat: "Cat", kitten: "#/components/schemas/Cat" } },
      },
      { Cat: open("meow"), Dog: open("bark") },
    );
    expect(problemsOf({ kind: "Dog", meow: 1 })).toEqual([]);
    expect(problemsOf({ kind: "kitten" })).toEqual([at("/meow", "is required")]);
    expect(problemsOf({ kind: "Dog" })).toEqual([at("/bark", "is required")]);
    expect(problemsOf({})).toEqual([at("/kind", "is required")]);
    expect(problemsOf({ kind: 1 })).toEqual([at("/kind", 'must be one of "cat", "kitten", "Dog"')]);
    expect(problemsOf({ kind: "cat", meow: 1, bark: 1 })).toEqual(
      here("must match exactly one of the 2 permitted shapes"),
    );
  });

  test("report the problems of the only branch that accepts the value's type", async () => {
    const { problemsOf } = await compileRoot({
      anyOf: [{ type: "string", minLength: 3 }, { type: "object", required: ["a"] }, { type: "null" }],
    });
    expect(problemsOf("ab")).toEqual(here("must be at least 3 characters"));
    expect(problemsOf({})).toEqual([at("/a", "is required")]);
    expect(problemsOf(1)).toEqual(here("must be a string, an object or null"));
  });
});

test("a value that is nested too deep is rejected, without a stack overflow", async () => {
  const { problemsOf } = await compileRoot({
    type: ["array", "integer"],
    items: { $ref: "#/components/schemas/Root" },
  });
  expect(problemsOf(nested(200))).toEqual([]);
  expect(problemsOf(nested(5000))).toEqual([
    at("/0".repeat(257), "must not be nested more than 256 levels deep"),
  ]);
});
