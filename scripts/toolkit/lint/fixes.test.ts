import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { fixesOf } from "./fixes.ts";

const folder = temporaryFolder();

async function fixed(name: string, text: string): Promise<{ text: string; diff: string } | undefined> {
  const file = join(folder, name);
  await writeFile(file, text);
  const [found, ...others] = await fixesOf(file, undefined, []);
  expect(others).toEqual([]);
  return found && { text: found.text, diff: found.diff.replaceAll(/^.*\/(?=[^/]+:\d+$)/gm, "") };
}

const given = `openapi: 3.1.1
# The title
info: { title: T, version: "1" }
paths:
  /a/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
      - name: gone # not in the path
        in: path
        required: true
        schema: { type: string, format: guid }
    get:
      operationId: getA
      parameters:
        - { name: old, in: path, required: true, schema: {} }
      responses: { "200": { description: "", content: { application/json: { schema: { $ref: "#/components/schemas/A" } } } } }
    put:
      operationId: getA
      responses: { "204": { description: "" } }
    delete:
      operationId: "getA" # the same
      responses: { "204": { description: "" } }
components:
  schemas:
    A:
      # All of it
      properties:
        when: { type: string, format: datetime, nullable: true }
        mail:
          type: string
          nullable: true # may be missing
          format: "emial"
        list:
          type: array
          items:
            anyOf:
              - nullable: false
                properties: { b: {} }
              - type: object
        self: { $ref: "#/components/schemas/A", nullable: true }
        none: { type: string, enum: [x], nullable: true }
        no: { not: { properties: { c: {} } } }
`;

const wanted = given
  .replace(/ {6}- name: gone(?:.|\n)*guid \}\n/, "")
  .replace(/ {6}parameters:\n.*old.*\n/, "")
  .replace("put:\n      operationId: getA", "put:\n      operationId: getA2")
  .replace('"getA"', '"getA3"')
  .replace("      properties:", "      type: object\n      properties:")
  .replace(
    "{ type: string, format: datetime, nullable: true }",
    '{ type: [string, "null"], format: date-time }',
  )
  .replace("type: string\n          nullable: true #", 'type: [string, "null"]\n          #')
  .replace("emial", "email")
  .replace("- nullable: false\n                properties", "- type: object\n                properties");

test("mistakes with one correction are corrected, and comments and layout stay", async () => {
  const { text = "", diff = "" } = (await fixed("a.yaml", given)) ?? {};
  expect(text).toBe(wanted);
  expect(diff).toContain(`a.yaml:31
-           nullable: true # may be missing
+           # may be missing
a.yaml:32
-           format: "emial"
+           format: "email"`);
  expect(await fixed("b.yaml", text)).toBeUndefined();
});

test("JSON stays JSON", async () => {
  const schema = { type: "string", nullable: true };
  const document = {
    openapi: "3.1.1",
    info: { title: "", version: "" },
    components: { schemas: { A: { properties: { a: schema, b: { ...schema, format: "emial" } } } } },
  };
  const type = ["string", "null"];
  const expected = structuredClone(document) as unknown as typeof document;
  Object.assign(expected.components.schemas, {
    A: { type: "object", properties: { a: { type }, b: { type, format: "email" } } },
  });
  for (const indent of [0, 2, "\t"]) {
    const { text = "" } = (await fixed("a.json", JSON.stringify(document, null, indent))) ?? {};
    expect(JSON.parse(text)).toEqual(expected);
  }
});

test("a document with equal keys is not changed", async () => {
  const text = given.replace("        mail:", "        when: { type: string, format: datetime }\n$&");
  expect(await fixed("c.yaml", text)).toBeUndefined();
});
