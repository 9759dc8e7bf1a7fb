import { Source } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { bundle } from "./bundle.ts";
import type { JsonObject } from "./document.ts";
import { SpecFiles } from "./files.ts";

async function bundled(schemas: JsonObject) {
  const source = new Source("/spec.json", "");
  const value = { openapi: "3.1.1", components: { schemas } };
  const entry = { path: "/spec.json", shownPath: "spec.json", value, source, unsafeIntegers: [] };
  const { document, problems } = await bundle(entry, new SpecFiles());
  return {
    schemas: (document.components as JsonObject).schemas,
    problems: problems.map(({ place, message }) => `${place.pointer} ${message}`),
  };
}

/** A tree. If another schema extends it, all nodes are valid against that schema. */
const tree = {
  $id: "tree",
  $dynamicAnchor: "node",
  properties: { children: { items: { $dynamicRef: "#node" } } },
};
const childrenOf = (name: string) => ({
  properties: { children: { items: { $ref: `#/components/schemas/${name}` } } },
});

test("a $dynamicRef becomes a $ref, with a copy of its schema for each target", async () => {
  const Named = { $id: "named", $dynamicAnchor: "node", $ref: "tree", required: ["name"] };
  const Forest = { $id: "forest", items: { $ref: "tree" }, contains: { $ref: "named" } };
  expect(await bundled({ Tree: tree, Named, Forest })).toEqual({
    schemas: {
      Tree: childrenOf("Tree"),
      Named: { $ref: "#/components/schemas/Tree2", required: ["name"] },
      Forest: {
        items: { $ref: "#/components/schemas/Tree" },
        contains: { $ref: "#/components/schemas/Named" },
      },
      Tree2: childrenOf("Named"),
    },
    problems: [],
  });
});

test("a $dynamicRef next to a $ref moves into allOf", async () => {
  const A = {
    $dynamicAnchor: "a",
    allOf: [{ type: "object" }],
    $ref: "#/components/schemas/B",
    $dynamicRef: "#b",
  };
  expect(await bundled({ A, B: { $dynamicAnchor: "b" } })).toEqual({
    schemas: {
      A: { allOf: [{ type: "object" }, { $ref: "#/components/schemas/B" }], $ref: "#/components/schemas/B" },
      B: {},
    },
    problems: [],
  });
});

test("a reference does not resolve to data that looks like a schema", async () => {
  const data = { $anchor: "name" };
  expect(
    (await bundled({ A: { $ref: "#name", default: data, enum: [data], "x-other": data } })).problems,
  ).toEqual([
    "/components/schemas/A/$ref no schema has `$anchor: name`; correct the name, or write the path of a schema, such as `#/components/schemas/Name`",
  ]);
});
