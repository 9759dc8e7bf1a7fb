import { describe, expect, test } from "vitest";
import { compileRoot } from "./testing/compiled.ts";

const secret = { writeOnly: true, not: {} };
const holder = { properties: { secret, kept: true } };

describe("project removes write-only properties", () => {
  test.each<[where: string, schema: unknown, value: unknown, want: unknown]>([
    [
      "if another part allows any property",
      { allOf: [holder, { additionalProperties: true }] },
      { secret: 1, kept: 2, more: 3 },
      { kept: 2, more: 3 },
    ],
    [
      "if another part declares them too",
      { allOf: [holder, { properties: { secret: true } }] },
      { secret: 1, kept: 2 },
      { kept: 2 },
    ],
    [
      "in a property that two parts describe",
      { allOf: [{ properties: { in: holder } }, { properties: { in: { additionalProperties: true } } }] },
      { in: { secret: 1, kept: 2 } },
      { in: { kept: 2 } },
    ],
    [
      "in the branch that is valid without them",
      { anyOf: [{ type: "string" }, { ...holder, required: ["kept"], additionalProperties: false }] },
      { secret: 1, kept: 2 },
      { kept: 2 },
    ],
    [
      "in the branch that a tag selects",
      {
        oneOf: [
          { required: ["is"], properties: { is: { const: "a" }, secret: true } },
          { required: ["is"], properties: { is: { const: "b" }, secret } },
        ],
      },
      { is: "b", secret: 1 },
      { is: "b" },
    ],
    [
      "in the branch that a condition selects",
      // biome-ignore lint/suspicious/noThenProperty: the keyword's own name
      { properties: { is: true }, if: { required: ["is"] }, then: holder },
      { is: 1, secret: 2 },
      { is: 1 },
    ],
    [
      "in items and prefixItems",
      { prefixItems: [holder], items: holder },
      [{ secret: 1 }, { secret: 2, kept: 3 }],
      [{}, { kept: 3 }],
    ],
    [
      "that a pattern declares",
      { patternProperties: { "^s": secret }, additionalProperties: true },
      { secret: 1, kept: 2 },
      { kept: 2 },
    ],
    [
      "in properties that additionalProperties declares",
      { additionalProperties: holder },
      { a: { secret: 1, kept: 2 } },
      { a: { kept: 2 } },
    ],
    [
      "that dependentSchemas declares",
      { properties: { is: true, secret: true }, dependentSchemas: { is: holder } },
      { is: 1, secret: 2 },
      { is: 1 },
    ],
    [
      "with a name that every object inherits",
      { properties: { toString: secret }, additionalProperties: true },
      { toString: 1, a: 2 },
      { a: 2 },
    ],
  ])("%s", async (_where, schema, value, want) => {
    const { project } = await compileRoot(schema);
    const before = structuredClone(value);
    expect(project(value)).toEqual(want);
    expect(value).toEqual(before);
  });

  test("at any depth of a recursive schema", async () => {
    const { project } = await compileRoot({
      properties: {
        secret,
        next: { $ref: "#/components/schemas/Root" },
        all: { items: { $ref: "#/components/schemas/Root" } },
      },
    });
    expect(project({ secret: 1, next: { secret: 2, all: [{ secret: 3, next: {} }] } })).toEqual({
      next: { all: [{ next: {} }] },
    });
  });
});
