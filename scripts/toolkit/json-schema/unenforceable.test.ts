import { describe, expect, test } from "vitest";
import { compileRoot } from "./testing/compiled.ts";

const root = "/components/schemas/Root";

/** scripts/toolkit/generate/fixtures/reject.yaml has more of these problems. */
describe("a keyword that cannot be enforced is reported at its place, and the others are enforced", () => {
  test.each<[message: string, schema: Record<string, unknown>]>([
    ["`minimun` has no meaning in a schema; did you mean `minimum`?", { minimun: 1 }],
    ["`minimum` must be a number; write it without quotes", { minimum: "1" }],
    [
      "`exclusiveMinimum` must be a number since OpenAPI 3.1; write the bound itself instead of true or false",
      { exclusiveMinimum: true },
    ],
    ["`multipleOf` must be greater than 0; correct it, or remove it", { multipleOf: 0 }],
    ["`maxLength` must be an integer of at least 0; correct it, or remove it", { maxLength: -1 }],
    [
      "`type` must be one or more of null, boolean, integer, number, string, array, object; write one of them",
      { type: "text" },
    ],
    ["`enum` must be a list of values, such as `[a, b]`", { enum: "a" }],
    [
      "`$ref` has no target; write the path of a schema, such as `#/components/schemas/Name`",
      { $ref: "#/nowhere" },
    ],
    ["`$id` must be a URL without a part that begins with `#`; remove that part", { $id: "http://a/#b" }],
    [
      "`$id` is not a URL, or is also that of another schema; give each schema its own, or remove it",
      { $id: "http://[" },
    ],
    [
      "`$id` is not a URL, or is also that of another schema; give each schema its own, or remove it",
      { $id: "/any" },
    ],
    [
      "`$anchor` must begin with a letter, and may have only letters, digits, `.`, `-` and `_`; rename it",
      { $anchor: "a b" },
    ],
    ["`$anchor` is also that of another schema; give each schema its own, or remove it", { $anchor: "any" }],
    ["`items` must be one schema, not a list; use `prefixItems` for a list", { items: [] }],
    [
      "`required` must be a list of property names; write `required: [name]` next to `properties`",
      { required: true },
    ],
    ["`anyOf` must be a list of at least one schema; add one, or remove it", { anyOf: [] }],
    [
      "`discriminator` needs `propertyName`; add it, with the name of the property that selects the schema",
      { discriminator: {} },
    ],
  ])("%s", async (message, schema) => {
    const { unenforceable, problemsOf } = await compileRoot({ ...schema, maxProperties: 0 });
    expect(unenforceable).toEqual([{ pointer: `${root}/${message.split("`")[1]}`, message }]);
    expect(problemsOf({ a: 1 })).toEqual([{ pointer: "", message: "must have at most 0 properties" }]);
  });
});
