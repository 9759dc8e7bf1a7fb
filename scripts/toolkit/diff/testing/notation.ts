/** A short notation for schemas, and for documents that contain them. */
import type { Json, JsonObject } from "../../openapi/document.ts";
import type { Impact } from "../changes.ts";

/** The documents and the expected verdict of a change. The verdict is undefined if no report is expected. */
export type Row = readonly [title: string, old: JsonObject, now: JsonObject, expected: Impact | undefined];

export const text = { type: "string" };
export const number = { type: "number" };
export const integer = { type: "integer" };
export const string = (more: JsonObject): JsonObject => ({ type: "string", ...more });
export const matching = (pattern: string): JsonObject => string({ pattern });
export const list = (more: JsonObject = {}): JsonObject => ({ type: "array", ...more });
export const object = (more: JsonObject = {}): JsonObject => ({ type: "object", ...more });
export const open = (properties: JsonObject, required: string[] = [], more: JsonObject = {}): JsonObject =>
  object({ required, properties, ...more });
export const closed = (properties: JsonObject, required: string[] = []): JsonObject =>
  open(properties, required, { additionalProperties: false });
export const ref = (name: string, more: JsonObject = {}): JsonObject => ({
  $ref: `#/components/schemas/${name}`,
  ...more,
});

/** @param more other top-level members of the document */
export function documentWith(operation: JsonObject, more: JsonObject = {}, openapi = "3.1.0"): JsonObject {
  const made = { operationId: "makeThing", responses: { "204": { description: "Made." } } };
  return { ...withPaths({ "/things": { post: { ...made, ...operation } } }, more), openapi };
}

export function withPaths(paths: JsonObject, more: JsonObject = {}): JsonObject {
  return { openapi: "3.1.0", info: { title: "Things", version: "1.0.0" }, paths, ...more };
}

export const json = (schema: Json): JsonObject => ({ "application/json": { schema } });
export const body = (content: JsonObject, required = true): JsonObject => ({
  requestBody: { required, content },
});
/** Responses, keyed by status. Each gets a description. */
export const responses = (some: { readonly [status: string]: JsonObject }): JsonObject => ({
  responses: Object.fromEntries(
    Object.entries(some).map(([status, more]) => [status, { description: "It.", ...more }]),
  ),
});
export const inRequest = (schema: Json): JsonObject => body(json(schema));
export const inResponse = (schema: Json): JsonObject => responses({ "200": { content: json(schema) } });
export const parameter = (more: JsonObject): JsonObject => ({
  parameters: [{ name: "q", in: "query", schema: text, ...more }],
});

export const get = (more: JsonObject = {}): JsonObject => ({
  get: { responses: { "204": { description: "Done." } }, ...more },
});
export const ofPath = (name: string, more: JsonObject = {}): JsonObject =>
  parameter({ name, in: "path", required: true, ...more });
export const schemas = (some: JsonObject): JsonObject => ({ components: { schemas: some } });
