import { describe, expect, test } from "vitest";
import { compileValidators } from "./compile.ts";
import { compileRoot, load } from "./testing/compiled.ts";

/** A tree schema. If another schema extends it, all nodes must match that schema. */
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

test("a reference does not resolve to data that looks like a schema", async () => {
  const data = { $anchor: "name" };
  const root = { $ref: "#name", default: data, enum: [data], "x-other": data };
  const { unenforceable } = await compileRoot(root);
  expect(unenforceable.map(({ pointer }) => pointer)).toEqual(["/components/schemas/Root/$ref"]);
});

describe("a $dynamicRef", () => {
  test("resolves differently for each schema that leads to it, even in one module", async () => {
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

  test("is followed when defaults are filled in and when undeclared properties are removed", async () => {
    const { complete, project } = await compileRoot({ $ref: "named-tree" }, { tree, namedTree });
    expect(complete({ children: [{}] })).toEqual({ name: "leaf", children: [{ name: "leaf" }] });
    const value = { name: "a", other: 1, children: [{ name: "b", other: 2 }] };
    expect(project(value)).toEqual({ name: "a", children: [{ name: "b" }] });
  });
});
