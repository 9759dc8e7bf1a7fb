/** Changes that look like breaks but are compatible. Next to each is a similar one that breaks callers. */
import type { Json, JsonObject } from "../../openapi/document.ts";
import type { Impact } from "../changes.ts";
import {
  body,
  type Case,
  caseOf,
  documentWith,
  get,
  inRequest,
  inResponse,
  integer,
  open,
  type Row,
  ref,
  responses,
  schemas,
  string,
  text,
  withPaths,
} from "./notation.ts";

const bytes = "application/octet-stream";
const binary = string({ format: "binary" });
const content = (type: string, schema?: Json): JsonObject => ({
  [type]: schema === undefined ? {} : { schema },
});
const upload = (schema?: Json): JsonObject => body(content(bytes, schema));
const form = (file: Json): JsonObject => body(content("multipart/form-data", open({ file, name: text })));
const files = (file: Json): JsonObject => form({ type: "array", items: file });
const download = (schema?: Json): JsonObject =>
  responses({ "200": { content: content("image/png", schema) } });

/** The older document uses OpenAPI 3.0. The newer one uses 3.1. */
const uploads: readonly (readonly [
  title: string,
  old: JsonObject,
  now: JsonObject,
  expected: Impact | undefined,
])[] = [
  ["the schema of an upload is removed", upload(binary), upload(), "patch"],
  ["the schema of an upload becomes empty", upload(binary), upload({}), "patch"],
  ["an upload gets a maximum length", upload(binary), upload(string({ maxLength: 9 })), "major"],
  ["a file in a form gets contentMediaType", form(binary), form({ contentMediaType: bytes }), "patch"],
  ["the schema of a form's files becomes empty", files(binary), files({}), "patch"],
  ["a file in a form becomes a number", form(binary), form(integer), "major"],
  ["the schema of a download is removed", download(binary), download(), "patch"],
  ["a download becomes JSON", download(binary), inResponse(text), "major"],
];

type SchemaRow = readonly [title: string, old: Json, now: Json, expected: Impact | undefined];

/** Both documents use OpenAPI 3.0. */
const older: readonly SchemaRow[] = [
  ["nullable is added", text, string({ nullable: true }), "minor"],
  ["nullable is removed", string({ nullable: true }), text, "major"],
  ["exclusiveMinimum is added", { minimum: 0 }, { minimum: 0, exclusiveMinimum: true }, "major"],
];

/** The older document uses OpenAPI 3.0. The newer one uses 3.1. */
const upgraded: readonly SchemaRow[] = [
  ["nullable becomes the type null", string({ nullable: true }), { type: ["string", "null"] }, undefined],
  ["nullable is removed", string({ nullable: true }), text, "major"],
  ["format byte becomes base64", string({ format: "byte" }), string({ contentEncoding: "base64" }), "patch"],
  [
    "format byte becomes base64url",
    string({ format: "byte" }),
    string({ contentEncoding: "base64url" }),
    "major",
  ],
];

const user = (id: JsonObject, required: string[] = []): JsonObject =>
  documentWith(
    { ...inRequest(ref("User")), ...inResponse(ref("User")) },
    schemas({ User: open({ id, name: text }, required) }),
  );
const readOnlyId = string({ readOnly: true });
const withComponent = (some: JsonObject): JsonObject => documentWith({}, schemas(some));
const paths = (item: JsonObject): JsonObject => withPaths({ "/a": get(), "/b": item });
const a = withPaths({ "/a": get() });

const rows: readonly Row[] = [
  ["a component that nothing uses is removed", withComponent({ A: text }), withComponent({}), "patch"],
  ["a component that nothing uses is added", withComponent({}), withComponent({ A: text }), "patch"],
  ["readOnly is removed from a shared schema", user(readOnlyId), user(text), "minor"],
  ["readOnly is added in a shared schema", user(text), user(readOnlyId), "major"],
  ["writeOnly is removed from a shared schema", user(string({ writeOnly: true })), user(text), "minor"],
  ["writeOnly is added in a shared schema", user(text), user(string({ writeOnly: true })), "major"],
  ["a path without operations is removed", paths({}), a, "patch"],
  ["a path with only parameters is removed", paths({ parameters: [] }), a, "patch"],
  ["a path with an operation is removed", paths(get()), a, "major"],
];

export const meaningCases: readonly Case[] = [
  ...uploads.map(([title, old, now, expected]) =>
    caseOf([`OpenAPI 3.0 to 3.1: ${title}`, documentWith(old, {}, "3.0.3"), documentWith(now), expected]),
  ),
  ...older.map(([title, old, now, expected]) => {
    const of = (schema: Json): JsonObject => documentWith(inRequest(schema), {}, "3.0.3");
    return caseOf([`OpenAPI 3.0: ${title}`, of(old), of(now), expected]);
  }),
  ...upgraded.map(([title, old, now, expected]) =>
    caseOf([
      `OpenAPI 3.0 to 3.1: ${title}`,
      documentWith(inRequest(old), {}, "3.0.3"),
      documentWith(inRequest(now)),
      expected,
    ]),
  ),
  ...rows.map(caseOf),
];
