import { describe, expect, test } from "vitest";
import { compileRoot } from "./testing/compiled.ts";

const root = "/components/schemas/Root";

/** scripts/generate/fixtures/reject.yaml has more of these problems. */
describe("a keyword that cannot be enforced is reported at its place, and the others are enforced", () => {
  test.each<[keyword: string, schema: Record<string, unknown>, message: string]>([
    [
      "minimun",
      { minimun: 1 },
      "minimun is an unknown keyword; correct its spelling, or start its name with x-",
    ],
    ["nullable", { nullable: true }, 'nullable has no meaning since OpenAPI 3.1; add "null" to type'],
    ["minimum", { minimum: "1" }, "minimum must be a finite number"],
    [
      "exclusiveMinimum",
      { exclusiveMinimum: true },
      "exclusiveMinimum must be a number since OpenAPI 3.1; replace the boolean with the bound",
    ],
    ["multipleOf", { multipleOf: 0 }, "multipleOf must be greater than 0"],
    ["maxLength", { maxLength: -1 }, "maxLength must be an integer of at least 0"],
    [
      "type",
      { type: "text" },
      "type must be one or more of null, boolean, integer, number, string, array, object",
    ],
    ["enum", { enum: "a" }, "enum must be a list of values"],
    [
      "$ref",
      { $ref: "#/nowhere" },
      "$ref has no target: the document has nothing at /nowhere; correct it or add the schema",
    ],
    [
      "$ref",
      { $ref: "other.yaml" },
      "$ref must be a local JSON pointer such as #/components/schemas/Name, or an $id or anchor of this document; if it refers to another file, bundle the files into one document",
    ],
    [
      "$dynamicRef",
      { $ref: "#/components/schemas/Any", $dynamicRef: "#any" },
      "$dynamicRef must not be next to $ref; move one of them into an allOf",
    ],
    [
      "$dynamicRef",
      { $dynamicAnchor: "root", $dynamicRef: "#root" },
      "$dynamicRef refers to its own schema for the same value; remove the cycle",
    ],
    ["$id", { $id: "http://a/#b" }, "$id must be a URI reference without a fragment"],
    [
      "$id",
      { $id: "http://[" },
      "$id is not a URI, or is also used by another schema; give each schema its own name",
    ],
    [
      "$id",
      { $id: "/any" },
      "$id is not a URI, or is also used by another schema; give each schema its own name",
    ],
    [
      "$anchor",
      { $anchor: "a b" },
      "$anchor must start with a letter or an underscore, and contain only letters, digits, dots, hyphens and underscores",
    ],
    ["$anchor", { $anchor: "any" }, "$anchor is also used by another schema; give each schema its own name"],
    ["items", { items: [] }, "items must be one schema, not a list; use prefixItems for a list"],
    [
      "required",
      { required: true },
      "required must be a list of property names; write required: [name] next to properties",
    ],
    ["anyOf", { anyOf: [] }, "anyOf must be a list of at least one schema"],
    [
      "discriminator",
      { discriminator: {} },
      "discriminator needs a propertyName: the property that distinguishes the schemas",
    ],
  ])("%s", async (keyword, schema, message) => {
    const { unenforceable, problemsOf } = await compileRoot(
      { ...schema, maxProperties: 0 },
      { Any: { $dynamicAnchor: "any" }, Other: { $id: "any" } },
    );
    expect(unenforceable).toEqual([{ pointer: `${root}/${keyword}`, message }]);
    expect(problemsOf({ a: 1 })).toEqual([{ pointer: "", message: "must have at most 0 properties" }]);
  });

  test("a cycle through several schemas is reported once", async () => {
    const { unenforceable } = await compileRoot(
      { allOf: [{ $ref: "#/components/schemas/A" }] },
      { A: { anyOf: [{ $ref: "#/components/schemas/B" }] }, B: { $ref: "#/components/schemas/A" } },
    );
    expect(unenforceable).toEqual([
      {
        pointer: "/components/schemas/B/$ref",
        message: "$ref refers to its own schema for the same value; remove the cycle",
      },
    ]);
  });
});
