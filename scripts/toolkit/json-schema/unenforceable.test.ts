import { describe, expect, test } from "vitest";
import { compileRoot } from "./testing/compiled.ts";

const root = "/components/schemas/Root";

/** scripts/toolkit/generate/fixtures/reject.yaml has more of these problems. */
describe("a keyword that cannot be enforced is reported at its place, and the others are enforced", () => {
  test.each<[message: string, schema: Record<string, unknown>]>([
    ["minimun is not a keyword of JSON Schema; did you mean minimum?", { minimun: 1 }],
    ["minimum must be a finite number", { minimum: "1" }],
    [
      "exclusiveMinimum must be a number since OpenAPI 3.1; replace the boolean with the bound",
      { exclusiveMinimum: true },
    ],
    ["multipleOf must be greater than 0", { multipleOf: 0 }],
    ["maxLength must be an integer of at least 0", { maxLength: -1 }],
    ["type must be one or more of null, boolean, integer, number, string, array, object", { type: "text" }],
    ["enum must be a list of values", { enum: "a" }],
    [
      "$ref has no target; write the JSON pointer of a schema, such as #/components/schemas/Name",
      { $ref: "#/nowhere" },
    ],
    ["$id must be a URI reference without a fragment", { $id: "http://a/#b" }],
    [
      "$id is not a URI, or is also used by another schema; give each schema its own name",
      { $id: "http://[" },
    ],
    ["$id is not a URI, or is also used by another schema; give each schema its own name", { $id: "/any" }],
    [
      "$anchor must start with a letter or an underscore, and contain only letters, digits, dots, hyphens and underscores",
      { $anchor: "a b" },
    ],
    ["$anchor is also used by another schema; give each schema its own name", { $anchor: "any" }],
    ["items must be one schema, not a list; use prefixItems for a list", { items: [] }],
    [
      "required must be a list of property names; write required: [name] next to properties",
      { required: true },
    ],
    ["anyOf must be a list of at least one schema", { anyOf: [] }],
    [
      "discriminator needs a propertyName; add it: the property that distinguishes the schemas",
      { discriminator: {} },
    ],
  ])("%s", async (message, schema) => {
    const { unenforceable, problemsOf } = await compileRoot({ ...schema, maxProperties: 0 });
    expect(unenforceable).toEqual([{ pointer: `${root}/${message.split(" ")[0]}`, message }]);
    expect(problemsOf({ a: 1 })).toEqual([{ pointer: "", message: "must have at most 0 properties" }]);
  });
});
