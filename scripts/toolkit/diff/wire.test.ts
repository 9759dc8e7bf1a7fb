import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../openapi/document.ts";
import { type Change, worstOf } from "./changes.ts";
import { cases } from "./testing/cases.ts";
import {
  documentWith,
  get,
  inRequest,
  inResponse,
  list,
  ofPath,
  open,
  ref,
  schemas,
  string,
  text,
  withPaths,
} from "./testing/notation.ts";
import { specsOf } from "./testing/spec.ts";
import { wireChanges } from "./wire.ts";

const changesOf = async (old: JsonObject, now: JsonObject): Promise<Change[]> =>
  wireChanges(...(await specsOf(old, now)));

describe("the wire verdict", () => {
  test.each(cases)("%s", async (_, old, now, expected) => {
    const changes = await changesOf(old, now);
    expect(worstOf(changes.map(({ impact }) => impact)), JSON.stringify(changes, null, 1)).toBe(expected);
  });

  const meaningsOf = async (old: JsonObject, now: JsonObject): Promise<string[]> =>
    (await changesOf(old, now)).map(({ meaning }) => meaning);

  test.each([
    [text, "callers may send it; callers that already send this name may be rejected"],
    [{ description: "Anything." }, "callers may send it"],
  ])(
    "warns if a request that allowed any property now declares one with the schema %j",
    async (schema, expected) => {
      const old = documentWith(inRequest(open({ a: text })));
      const now = documentWith(inRequest(open({ a: text, b: schema })));
      expect(await meaningsOf(old, now)).toEqual([expected]);
    },
  );

  test.each([
    ["/a/me", "callers may call it; calls that matched /a/{id} may reach it instead"],
    ["/a/me/b", "callers may call it"],
    ["/b/me", "callers may call it"],
  ])("warns if the new path %s matches calls of a path with a parameter", async (path, expected) => {
    const one = { "/a/{id}": get(ofPath("id")) };
    expect(await meaningsOf(withPaths(one), withPaths({ ...one, [path]: get({}) }))).toEqual([expected]);
  });
});

test("what changes in a GET and in its twin is reported once", async () => {
  const withTwin = (more: JsonObject): JsonObject => {
    const { get: one } = get(more) as { get: JsonObject };
    return withPaths({
      "/a": { get: { operationId: "getA", ...one }, query: { "x-twin-of": "getA", ...one } },
    });
  };
  const [open, closed] = [inResponse(list()), inResponse(list({ maxItems: 1 }))].map(withTwin);
  const changes = await changesOf(closed as JsonObject, open as JsonObject);
  expect(changes.map(({ rule, operations }) => [rule, operations])).toEqual([["schema-size", ["GET /a"]]]);
});

describe("a message", () => {
  const cat = open({ kind: { const: "cat" } }, ["kind"]);
  const dog = open({ kind: { const: "dog" }, age: text }, ["kind"]);
  const named = (...names: string[]): JsonObject => ({ oneOf: names.map((name) => ref(name)) });
  const tagged = (mapping: { readonly [tag: string]: string }): JsonObject => ({
    ...named("Cat", "Dog"),
    discriminator: { propertyName: "sort", mapping },
  });
  const place = "/paths/~1things/post/responses/200/content/application~1json/schema";

  const rows: readonly [title: string, old: Json, now: Json, expected: string[]][] = [
    [
      "contains the name of an alternative that was removed",
      named("Cat", "Dog"),
      named("Dog"),
      [`schema-alternative ${place}/oneOf/0 the body: alternative \`Cat\` was removed`],
    ],
    [
      "contains the name of an alternative that was added next to the former schema",
      ref("Cat"),
      named("Cat", "Dog"),
      [`schema-alternative ${place}/oneOf/1 the body: alternative \`Dog\` was added`],
    ],
    [
      "says that a keyword was not added if the older schema had no such item",
      list({ prefixItems: [text] }),
      list({ prefixItems: [text, string({ minLength: 1 })] }),
      [
        `schema-type ${place}/prefixItems/1/type the items: only values of type "string" are allowed now`,
        `schema-size ${place}/prefixItems/1/minLength the items: \`minLength\` is 1`,
      ],
    ],
    [
      "contains the schema of an alternative without a name",
      { anyOf: [text] },
      { anyOf: [text, { type: "integer" }] },
      [`schema-alternative ${place}/anyOf/1 the body: alternative {"type":"integer"} was added`],
    ],
    [
      "contains what changed within an alternative",
      { oneOf: [cat, dog] },
      { oneOf: [cat, { ...dog, required: [] }] },
      [`schema-required ${place}/oneOf/1/required property \`kind\` may now be absent`],
    ],
    [
      "says that null is now allowed",
      { anyOf: [text] },
      { anyOf: [text, { type: "null" }] },
      [`schema-null ${place}/anyOf the body: null is now allowed`],
    ],
    [
      "reports a change of a union's order once",
      named("Cat", "Dog", "Bird"),
      named("Bird", "Dog", "Cat"),
      [`wording-changed ${place}/oneOf ${place}/oneOf has another order`],
    ],
    [
      "contains the discriminator value that selects another schema",
      tagged({ a: "Cat", b: "Dog" }),
      tagged({ a: "Dog", b: "Dog" }),
      [
        `schema-discriminator ${place}/discriminator/mapping/a the body: discriminator value \`a\` selected "Cat", selects "Dog"`,
      ],
    ],
    [
      "contains the discriminator value that was added",
      tagged({ a: "Cat" }),
      tagged({ a: "Cat", b: "Dog" }),
      [`schema-discriminator ${place}/discriminator/mapping/b the body: discriminator value \`b\` was added`],
    ],
    [
      "names a property that was added to a closed object",
      { ...open({ a: text }), additionalProperties: false },
      { ...open({ a: text, b: text }), additionalProperties: false },
      [`schema-property-added ${place}/properties/b property \`b\` was added to a closed object`],
    ],
    [
      "names the place of the newer document if a reference leads to another component",
      open({ a: ref("Cat") }),
      open({ a: { anyOf: [ref("Cat"), { type: "null" }] } }),
      [`schema-null ${place}/properties/a property \`a\`: null is now allowed`],
    ],
    [
      "says that a property became writeOnly",
      open({ a: text }),
      open({ a: string({ writeOnly: true }) }),
      [`schema-hidden ${place}/properties/a/writeOnly property \`a\` is now \`writeOnly\``],
    ],
  ];

  test.each(rows)("%s", async (_, old, now, expected) => {
    const components = schemas({ Cat: cat, Dog: dog, Bird: open({ kind: { const: "bird" } }, ["kind"]) });
    const changes = await changesOf(
      documentWith(inResponse(old), components),
      documentWith(inResponse(now), components),
    );
    expect(changes.map(({ rule, pointer, message }) => `${rule} ${pointer} ${message}`)).toEqual(expected);
  });

  test("uses the keyword `nullable` for a document of OpenAPI 3.0", async () => {
    const of = (schema: Json): JsonObject => documentWith(inResponse(schema), {}, "3.0.3");
    for (const schema of [text, { allOf: [text] }, string({ enum: ["a"] })]) {
      const [old, now] = [of(schema), of({ ...schema, nullable: true })];
      expect(await changesOf(old, now)).toMatchObject([
        { message: "the body: `nullable` is now true", pointer: `${place}/nullable` },
      ]);
    }
  });
});
