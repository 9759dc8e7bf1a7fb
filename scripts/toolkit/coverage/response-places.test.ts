import { describe, expect, it } from "vitest";
import { type Json, pointerTo } from "../openapi/document.ts";
import { nodesOf } from "../openapi/schema/schema-node.ts";
import { propertiesAt, propertiesIn } from "./response-places.ts";

const at = "/components/schemas/Reply";

/**
 * Returns the properties that the schema Reply declares, and those that the values have. Pointers are relative to
 * Reply.
 */
function places(Reply: Json, values: readonly Json[], others: { [name: string]: Json } = {}) {
  const document = { components: { schemas: { Reply, ...others } } };
  const nodeOf = nodesOf(document, "response", () => true);
  const named = (found: ReturnType<typeof propertiesAt>) => [
    ...new Set(
      found.map(({ at: place, name }) => pointerTo(place, "properties", name).replace(`${at}/`, "")),
    ),
  ];
  return {
    declared: named(propertiesAt(document, nodeOf, at)),
    held: named(values.flatMap((value) => propertiesIn(document, nodeOf, at, value))),
  };
}

describe("the properties of responses", () => {
  it("are those that the schema declares; a value has one of them even if it is null there", () => {
    const properties = { name: { type: "string" }, note: { type: ["string", "null"] }, nobody: {} };
    expect(places({ type: "object", properties }, [{ name: "a", note: null, more: 1 }])).toEqual({
      declared: ["properties/name", "properties/note", "properties/nobody"],
      held: ["properties/name", "properties/note"],
    });
  });

  it("include those in items, other properties, references with siblings, and conditional schemas", () => {
    const inner = (name: string) => ({ properties: { [name]: true } });
    const Reply: Json = {
      $ref: "#/components/schemas/Base",
      properties: {
        list: { prefixItems: [inner("first")], items: inner("item") },
        map: { patternProperties: { "^x-": inner("extension") }, additionalProperties: inner("value") },
      },
      allOf: [{ ...inner("part"), else: inner("thus"), dependentSchemas: { part: inner("with") } }],
    };
    const Base = inner("base");
    const { declared, held } = places(Reply, [{ list: [{}] }], { Base });
    expect(declared).toEqual([
      "/components/schemas/Base/properties/base",
      "properties/list",
      "properties/list/prefixItems/0/properties/first",
      "properties/list/items/properties/item",
      "properties/map",
      "properties/map/patternProperties/^x-/properties/extension",
      "properties/map/additionalProperties/properties/value",
      "allOf/0/properties/part",
      "allOf/0/else/properties/thus",
      "allOf/0/dependentSchemas/part/properties/with",
    ]);
    expect(held).toEqual(["properties/list"]);
    const whole = {
      ...{ base: 1, part: 1, thus: 1, with: 1 },
      list: [{ first: 1 }, { item: 1 }],
      map: { "x-a": { extension: 1 }, a: { value: 1 } },
    };
    expect(places(Reply, [whole], { Base }).held.toSorted()).toEqual(declared.toSorted());
  });

  it("of a union's branch are covered only by a value that matches the branch", () => {
    const branch = (kind: string): Json => ({
      type: "object",
      required: ["kind"],
      properties: { kind: { const: kind }, note: { type: "string" } },
    });
    expect(
      places({ oneOf: [branch("a"), branch("b")] }, [{ kind: "a", note: "x" }, { kind: "b" }]).held,
    ).toEqual(["oneOf/0/properties/kind", "oneOf/0/properties/note", "oneOf/1/properties/kind"]);
  });

  it("do not include properties that are write-only or never allowed", () => {
    const Reply: Json = {
      type: "object",
      required: ["password", "id"],
      properties: { password: { writeOnly: true }, id: { readOnly: true }, never: false },
    };
    expect(places({ oneOf: [Reply] }, [{ id: 1 }])).toEqual({
      declared: ["oneOf/0/properties/id"],
      held: ["oneOf/0/properties/id"],
    });
  });

  it("of a recursive schema are counted once, and covered at any depth", () => {
    const Reply: Json = {
      type: "object",
      properties: { name: {}, children: { type: "array", items: { $ref: `#${at}` } } },
    };
    expect(places(Reply, [{ children: [{ name: "a" }] }])).toEqual({
      declared: ["properties/name", "properties/children"],
      held: ["properties/children", "properties/name"],
    });
  });
});
