import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openSchema, openValue } from "../generate/testing/open-schemas.ts";
import { compileRoot } from "./testing/compiled.ts";

function withSecret(value: unknown): unknown {
  return { ...Object(value), secret: "s" };
}

describe("project", () => {
  test("copies declared properties at every depth, and does not change the value", async () => {
    const { project } = await compileRoot(
      {
        type: "object",
        properties: {
          a: true,
          list: { items: { $ref: "#/components/schemas/Item" } },
          free: { type: "object" },
        },
        patternProperties: { "^x-": { properties: { y: true } } },
      },
      { Item: { properties: { id: true, items: { items: { $ref: "#/components/schemas/Item" } } } } },
    );
    const value = {
      a: 1,
      secret: 2,
      list: [{ id: 1, secret: 2, items: [{ id: 3, secret: 4 }] }],
      free: { any: 1 },
      "x-b": { y: 1, z: 2 },
    };
    const before = structuredClone(value);
    expect(project(value)).toEqual({
      a: 1,
      list: [{ id: 1, items: [{ id: 3 }] }],
      free: { any: 1 },
      "x-b": { y: 1 },
    });
    expect(value).toEqual(before);
  });

  test("copies the declared parts of properties that additionalProperties allows", async () => {
    const { project } = await compileRoot({
      properties: { a: { properties: {} } },
      additionalProperties: { properties: { b: true } },
    });
    expect(project({ a: { b: 1 }, c: { b: 1, d: 2 } })).toEqual({ a: {}, c: { b: 1 } });
  });

  test("joins the parts of allOf, even inside the same property", async () => {
    const part = (name: string) => ({
      properties: { [name]: true, both: { items: { properties: { [name]: true } } } },
    });
    const { project } = await compileRoot({ allOf: [part("a"), part("b"), { required: ["a"] }] });
    expect(project({ a: 1, b: 2, c: 3, both: [{ a: 1, b: 2, c: 3 }] })).toEqual({
      a: 1,
      b: 2,
      both: [{ a: 1, b: 2 }],
    });
  });

  test("joins the valid branches and ignores the others", async () => {
    const branch = (name: string) => ({
      required: [name],
      properties: { [name]: true, [`${name}Too`]: true },
    });
    const { project } = await compileRoot({ anyOf: [branch("a"), branch("b"), branch("c")] });
    expect(project({ a: 1, b: 1, aToo: 1, cToo: 1 })).toEqual({ a: 1, b: 1, aToo: 1 });
  });

  test("returns an empty object if no branch is valid", async () => {
    const { project } = await compileRoot({ oneOf: [{ required: ["a"], properties: { a: true } }] });
    expect(project({ secret: 1 })).toEqual({});
    const two = await compileRoot({
      oneOf: [
        { type: "object", required: ["t"], properties: { t: { const: 1 } } },
        { type: "object", required: ["t"], properties: { t: { const: 2 } } },
      ],
    });
    expect(two.project({ t: 3, secret: 1 })).toEqual({});
  });

  test("uses `then` if the value matches `if`, and otherwise `else`", async () => {
    const { project } = await compileRoot({
      properties: { kind: true },
      if: { properties: { kind: { const: 1 } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword's own name
      then: { properties: { one: true } },
      else: { properties: { other: true } },
    });
    expect(project({ kind: 1, one: 1, other: 1 })).toEqual({ kind: 1, one: 1 });
    expect(project({ kind: 2, one: 1, other: 1 })).toEqual({ kind: 2, other: 1 });
  });

  test.each<[what: string, schema: Record<string, unknown>, value: unknown]>([
    ["required", { required: ["a", "b"], properties: { a: true } }, { a: 1, b: 2 }],
    [
      "`required` in another part of allOf",
      { allOf: [{ required: ["b"] }, { properties: { a: true } }] },
      { a: 1, b: 2 },
    ],
    ["dependentRequired", { dependentRequired: { a: ["b"] }, properties: { a: true } }, { a: 1, b: 2 }],
    [
      "dependentSchemas",
      { dependentSchemas: { b: { required: ["c"] } }, properties: { a: true } },
      { a: 1, b: 2, c: 3 },
    ],
    [
      "an `if` that the value does not match",
      {
        properties: { a: true },
        if: { properties: { b: { const: 1 } } },
        // biome-ignore lint/suspicious/noThenProperty: the keyword's own name
        then: { required: ["c"] },
      },
      { a: 1, b: 2 },
    ],
    [
      "`then`",
      // biome-ignore lint/suspicious/noThenProperty: the keyword's own name
      { properties: { a: true }, if: { required: ["b"] }, then: { required: ["c"] } },
      { a: 1, b: 2, c: 3 },
    ],
    ["not", { properties: { a: true }, not: { properties: { b: { const: 1 } } } }, { a: 1, b: 2 }],
    [
      "another branch of oneOf",
      { oneOf: [{ properties: { a: true } }, { properties: { b: { type: "string" } } }] },
      { a: 1, b: 2 },
    ],
    ["`contains`", { items: { properties: {} }, contains: { required: ["b"] } }, [{}, { b: 2 }]],
    ["`const`", { properties: { a: true }, const: { a: 1, b: 2 } }, { a: 1, b: 2 }],
    [
      "another schema of the same property",
      {
        allOf: [
          { properties: { in: { required: ["b"] } } },
          { properties: { in: { properties: { a: true } } } },
        ],
      },
      { in: { a: 1, b: 2 } },
    ],
  ])(
    "keeps undeclared properties that the value needs to be valid because of %s, and removes others",
    async (_, schema, value) => {
      const { project, problemsOf } = await compileRoot(schema);
      expect(problemsOf(value)).toEqual([]);
      expect(project(value)).toEqual(value);
      const more = Array.isArray(value) ? value.map(withSecret) : withSecret(value);
      if (!("const" in schema)) expect(project(more)).toEqual(value);
    },
  );

  const restored = { required: ["c"], properties: { b: { properties: {} } } };
  const restoredWithin = { additionalProperties: { not: { required: ["a"] } } };
  test.each([[[restored, restoredWithin]], [[restoredWithin, restored]]])(
    "keeps what a condition needs inside a property that another condition restores: %j",
    async (anyOf) => {
      const { project, problemsOf } = await compileRoot({ properties: {}, not: { anyOf } });
      expect(problemsOf({ b: { a: 1, secret: 2 } })).toEqual([]);
      expect(project({ b: { a: 1, secret: 2 }, secret: 2 })).toEqual({ b: { a: 1 } });
    },
  );

  test("returns an empty tuple if no branch is valid", async () => {
    const item = { required: ["b"], properties: { a: true } };
    const { project } = await compileRoot({
      anyOf: [{ prefixItems: [item] }, { prefixItems: [item, item] }],
      not: { prefixItems: [item] },
    });
    expect(project([{ a: 1 }])).toEqual([]);
  });

  test("removes a write-only property even if a condition uses it", async () => {
    const { project } = await compileRoot({
      properties: { secret: { writeOnly: true, not: {} }, a: true },
      if: { properties: { secret: { writeOnly: true, not: {} } }, required: ["secret"] },
    });
    expect(project({ a: 1, secret: 2 })).toEqual({ a: 1 });
  });

  test("keeps valid values valid", async () => {
    await fc.assert(
      fc.asyncProperty(
        openSchema,
        fc.array(openValue, { minLength: 20, maxLength: 20 }),
        async (root, values) => {
          const { project, problemsOf } = await compileRoot(root);
          for (const value of values)
            if (problemsOf(value).length === 0) expect(problemsOf(project(value))).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([[{}], [true], [{ type: "object" }], [{ type: "object", required: ["a"] }]])(
    "keeps all properties if the schema declares none: %j",
    async (schema) => {
      const { project } = await compileRoot(schema);
      expect(project({ a: { b: 1 } })).toEqual({ a: { b: 1 } });
    },
  );

  test("copies only own properties, whatever their names are", async () => {
    const { project } = await compileRoot({
      properties: { toString: true, a: true },
      additionalProperties: true,
    });
    const value: unknown = JSON.parse('{"a":1,"__proto__":{"polluted":1},"constructor":2}');
    expect(JSON.stringify(project(value))).toBe('{"a":1,"__proto__":{"polluted":1},"constructor":2}');
    expect(project(Object.create({ a: 1 }))).not.toHaveProperty("polluted");
    expect(Object.keys(Object(project({})))).toEqual([]);
  });
});
