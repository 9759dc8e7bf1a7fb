import { describe, expect, test } from "vitest";
import { compileValidators } from "./compile.ts";
import { compileRoot } from "./testing/compiled.ts";

const tagged = (tag: string, own: Record<string, unknown>) => ({
  type: "object",
  required: ["tag"],
  properties: { tag: { const: tag }, ...own },
});

describe("complete", () => {
  test("adds missing properties to the value itself, even inside defaults and through every applicator", async () => {
    const { complete } = await compileRoot(
      {
        allOf: [{ properties: { a: { default: 1 } } }, { $ref: "#/components/schemas/Other" }],
        properties: {
          list: {
            type: "array",
            prefixItems: [{ $ref: "#/components/schemas/Other" }],
            items: { properties: { c: { default: 3 } } },
          },
          nested: { type: "object", properties: { d: { type: "array", default: [] } }, default: {} },
          byReference: { $ref: "#/components/schemas/Text" },
        },
        additionalProperties: { properties: { e: { default: null } } },
      },
      { Other: { properties: { b: { default: 2 } } }, Text: { type: "string", default: "text" } },
    );
    const value = { a: 0, list: [{}, {}], extra: {} };
    expect(complete(value)).toBe(value);
    expect(value).toEqual({
      a: 0,
      b: 2,
      list: [{ b: 2 }, { c: 3 }],
      extra: { e: null },
      nested: { d: [] },
      byReference: "text",
    });
  });

  test("gives every value its own copy of the default", async () => {
    const { complete } = await compileRoot({ properties: { list: { default: [{ a: 1 }] } } });
    const [first, second] = [complete({}), complete({})];
    expect(first).toEqual({ list: [{ a: 1 }] });
    expect(Object.values(first ?? {})[0]).not.toBe(Object.values(second ?? {})[0]);
  });

  test("uses the valid branch, which is chosen before any default is filled in", async () => {
    const { complete } = await compileRoot({
      oneOf: [tagged("a", { x: { default: 1 } }), tagged("b", { y: { default: 2 } })],
      anyOf: [{ properties: { z: { default: 3 } } }, { maxProperties: 1, properties: { w: { default: 4 } } }],
      if: { required: ["v"] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword's own name
      then: { properties: { u: { default: 5 } } },
      else: { properties: { t: { default: 6 } } },
    });
    expect(complete({ tag: "a" })).toEqual({ tag: "a", x: 1, z: 3, w: 4, t: 6 });
    expect(complete({ tag: "b", v: 0 })).toEqual({ tag: "b", v: 0, y: 2, z: 3, u: 5 });
  });

  test("returns the root's default for a missing value", async () => {
    const { complete } = await compileRoot({
      type: "object",
      default: {},
      properties: { a: { default: 1 } },
    });
    expect(complete(undefined)).toEqual({ a: 1 });
  });

  test("exists only for schemas with defaults, and never for a response", () => {
    const document = { with: { properties: { a: { default: 1 } } }, without: { properties: { a: true } } };
    const { completes, declarations } = compileValidators(document, [
      { name: "With", pointer: "/with", use: "parameter" },
      { name: "Without", pointer: "/without", use: "request" },
      { name: "Response", pointer: "/with", use: "response" },
    ]);
    expect(completes).toEqual(new Set(["With"]));
    expect(declarations.match(/(?<=function )\w+/g)).toEqual([
      "validateWith",
      "completeWith",
      "validateWithout",
      "validateResponse",
      "projectResponse",
    ]);
  });

  test("sets a property named __proto__ as a property", async () => {
    const { complete } = await compileRoot({
      properties: JSON.parse('{"__proto__":{"default":{"__proto__":1}}}'),
    });
    expect(JSON.stringify(complete({}))).toBe('{"__proto__":{"__proto__":1}}');
  });

  test("reports a default that contains itself", async () => {
    const { unenforceable } = await compileRoot({
      type: "object",
      properties: { child: { $ref: "#/components/schemas/Root" } },
      default: {},
    });
    expect(unenforceable).toEqual([
      {
        pointer: "/components/schemas/Root/default",
        message:
          "`default` has no end, because the defaults inside it contain it again; remove one of these defaults",
      },
    ]);
  });
});
