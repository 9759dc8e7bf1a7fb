import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { generate } from "./pipeline.ts";

const folder = temporaryFolder();

/** The contract's sensitive names for a spec whose only operation has these parts. */
async function sensitiveOf(parts: {
  readonly content?: unknown;
  readonly parameters?: readonly unknown[];
  readonly response?: unknown;
  readonly headers?: unknown;
  readonly components?: Readonly<Record<string, unknown>>;
  readonly security?: readonly unknown[];
}): Promise<string> {
  const { content, parameters = [], response = {}, headers = {}, components = {}, security = [] } = parts;
  const spec = {
    openapi: "3.1.1",
    info: { title: "Doors", version: "1.0.0" },
    paths: {
      "/doors": {
        post: {
          operationId: "openDoor",
          security,
          parameters,
          ...(content !== undefined && {
            requestBody: { content: { "application/json": { schema: content } } },
          }),
          responses: {
            200: { description: "Open.", headers, content: { "application/json": { schema: response } } },
          },
        },
      },
    },
    components,
  };
  const file = join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(spec));
  const files = await generate(file);
  return /^ {2}sensitive: \[(.*)\],$/m.exec(files.get("contract.ts") ?? "")?.[1] ?? "";
}

const text = { type: "string" };
const secret = { ...text, "x-sensitive": true };

describe("the sensitive names of a contract", () => {
  it("are those of marked properties in requests and responses, at any depth", async () => {
    const inner = { type: "object", properties: { pin: secret, floor: text } };
    const content = { type: "object", properties: { door: inner, others: { type: "array", items: inner } } };
    const response = { type: "object", properties: { ticket: secret } };
    expect(await sensitiveOf({ content, response })).toBe('"pin", "ticket"');
  });

  it("are found through references, through marked references, and in a recursive schema", async () => {
    const room = {
      type: "object",
      properties: {
        room: { $ref: "#/components/schemas/Room" },
        key: { $ref: "#/components/schemas/Key" },
        word: { $ref: "#/components/schemas/Text", "x-sensitive": true },
        plain: { $ref: "#/components/schemas/Text" },
      },
    };
    const components = { schemas: { Room: room, Key: secret, Text: text } };
    expect(await sensitiveOf({ content: { $ref: "#/components/schemas/Room" }, components })).toBe(
      '"key", "word"',
    );
  });

  it("are found everywhere in a schema, and a value without a name has the name of the value around it", async () => {
    const marked = (name: string) => ({ type: "object", properties: { [name]: secret } });
    const content = {
      type: "object",
      allOf: [marked("a")],
      anyOf: [marked("b"), {}],
      oneOf: [marked("c")],
      if: marked("d"),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: marked("e"),
      else: marked("f"),
      dependentSchemas: { x: marked("g") },
      properties: {
        list: { type: "array", items: secret },
        pair: { type: "array", prefixItems: [text, secret] },
        map: { type: "object", additionalProperties: secret },
        pattern: { type: "object", patternProperties: { "^x": secret } },
      },
    };
    expect(await sensitiveOf({ content })).toBe(
      '"a", "b", "c", "d", "e", "f", "g", "list", "map", "pair", "pattern"',
    );
  });

  it("include an empty name if the whole body is secret", async () => {
    expect(await sensitiveOf({ content: secret })).toBe('""');
  });

  it("are those of parameters and headers that are marked directly or in their schema", async () => {
    const parameters = [
      { name: "pin", in: "query", "x-sensitive": true, schema: text },
      { name: "X-Door", in: "header", schema: secret },
      { name: "floor", in: "query", schema: text },
    ];
    const headers = { "X-Ticket": { "x-sensitive": true, schema: text }, "X-Floor": { schema: text } };
    expect(await sensitiveOf({ parameters, headers })).toBe('"X-Door", "X-Ticket", "pin"');
  });

  it("include only the credentials that an operation needs", async () => {
    const components = {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        badge: { type: "apiKey", in: "header", name: "X-Badge" },
        door: { type: "apiKey", in: "query", name: "door" },
        unused: { type: "apiKey", in: "cookie", name: "unused" },
      },
    };
    const security = [{ bearer: [] }, { badge: [], door: [] }];
    expect(await sensitiveOf({ components, security })).toBe('"Authorization", "X-Badge", "door"');
  });

  it("include every mark except `false`, so that a mistyped mark does not expose a secret", async () => {
    const marked = (mark: unknown) => ({ ...text, "x-sensitive": mark });
    const content = { type: "object", properties: { pin: marked("yes"), code: marked(false), floor: text } };
    expect(await sensitiveOf({ content })).toBe('"pin"');
  });
});
