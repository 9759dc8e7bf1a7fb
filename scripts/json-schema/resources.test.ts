import { describe, expect, test } from "vitest";
import { compileValidators } from "./compile.ts";
import { compileRoot, load, type Problem } from "./testing/compiled.ts";

const at = (pointer: string, message: string): Problem => ({ pointer, message });

/** A tree whose nodes are of whatever schema extends it. */
const tree = {
  $id: "tree",
  $dynamicAnchor: "node",
  type: "object",
  properties: { children: { type: "array", items: { $dynamicRef: "#node" } } },
};
const namedTree = {
  $id: "named-tree",
  $dynamicAnchor: "node",
  $ref: "tree",
  required: ["name"],
  properties: { name: { type: "string", default: "leaf" } },
};

describe("a reference", () => {
  test.each([
    ["by anchor", { $ref: "#name" }],
    ["by address", { $ref: "names/name" }],
    ["by address and pointer", { $ref: "names/list#/items" }],
    ["by address and anchor", { $ref: "names/list#entry" }],
    ["by a pointer across addresses", { $ref: "#/components/schemas/List/items" }],
  ])("%s leads to a schema of the document", async (_, schema) => {
    const { problemsOf, unenforceable } = await compileRoot(schema, {
      Anchored: { $anchor: "name", type: "string" },
      Name: { $id: "names/name", type: "string" },
      List: { $id: "names/list", items: { $anchor: "entry", $ref: "name" } },
    });
    expect(unenforceable).toEqual([]);
    expect(problemsOf(1)).toEqual([at("", "must be a string")]);
    expect(problemsOf("a")).toEqual([]);
  });

  test("is not led astray by data that looks like a schema", async () => {
    const { unenforceable } = await compileRoot({
      $ref: "#name",
      default: { $anchor: "name" },
      enum: [{ $anchor: "name" }],
      "x-other": { $anchor: "name" },
    });
    expect(unenforceable.map(({ pointer }) => pointer)).toEqual(["/components/schemas/Root/$ref"]);
  });
});

describe("a $dynamicRef", () => {
  test("means the outermost schema on the way that bears its anchor", async () => {
    const { problemsOf, unenforceable } = await compileRoot({ $ref: "named-tree" }, { tree, namedTree });
    expect(unenforceable).toEqual([]);
    expect(problemsOf({ name: "a", children: [{ name: "b" }] })).toEqual([]);
    expect(problemsOf({ name: "a", children: [{ name: "b", children: [{}, 1] }] })).toEqual([
      at("/children/0/children/0/name", "is required"),
      at("/children/0/children/1", "must be an object"),
    ]);
  });

  test("means one thing on each way, in one module", async () => {
    const pointers = { Tree: "/components/schemas/tree", Named: "/components/schemas/namedTree" };
    const entries = Object.entries(pointers).map(([name, pointer]) => {
      return { name, pointer, use: "request" as const };
    });
    const { code, unenforceable } = compileValidators(
      { components: { schemas: { tree, namedTree } } },
      entries,
    );
    const { validateTree, validateNamed } = await load(code);
    const value = { name: "a", children: [{}] };
    expect(unenforceable).toEqual([]);
    expect(validateTree?.(value, [])).toBe(true);
    expect(validateNamed?.(value, [])).toBe(false);
  });

  test("is followed where defaults are filled in and where undeclared properties are dropped", async () => {
    const { complete, project } = await compileRoot({ $ref: "named-tree" }, { tree, namedTree });
    expect(complete({ children: [{}] })).toEqual({ name: "leaf", children: [{ name: "leaf" }] });
    const value = { name: "a", other: 1, children: [{ name: "b", other: 2 }] };
    expect(project(value)).toEqual({ name: "a", children: [{ name: "b" }] });
  });

  test("costs nothing where none is", async () => {
    const { code } = await compileRoot(
      { $anchor: "root", properties: { a: { $ref: "#/components/schemas/Part" } } },
      { Part: { $dynamicAnchor: "part", type: "string" } },
    );
    const plain = await compileRoot(
      { properties: { a: { $ref: "#/components/schemas/Part" } } },
      { Part: { type: "string" } },
    );
    expect(code).toBe(plain.code);
    const extending = { $dynamicAnchor: "part", properties: { shared: { $ref: "shared" } } };
    const twice = await compileRoot(
      { properties: { a: { $ref: "a" }, b: { $ref: "b" } } },
      {
        A: { $id: "a", ...extending },
        B: { $id: "b", ...extending },
        Shared: { $id: "shared", minLength: 2 },
      },
    );
    expect(twice.code.match(/^function checkShared.*/gm)).toEqual([
      "function checkShared(value, problems) {",
    ]);
  });
});
