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
      "unknown-field /paths/~1a/get/colour Property `colour` is not expected here. Remove it, or correct its name or its place.",
    ],
  ],
  [
    "a misspelled field, whose fix is the right one",
    { paths: { "/a": getOf({ sumary: "red" }) } },
    ["unknown-field /paths/~1a/get/sumary Property `sumary` is not expected here. Did you mean summary?"],
  ],
  [
    "a value of another type",
    { paths: { "/a": getOf({ deprecated: "no" }) } },
    [
      "wrong-form /paths/~1a/get/deprecated This must be of the type `boolean`, not `string`. Correct it, or remove it.",
    ],
  ],
  [
    "an object instead of a list",
    { paths: { "/a": getOf({ parameters: {} }) } },
    [
      "wrong-form /paths/~1a/get/parameters This must be of the type `array`, not `object`. Correct it, or remove it.",
    ],
  ],
  [
    "a value that is not one of those that the field allows",
    { paths: { "/a": getOf({ parameters: [{ ...parameter, name: "a", in: "body" }] }) } },
    [
      'wrong-form /paths/~1a/get/parameters/0/in `in` must be one of "query", "header", "path", "cookie". Write one of them.',
    ],
  ],
  [
    "a path parameter that is not defined",
    { paths: { "/a/{b}": getOf({}) } },
    [
      "missing-path-parameter /paths/~1a~1{b}/get/parameters The path `/a/{b}` has `{b}`, but the operation has no such parameter. Correct the name, or declare it under `parameters`, with `in: path`.",
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
    "wrong-form /paths/~1a/get/parameters This must be of the type `array`, not `integer`. Correct it, or remove it.",
  ]);
});

test("the versions of Redocly's packages are pinned, because this file depends on its messages", () => {
  const { devDependencies }: { devDependencies: { [name: string]: string } } = JSON.parse(
    readFileSync("package.json", "utf8"),
  );
  for (const name of ["@redocly/cli", "@redocly/openapi-core"])
    expect(devDependencies[name]).toMatch(/^\d+\.\d+\.\d+$/);
});
