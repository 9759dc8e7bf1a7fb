import { expect, test } from "vitest";
import type { Json } from "../document.ts";
import { isHidden, keywordOf, propertiesOf, requiredNames, viewOf } from "./schema-view.ts";

const document: Json = {
  components: {
    schemas: {
      Base: { type: "object", required: ["id"], properties: { id: { readOnly: true }, name: {} } },
      Named: { $ref: "#/components/schemas/Base", required: ["name"], default: { name: "a" } },
      Either: { oneOf: [{ $ref: "#/components/schemas/Named" }, { type: "null" }] },
      Circle: { allOf: [{ $ref: "#/components/schemas/Circle" }, { minProperties: 1 }] },
    },
  },
};

test("a view has the parts of a schema that references and allOf add, with their pointers, and the unions separately", () => {
  const schema = {
    allOf: [{ $ref: "#/components/schemas/Named" }, { $ref: "#/components/schemas/Either" }],
    properties: { name: { minLength: 1 } },
  };
  const view = viewOf(document, schema, "/x");
  expect(view.parts.map(({ pointer }) => pointer)).toEqual([
    "/x",
    "/x/allOf/0",
    "/components/schemas/Named",
    "/components/schemas/Base",
    "/x/allOf/1",
    "/components/schemas/Either",
  ]);
  expect(
    view.unions.map(({ keyword, branches }) => [keyword, ...branches.map(({ pointer }) => pointer)]),
  ).toEqual([["oneOf", "/components/schemas/Either/oneOf/0", "/components/schemas/Either/oneOf/1"]]);
  expect(
    [...propertiesOf(view)].map(([name, places]) => [name, ...places.map(({ pointer }) => pointer)]),
  ).toEqual([
    ["name", "/x/properties/name", "/components/schemas/Base/properties/name"],
    ["id", "/components/schemas/Base/properties/id"],
  ]);
  expect([...requiredNames(view)]).toEqual(["name", "id"]);
  expect(keywordOf(view, "default")).toEqual({ name: "a" });
});

test("a view of a circular schema has each part once", () => {
  const { parts, references } = viewOf(document, { $ref: "#/components/schemas/Circle" });
  expect(parts).toHaveLength(4);
  expect(references).toEqual(
    ["#/components/schemas/Circle", "#/components/schemas/Circle"].map((each) => each.slice(1)),
  );
});

test.each<[schema: Json, isNever: boolean]>([
  [true, false],
  [false, true],
  [{ not: {} }, true],
  [{ not: { description: "Nothing." } }, true],
  [{ allOf: [{ type: "string" }, false] }, true],
  [{ oneOf: [false, { type: "string" }] }, false],
])("%j allows no value: %s", (schema, isNever) => {
  expect(viewOf(document, schema).isNever).toBe(isNever);
});

test("readOnly hides a property from requests, and writeOnly from responses, even behind a reference", () => {
  const views = ["readOnly", "writeOnly"].map((keyword) =>
    viewOf({ Id: { [keyword]: true } }, { allOf: [{ $ref: "#/Id" }] }),
  );
  expect(views.map((view) => [isHidden(view, "request"), isHidden(view, "response")])).toEqual([
    [true, false],
    [false, true],
  ]);
});
