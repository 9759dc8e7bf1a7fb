import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { generate } from "./pipeline.ts";

const folder = temporaryFolder();
const text = { type: "string" };
const secret = { ...text, "x-sensitive": true };
const inner = { type: "object", properties: { pin: secret, floor: text } };
const room = {
  type: "object",
  properties: {
    room: { $ref: "#/components/schemas/Room" },
    key: { $ref: "#/components/schemas/Key" },
    word: { $ref: "#/components/schemas/Text", "x-sensitive": true },
    plain: { $ref: "#/components/schemas/Text" },
  },
};
const schemas = { Room: room, Key: secret, Text: text };
const securitySchemes = {
  bearer: { type: "http", scheme: "bearer" },
  badge: { type: "apiKey", in: "header", name: "X-Badge" },
  door: { type: "apiKey", in: "query", name: "door" },
  unused: { type: "apiKey", in: "cookie", name: "unused" },
};

interface Parts {
  readonly body?: unknown;
  readonly parameters?: readonly unknown[];
  readonly response?: unknown;
  readonly headers?: unknown;
  readonly security?: readonly unknown[];
}

it.each<[which: string, parts: Parts, want: string]>([
  [
    "are those of marked properties in requests and responses, at any depth",
    {
      body: { type: "object", properties: { door: inner } },
      response: { type: "array", items: { type: "object", properties: { ticket: secret } } },
    },
    '"pin", "ticket"',
  ],
  [
    "are found through references, through marked references, and in a recursive schema",
    { body: { $ref: "#/components/schemas/Room" } },
    '"key", "word"',
  ],
  [
    "are found in every keyword, and a value without a name has the name of the value around it",
    {
      body: {
        type: "object",
        oneOf: [{ properties: { branch: secret } }],
        else: { properties: { condition: secret } },
        properties: {
          list: { type: "array", items: secret },
          pair: { type: "array", prefixItems: [text, secret] },
          map: { type: "object", additionalProperties: secret },
          pattern: { type: "object", patternProperties: { "^x": secret } },
        },
      },
    },
    '"branch", "condition", "list", "map", "pair", "pattern"',
  ],
  ["include an empty name if the whole body is secret", { body: secret }, '""'],
  [
    "are those of parameters and headers that are marked directly or in their schema",
    {
      parameters: [
        { name: "pin", in: "query", "x-sensitive": true, schema: text },
        { name: "X-Door", in: "header", schema: secret },
        { name: "floor", in: "query", schema: text },
      ],
      headers: { "X-Ticket": { "x-sensitive": true, schema: text }, "X-Floor": { schema: text } },
    },
    '"X-Door", "X-Ticket", "pin"',
  ],
  [
    "include only the credentials that an operation needs",
    { security: [{ bearer: [] }, { badge: [], door: [] }] },
    '"Authorization", "X-Badge", "door"',
  ],
  [
    "include every mark except `false`, so that a mistyped mark does not expose a secret",
    {
      body: {
        properties: { pin: { ...text, "x-sensitive": "yes" }, code: { ...text, "x-sensitive": false } },
      },
    },
    '"pin"',
  ],
])("the sensitive names of a contract %s", async (_which, parts, want) => {
  const { body, parameters = [], response = {}, headers = {}, security = [] } = parts;
  const content = (schema: unknown) => ({ content: { "application/json": { schema } } });
  const post = {
    operationId: "openDoor",
    security,
    parameters,
    ...(body !== undefined && { requestBody: content(body) }),
    responses: { 200: { description: "Open.", headers, ...content(response) } },
  };
  const spec = {
    openapi: "3.1.1",
    info: { title: "Doors", version: "1.0.0" },
    paths: { "/doors": { post } },
    components: { schemas, securitySchemes },
  };
  const file = join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(spec));
  expect((await generate(file)).get("contract.ts")).toContain(`\n  sensitive: [${want}],\n`);
});
