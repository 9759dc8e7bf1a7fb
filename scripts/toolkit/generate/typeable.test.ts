/** Schemas that openapi-typescript would render incorrectly, and the types that are rendered instead. */
import ts from "typescript";
import { expect, test } from "vitest";
import type { JsonObject } from "../openapi/document.ts";
import { renderTypes } from "./render-types.ts";

const reference = { $ref: "#/components/schemas/Other" };
const named: JsonObject = { type: "object", properties: { name: { type: "string" } } };
const other = 'components["schemas"]["Other"]';

function tuple(others: JsonObject): JsonObject {
  return { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], ...others };
}

/** The type of a component, on one line. */
function typeOf(schema: JsonObject, others: JsonObject = { Other: named }, name = "Root"): string {
  const document = {
    openapi: "3.1.1",
    info: { title: "t", version: "1" },
    paths: {},
    components: { schemas: { Root: schema, ...others } },
  };
  const types = renderTypes({ document, locate: () => "" });
  const source = ts.createSourceFile("types.ts", types, ts.ScriptTarget.ES2024, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node) && node.name.getText() === name && node.type)
      found.push(node.type.getText().replace(/\s+/g, " "));
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found.join("; ");
}

test.each<[what: string, schema: JsonObject, want: string]>([
  ["keywords next to a reference apply too", { ...reference, ...named }, `{ name?: string; } & ${other}`],
  ["null may be a constant", { const: null }, "null"],
  ["values of an enum are not schemas", { ...named, enum: ["a", { name: "b" }] }, "{ name?: string; }"],
  [
    "branches that are values are not widened",
    { type: "string", oneOf: [{ const: "a" }, { const: "b" }] },
    '"a" | "b"',
  ],
  [
    "anyOf and the keywords next to it apply together",
    { ...named, anyOf: [reference, { type: "object", properties: { size: { type: "number" } } }] },
    `{ name?: string; } & (${other} | { size?: number; })`,
  ],
  [
    "alternatives that only differ in `required` are ignored",
    { ...named, anyOf: [{ required: ["name"] }, { required: ["size"] }] },
    "{ name?: string; }",
  ],
  [
    "the index signature allows the types of the named properties",
    { ...named, additionalProperties: { type: "number" } },
    "{ name?: string; } & { [key: string]: number | string; }",
  ],
  [
    "a required property that is not declared has the type of `additionalProperties`",
    { type: "object", required: ["size"], additionalProperties: { type: "number" } },
    "{ size: number; } & { [key: string]: number; }",
  ],
  [
    "a part of allOf may require a property that another part declares",
    { allOf: [reference, { type: "object", required: ["name", "size"], properties: { colour: true } }] },
    `${other} & { colour?: unknown; size: unknown; }`,
  ],
  [
    "alternatives may require properties that are declared next to them",
    {
      ...named,
      anyOf: [
        { type: "object", required: ["name"] },
        { type: "object", required: ["size"] },
      ],
    },
    "{ name?: string; } & (Record<string, unknown> | { size: unknown; })",
  ],
  ["a list is not longer than `maxItems`", tuple({ maxItems: 1 }), "[ string? ]"],
  [
    "a list may be longer than `prefixItems` if `maxItems` allows it",
    tuple({ maxItems: 3 }),
    "[ string?, number?, ...unknown[] ]",
  ],
  ["`unevaluatedItems: false` closes a list", tuple({ unevaluatedItems: false }), "[ string?, number? ]"],
  [
    "items that match `contains` are evaluated at any position",
    tuple({ unevaluatedItems: false, contains: { type: "null" } }),
    "[ string?, number?, ...unknown[] ]",
  ],
])("%s", (_what, schema, want) => {
  expect(typeOf(schema)).toBe(want);
});

test("a discriminator with its values narrows a union, and does not change its branches", () => {
  const branch = (property: string, kind: JsonObject = { type: "string" }): JsonObject => ({
    type: "object",
    properties: { kind, [property]: { type: "boolean" } },
  });
  const third = { $ref: "#/components/schemas/Third" };
  const union = (mapping: JsonObject): JsonObject => ({
    oneOf: [reference, third, { type: "null" }],
    discriminator: { propertyName: "kind", mapping },
  });
  const parent = { ...branch("b"), discriminator: { propertyName: "kind" } };
  const heir = { allOf: [{ $ref: "#/components/schemas/Parent" }, branch("c")] };
  const others = { Other: branch("a"), Third: branch("b"), Parent: parent, Heir: heir };
  const thirdType = 'components["schemas"]["Third"]';
  const mapped = union({ cat: reference.$ref, kitten: reference.$ref });
  expect(typeOf(mapped, others)).toBe(
    `(${other} & { kind?: "cat" | "kitten"; }) | (${thirdType} & { kind?: "Third"; }) | null`,
  );
  const rest = { ...mapped, discriminator: { propertyName: "kind", "x-defaultMapping": third.$ref } };
  expect(typeOf(rest, others)).toBe(`(${other} & { kind?: "Other"; }) | ${thirdType} | null`);
  const fixed = { ...others, Third: branch("b", { const: "x" }), Other: branch("a", { type: "integer" }) };
  expect(typeOf(mapped, fixed)).toBe(`${other} | ${thirdType} | null`);
  const shared = { ...others, Other: branch("a", { enum: ["cat", "dog"] }) };
  expect(typeOf(mapped, shared)).toContain(`(${other} & { kind?: "cat"; })`);
  expect(typeOf(mapped, others, "Other")).toBe("{ kind?: string; a?: boolean; }");
  expect(typeOf(mapped, others, "Heir")).toBe(
    'components["schemas"]["Parent"] & { kind?: string; c?: boolean; }',
  );
});

test("a part of allOf keeps the property of its discriminator", () => {
  const part = { ...named, discriminator: { propertyName: "name" } };
  expect(typeOf({ allOf: [part, reference] })).toBe(`{ name?: string; } & ${other}`);
});

test("parameters and headers that are declared with `content` have the type of its schema", () => {
  const list = (keywords: JsonObject): JsonObject => ({
    content: { "application/json": { schema: { type: "array", ...keywords } } },
  });
  const parameters = [
    { name: "given", in: "query", ...list({ items: { type: "integer" } }) },
    { name: "filled", in: "query", ...list({ items: { type: "string" }, default: [] }) },
    { name: "open", in: "query", content: { "application/json": {} } },
  ];
  const headers = { count: list({ items: { type: "integer" } }) };
  const get = { operationId: "list", parameters, responses: { "200": { description: "d", headers } } };
  const document = { openapi: "3.1.1", info: { title: "t", version: "1" }, paths: { "/": { get } } };
  const source = renderTypes({ document, locate: () => "" }).replace(/\s+/g, " ");
  expect(source).toContain("query?: { given?: number[]; filled?: string[]; open?: unknown; };");
  expect(source).toContain("query: { given?: number[]; filled: string[]; open?: unknown; };");
  expect(source).toContain("headers: { count?: number[]; [name: string]: unknown; };");
});

test.each(["3.0.3", "3.1.1"])(
  "a header that is given by a reference is required only if its definition is: OpenAPI %s",
  (openapi) => {
    const to = (name: string) => ({ $ref: `#/components/headers/${name}` });
    const schema = { type: "string" };
    const headers = { may: to("May"), must: to("Must"), mayFar: to("MayFar"), mustFar: to("MustFar") };
    const responses = { "204": { description: "d", headers } };
    const document = {
      ...{ openapi, info: { title: "t", version: "1" }, paths: { "/": { get: { responses } } } },
      components: {
        headers: {
          ...{ May: { schema }, Must: { required: true, schema } },
          ...{ MayFar: to("MayNear"), MayNear: to("May"), MustFar: to("MustNear"), MustNear: to("Must") },
        },
      },
    };
    const source = renderTypes({ document, locate: () => "" }).replace(/\s+/g, " ");
    const type = (name: string) => `components["headers"]["${name}"]`;
    expect(source).toContain(
      `headers: { may?: ${type("May")}; must: ${type("Must")}; mayFar?: ${type("MayFar")}; mustFar: ${type("MustFar")};`,
    );
    expect(source).toContain(
      `{ May: string; Must: string; MayFar: ${type("MayNear")}; MayNear: ${type("May")}; MustFar: ${type("MustNear")};`,
    );
  },
);

test("bytes are a Blob as a body and as a file of a form, and a text in JSON", () => {
  const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const bytes = { type: "string", format: "binary" };
  const fields = (properties: JsonObject): JsonObject => ({ type: "object", properties });
  const content = {
    "multipart/form-data": { schema: to("Upload") },
    "application/json": { schema: to("Both") },
    "application/x-www-form-urlencoded": { schema: fields({ field: bytes }) },
    "text/plain": { schema: bytes },
    "image/png": { schema: to("Both") },
    "image/gif": { schema: to("Image") },
  };
  const parameters = [{ name: "raw", in: "query", schema: bytes }];
  const post = { operationId: "send", parameters, requestBody: { content } };
  const document = {
    ...{ openapi: "3.1.1", info: { title: "t", version: "1" }, paths: { "/": { post } } },
    components: {
      schemas: {
        Upload: fields({ file: bytes, files: { type: "array", items: to("Both") }, meta: to("Meta") }),
        Meta: fields({ photo: bytes }),
        ...{ Both: bytes, Image: { ...bytes, type: ["string", "null"] } },
      },
    },
  };
  const source = renderTypes({ document, locate: () => "" })
    .replace(/\/\*\*.*?\*\//g, "")
    .replace(/\s+/g, " ");
  expect(source).toContain(`Upload: { file?: Blob; files?: Blob[]; meta?: components["schemas"]["Meta"]; };`);
  expect(source).toContain("Meta: { photo?: string; };");
  expect(source).toContain("Both: string;");
  expect(source).toContain("Image: Blob | null;");
  expect(source).toContain("query?: { raw?: string; };");
  expect(source).toContain(`"application/json": components["schemas"]["Both"];`);
  expect(source).toContain(`"application/x-www-form-urlencoded": { field?: string; };`);
  expect(source).toContain(`"text/plain": string;`);
  expect(source).toContain(`"image/png": Blob;`);
  expect(source).toContain(`"image/gif": components["schemas"]["Image"];`);
});

test.each([
  ["decimal", "decimal (not enforced)"],
  ["nickname", "nickname (not enforced)"],
  ["int64", "int64 (not enforced)"],
  ["email", "email"],
  ["password", "password"],
])("the comment of a text with the format %s is %s", (format, comment) => {
  const document = {
    ...{ openapi: "3.1.1", info: { title: "t", version: "1" }, paths: {} },
    components: { schemas: { Root: { type: "string", format } } },
  };
  expect(renderTypes({ document, locate: () => "" })).toContain(`/** Format: ${comment} */`);
});

test("each schema of components is a named type, also if its name is not free in TypeScript", () => {
  const document = {
    ...{ openapi: "3.1.1", info: { title: "The */ shelf", version: "1" }, paths: { "/": {} } },
    components: {
      schemas: {
        Book: { type: "object", title: "A book.", description: "It has */ pages." },
        ...{ Record: named, RecordSchema: named, string: true, "dog.v1": true, DogV1: true, "2nd": true },
        Tree: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
        RecurringTree: named,
      },
    },
  };
  const source = renderTypes({ document, locate: () => "" });
  const types = [...source.matchAll(/^export type (\w+) = components\["schemas"\]\["(.+)"\];$/gm)];
  expect(types.map(([, name, schema]) => `${name} ${schema}`)).toEqual([
    ...["Book Book", "RecordSchema2 Record", "RecordSchema RecordSchema", "String string"],
    ...["DogV1Schema dog.v1", "DogV1 DogV1", "N2nd 2nd", "Tree Tree", "RecurringTreeSchema RecurringTree"],
  ]);
  expect(source).toContain("/**\n * A book.\n * @description It has *\\/ pages.\n */\nexport type Book = ");
  expect(source).toContain("/** The *\\/ shelf */\nexport interface paths");
});
