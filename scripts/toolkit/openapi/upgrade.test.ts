import { describe, expect, test } from "vitest";
import type { JsonObject } from "./document.ts";
import { Origins } from "./origins.ts";
import { admitNullable, upgrade } from "./upgrade.ts";

interface Upgraded {
  readonly document: JsonObject;
  readonly origins: Origins;
  readonly notes: string[];
}

function upgraded(document: JsonObject, upgradeDocument = upgrade): Upgraded {
  const notes: string[] = [];
  const file = { path: "", shownPath: "", value: null, unsafeIntegers: [], source: { body: "" } as never };
  const origins = new Origins(document, { file, pointer: "" });
  upgradeDocument(document, origins, (rule, pointer, message) => notes.push(`${rule} ${pointer} ${message}`));
  return { document, origins, notes };
}

function upgradedSchema(schema: JsonObject): unknown {
  const { document } = upgraded({ openapi: "3.0.4", components: { schemas: { Root: schema } } });
  return document.components;
}

const reference = { $ref: "#/components/schemas/Other" };

describe("a schema of OpenAPI 3.0", () => {
  test.each<[title: string, given: JsonObject, want: JsonObject]>([
    ["nullable adds null to the type", { type: "string", nullable: true }, { type: ["string", "null"] }],
    ["nullable: false has no effect", { type: "string", nullable: false }, { type: "string" }],
    ["nullable without a type rejects nothing", { nullable: true }, {}],
    [
      "nullable adds null to an enum",
      { type: "string", nullable: true, enum: ["a"] },
      { type: ["string", "null"], enum: ["a", null] },
    ],
    [
      "nullable keeps a null that an enum already has",
      { nullable: true, enum: ["a", null] },
      { enum: ["a", null] },
    ],
    [
      "nullable next to allOf, anyOf or oneOf becomes a union, and annotations stay outside the union",
      { description: "d", nullable: true, default: null, "x-a": 1, allOf: [reference] },
      { description: "d", default: null, "x-a": 1, anyOf: [reference, { type: "null" }] },
    ],
    [
      "nullable next to an allOf of several schemas becomes a union of this allOf and null",
      { nullable: true, allOf: [reference, { minLength: 1 }] },
      { anyOf: [{ allOf: [reference, { minLength: 1 }] }, { type: "null" }] },
    ],
    [
      "a discriminator stays next to its oneOf",
      { nullable: true, oneOf: [reference], discriminator: { propertyName: "kind" } },
      { anyOf: [{ oneOf: [reference], discriminator: { propertyName: "kind" } }, { type: "null" }] },
    ],
    [
      "`exclusiveMinimum: true` replaces the minimum",
      { minimum: 1, exclusiveMinimum: true },
      { exclusiveMinimum: 1 },
    ],
    ["an inclusive maximum stays", { maximum: 1, exclusiveMaximum: false }, { maximum: 1 }],
    ["`exclusiveMaximum` without a maximum has no effect", { exclusiveMaximum: true }, {}],
    [
      "`example` becomes a list `examples` with one item",
      { example: null, type: "string" },
      { type: "string", examples: [null] },
    ],
    ["`type: file` becomes a binary string", { type: "file" }, { type: "string", format: "binary" }],
    ["byte and binary stay", { type: "string", format: "byte" }, { type: "string", format: "byte" }],
    ["keywords next to a reference are ignored", { ...reference, minLength: 1, description: "d" }, reference],
    [
      "nullable next to a reference allows null",
      { ...reference, nullable: true, description: "d" },
      { anyOf: [reference, { type: "null" }] },
    ],
    [
      "a property may have the name of a keyword",
      { properties: { nullable: { type: "boolean", nullable: true }, example: { type: "string" } } },
      { properties: { nullable: { type: ["boolean", "null"] }, example: { type: "string" } } },
    ],
    [
      "data is not changed",
      { default: { nullable: true }, enum: [{ exclusiveMinimum: true, $ref: 1 }] },
      { default: { nullable: true }, enum: [{ exclusiveMinimum: true, $ref: 1 }] },
    ],
  ])("%s", (_title, given, want) => {
    expect(upgradedSchema(given)).toEqual({ schemas: { Root: want } });
  });

  test("has a note for each keyword next to a reference that its author surely meant", () => {
    const { notes } = upgraded({
      openapi: "3.0.4",
      components: {
        schemas: { Root: { ...reference, description: "d", nullable: true, default: "a", minLength: 1 } },
        responses: { Gone: { $ref: "#/components/responses/Other", description: "d", headers: {} } },
      },
    });
    const root = "reference-sibling /components/schemas/Root";
    const fix = "write `allOf: [{ $ref: … }]` instead of `$ref`";
    expect(notes).toEqual([
      `${root}/nullable OpenAPI 3.0 ignores \`nullable\` next to \`$ref\`, but here it is read, so null is allowed; ${fix}`,
      `${root}/default OpenAPI 3.0 ignores \`default\` next to \`$ref\`, so it has no effect; ${fix}`,
      `${root}/minLength OpenAPI 3.0 ignores \`minLength\` next to \`$ref\`, so it has no effect; ${fix}`,
      "reference-sibling /components/responses/Gone/headers OpenAPI 3.0 ignores `headers` next to `$ref`, so it has no effect; write the target here",
    ]);
  });

  test("is upgraded wherever it is in a document, and the document's version becomes 3.1", () => {
    const schema = () => ({ type: "string", nullable: true });
    const want = { type: ["string", "null"] };
    const media = (schema: JsonObject) => ({
      "application/json": { schema, encoding: { a: { headers: { A: { schema } } } } },
    });
    const document = (schema: () => JsonObject, openapi: string): JsonObject => ({
      openapi,
      paths: {
        "/a": {
          parameters: [{ name: "a", in: "query", schema: schema() }],
          get: {
            requestBody: { content: media(schema()) },
            responses: { default: { headers: { A: { schema: schema() } }, content: media(schema()) } },
            callbacks: {
              done: { "{$request.body#/url}": { post: { requestBody: { content: media(schema()) } } } },
            },
          },
        },
      },
    });
    expect(upgraded(document(schema, "3.0.0")).document).toEqual(document(() => ({ ...want }), "3.1.1"));
  });

  test("keeps its place in the file, even if it becomes a branch of a union", () => {
    const { origins } = upgraded({
      openapi: "3.0.4",
      components: {
        schemas: {
          Root: { nullable: true, oneOf: [reference, { minLength: 1 }] },
          One: { nullable: true, allOf: [{ minLength: 1 }] },
        },
      },
    });
    expect(origins.of("/components/schemas/One/anyOf/0/minLength").pointer).toBe(
      "/components/schemas/One/allOf/0/minLength",
    );
    expect(origins.of("/components/schemas/Root/anyOf/0/oneOf/1/minLength").pointer).toBe(
      "/components/schemas/Root/oneOf/1/minLength",
    );
  });
});

test("`nullable` in OpenAPI 3.1 is read as in 3.0, with a note", () => {
  const schemas = {
    Root: { type: ["string"], nullable: true },
    Other: { ...reference, nullable: true },
    Fixed: { const: "a", nullable: true },
    Never: { type: "string", nullable: false },
  };
  const { document, notes } = upgraded({ openapi: "3.1.1", components: { schemas } }, admitNullable);
  expect(document).toEqual({
    openapi: "3.1.1",
    components: {
      schemas: {
        Root: { type: ["string", "null"] },
        Other: { anyOf: [reference, { type: "null" }] },
        Fixed: { anyOf: [{ const: "a" }, { type: "null" }] },
        Never: { type: "string" },
      },
    },
  });
  expect(notes).toHaveLength(4);
  const read = "`nullable` exists only in OpenAPI 3.0, but it is read, so null is allowed;";
  expect(notes.slice(0, 2)).toEqual([
    `nullable /components/schemas/Root/nullable ${read} add "null" to \`type\` instead`,
    `nullable /components/schemas/Other/nullable ${read} write \`anyOf: [{ … }, { type: "null" }]\` instead`,
  ]);
  expect(notes[3]).toBe(
    "nullable /components/schemas/Never/nullable `nullable` exists only in OpenAPI 3.0; remove it",
  );
});
