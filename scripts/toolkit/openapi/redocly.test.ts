import { readFileSync } from "node:fs";
import { Source } from "@redocly/openapi-core";
import { expect, it, test } from "vitest";
import type { JsonObject } from "./document.ts";
import { problemsOf } from "./redocly.ts";

const done = { 204: { description: "Done." } };

async function found(parts: JsonObject, onlyTypes = false) {
  const document = {
    openapi: "3.1.1",
    info: { title: "t", version: "1", license: { name: "MIT", identifier: "MIT" } },
    security: [],
    paths: {},
    ...parts,
  };
  const source = new Source("openapi.json", JSON.stringify(document));
  const problems = await problemsOf(document, source, "3.1", onlyTypes);
  return problems.map(({ meaning, pointer, message, first }) =>
    [meaning ?? "-", pointer, message, ...(first === undefined ? [] : [first])].join(" "),
  );
}

const getOf = (operation: JsonObject) => ({ get: { operationId: "a", responses: done, ...operation } });
const parameter = { in: "path", required: true, schema: { type: "string" } };
const schemaOf = (schema: JsonObject | boolean) => ({ components: { schemas: { A: schema } } });

test.each<[string, JsonObject, string[]]>([
  [
    "an unknown field",
    { paths: { "/a": getOf({ colour: "red" }) } },
    [
      "unknown-field /paths/~1a/get/colour `colour` has no meaning here. Remove it, or correct its name or its place.",
    ],
  ],
  [
    "a misspelled field, whose fix is the right one",
    { paths: { "/a": getOf({ sumary: "red" }) } },
    ["unknown-field /paths/~1a/get/sumary `sumary` has no meaning here. Did you mean `summary`?"],
  ],
  [
    "a value of another type",
    { paths: { "/a": getOf({ deprecated: "no" }) } },
    [
      "wrong-form /paths/~1a/get/deprecated `deprecated` must be true or false, not a string. Write `true` or `false`, without quotes.",
    ],
  ],
  [
    "an object instead of a list",
    { paths: { "/a": getOf({ parameters: {} }) } },
    [
      "wrong-form /paths/~1a/get/parameters `parameters` must be a list, not an object. Begin each item with `-`.",
    ],
  ],
  [
    "a value that is not one of those that the field allows",
    { paths: { "/a": getOf({ parameters: [{ ...parameter, name: "a", in: "body" }] }) } },
    [
      'wrong-form /paths/~1a/get/parameters/0/in `in` must be one of "query", "header", "path", "cookie". Write the body under `requestBody`.',
    ],
  ],
  [
    "a path parameter that is not defined",
    { paths: { "/a/{b}": getOf({}) } },
    [
      "missing-path-parameter /paths/~1a~1{b}/get/parameters The path `/a/{b}` has `{b}`, but no parameter has this name. Correct the name, or add `{ name: b, in: path, required: true, schema: { type: string } }` to `parameters`.",
    ],
  ],
  [
    "a parameter that occurs twice in a path",
    {
      paths: {
        "/a": {
          parameters: [
            { name: "b", in: "query", schema: {} },
            { name: "b", in: "query", schema: {} },
          ],
        },
      },
    },
    ["- /paths/~1a/parameters/1 There are two parameters `b` with `in: query`. Keep one of them."],
  ],
  [
    "an id that occurred before, with the first place",
    { paths: { "/a": getOf({}), "/b": getOf({}) } },
    ["- /paths/~1b/get/a Every operation must have a unique `operationId`. /paths/~1a/get/operationId"],
  ],
])("reports %s", async (_, parts, expected) => {
  expect(await found(parts)).toEqual(expected);
});

test.each<[string, JsonObject, string]>([
  [
    "a keyword of schemas in a parameter",
    { paths: { "/a": getOf({ parameters: [{ in: "query", name: "a", type: "string", schema: {} }] }) } },
    "`type` has no meaning here. Move it into `schema`, such as `schema: { type: string }`.",
  ],
  [
    "a schema that is not in `content`",
    { paths: { "/a": { get: { responses: { 200: { description: "", schema: {} } } } } } },
    "`schema` has no meaning here. Move it into `content`, such as `content: { application/json: { schema: { type: object } } }`.",
  ],
  [
    "a response without a status",
    { paths: { "/a": { get: { responses: { ok: { description: "" } } } } } },
    "`ok` has no meaning here. The name of a response is a status such as `200` or `4XX`, or `default`. Correct it.",
  ],
  [
    "a path without a slash",
    { paths: { a: getOf({}) } },
    "`a` has no meaning here. A path begins with `/`. Write `/a`.",
  ],
  [
    "a field of Swagger 2.0",
    { host: "shop.example" },
    "`host` has no meaning here. In OpenAPI 3, it is part of `servers`. Move it there.",
  ],
  [
    "a field of a later version",
    { paths: { "/a": { query: { responses: done } } } },
    "`query` has no meaning here. It exists since OpenAPI 3.2. Remove it, or set `openapi: 3.2.0`.",
  ],
  [
    "a type of another language",
    schemaOf({ type: "date" }),
    '`type` must be one of "object", "array", "string", "number", "integer", "boolean", "null". Write `type: string` and `format: date`.',
  ],
  [
    "a security scheme that is only a type",
    { components: { securitySchemes: { a: { type: "bearer" } } } },
    '`type` must be one of "apiKey", "http", "oauth2", "openIdConnect", "mutualTLS". Write `type: http` and `scheme: bearer`.',
  ],
  [
    "a name instead of a schema",
    schemaOf({ items: "A" }),
    "`items` must be an object, not a string. Write one such as `{ type: string }`.",
  ],
  [
    "an empty field",
    { paths: null },
    "`paths` is empty, but must be an object. Write its value, or remove it.",
  ],
  [
    "a bound that is a boolean",
    schemaOf({ exclusiveMinimum: true }),
    "`exclusiveMinimum` must be a number, not true or false. Write the bound itself, such as `exclusiveMinimum: 10`.",
  ],
  [
    "a number instead of a text",
    { info: { title: "t", version: 1 } },
    "`version` must be a string, not an integer. Write it in quotes.",
  ],
])("names what to write instead of %s", async (_, parts, expected) => {
  const [first = ""] = await found(parts);
  expect(first).toContain(` ${expected}`);
});

test.each<[string, JsonObject]>([
  ["a boolean as a schema", schemaOf({ properties: { a: true }, items: false })],
  ["any name in `$defs`", schemaOf({ $defs: { "a b": {} } })],
  [
    "a path parameter with a name that Redocly does not recognise",
    { paths: { "/a/{x y}": getOf({ parameters: [{ ...parameter, name: "x y" }] }) } },
  ],
])("does not report %s", async (_, parts) => {
  expect(await found(parts)).toEqual([]);
});

it("checks only fields and types if the rules throw an error", async () => {
  const parts = { paths: { "/a": getOf({ parameters: 1 }), "/b": getOf({}) } };
  expect(await found(parts, true)).toEqual([
    "wrong-form /paths/~1a/get/parameters `parameters` must be a list, not an integer. Begin each item with `-`.",
  ]);
});

test("the versions of Redocly's packages are pinned, because this file depends on its messages", () => {
  const { devDependencies }: { devDependencies: { [name: string]: string } } = JSON.parse(
    readFileSync("package.json", "utf8"),
  );
  for (const name of ["@redocly/cli", "@redocly/openapi-core"])
    expect(devDependencies[name]).toMatch(/^\d+\.\d+\.\d+$/);
});
