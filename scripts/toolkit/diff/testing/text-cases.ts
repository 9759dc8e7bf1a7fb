/** Changes of values that are sent as text. */
import type { Json, JsonObject } from "../../openapi/document.ts";
import type { Impact } from "../changes.ts";
import {
  body,
  closed,
  documentWith,
  inRequest,
  integer,
  json,
  list,
  number,
  ofPath,
  open,
  parameter,
  type Row,
  responses,
  string,
  text,
} from "./notation.ts";

const boolean = { type: "boolean" };
const texts = list({ items: text });
const form = (
  field: Json,
  encoding: JsonObject = {},
  type = "application/x-www-form-urlencoded",
): JsonObject => body({ [type]: { schema: open({ field }), encoding } });
const query = (schema: Json, more: JsonObject = {}): JsonObject => parameter({ schema, ...more });
const inHeader = (schema: Json): JsonObject => query(schema, { in: "header", name: "X-A" });
const inCookie = (schema: Json, more: JsonObject = {}): JsonObject =>
  query(schema, { in: "cookie", ...more });
const header = (schema: Json): JsonObject => responses({ 200: { headers: { "X-A": { schema } } } });
const deepObject = (schema: Json): JsonObject => query(schema, { style: "deepObject" });

/** Changes of values that are sent as text: two numbers are the same text as two strings. */
const asText: readonly (readonly [title: string, old: JsonObject, now: JsonObject, expected: Impact])[] = [
  ["a query parameter: integer to string", query(integer), query(text), "minor"],
  ["a query parameter: string to integer", query(text), query(integer), "major"],
  ["a query parameter: integer to number", query(integer), query(number), "minor"],
  [
    "a query parameter: boolean to its two texts",
    query(boolean),
    query(string({ enum: ["true", "false"] })),
    "patch",
  ],
  [
    "a query parameter: boolean to one of its texts",
    query(boolean),
    query(string({ enum: ["true"] })),
    "major",
  ],
  [
    "a query parameter: boolean to three texts",
    query(boolean),
    query(string({ enum: ["true", "false", "maybe"] })),
    "minor",
  ],
  [
    "a query parameter: texts to integers",
    query(string({ enum: ["1", "2"] })),
    query({ ...integer, enum: [1, 2] }),
    "patch",
  ],
  ["a query parameter: string to list", query(text), query(texts), "minor"],
  ["a query parameter: list to string", query(texts), query(text), "major"],
  ["a query parameter: integer to a list of strings", query(integer), query(texts), "minor"],
  ["a query parameter: string to a list of integers", query(text), query(list({ items: integer })), "major"],
  [
    "a query parameter: string to a list of at least two",
    query(text),
    query(list({ items: text, minItems: 2 })),
    "major",
  ],
  [
    "a query parameter: string to a list that is not exploded",
    query(text),
    query(texts, { explode: false }),
    "major",
  ],
  [
    "a query parameter: a list of integers to a list of strings",
    query(list({ items: integer })),
    query(texts),
    "minor",
  ],
  [
    "a query parameter: a list of strings to a list of integers",
    query(texts),
    query(list({ items: integer })),
    "major",
  ],
  [
    "a query parameter: integer to string with maxLength",
    query(integer),
    query(string({ maxLength: 3 })),
    "major",
  ],
  [
    "a query parameter: a value of an enum is removed",
    query(string({ enum: ["a", "b"] })),
    query(string({ enum: ["a"] })),
    "major",
  ],
  ["a path parameter: integer to string", ofPath("id", { schema: integer }), ofPath("id"), "minor"],
  ["a path parameter: string to integer", ofPath("id"), ofPath("id", { schema: integer }), "major"],
  ["a header: integer to string", inHeader(integer), inHeader(text), "minor"],
  ["a header: string to boolean", inHeader(text), inHeader(boolean), "major"],
  ["a cookie: integer to string", inCookie(integer), inCookie(text), "minor"],
  ["a cookie: string to integer", inCookie(text), inCookie(integer), "major"],
  [
    "a JSON parameter: integer to string",
    parameter({ schema: undefined as unknown as Json, content: json(integer) }),
    parameter({ schema: undefined as unknown as Json, content: json(text) }),
    "major",
  ],
  ["a form field: integer to string", form(integer), form(text), "minor"],
  ["a form field: string to integer", form(text), form(integer), "major"],
  [
    "a form field: boolean to its two texts",
    form(boolean),
    form(string({ enum: ["true", "false"] })),
    "patch",
  ],
  ["a form field: string to list", form(text), form(texts), "minor"],
  [
    "a multipart field: integer to string",
    form(integer, {}, "multipart/form-data"),
    form(text, {}, "multipart/form-data"),
    "minor",
  ],
  [
    "a multipart field: string to integer",
    form(text, {}, "multipart/form-data"),
    form(integer, {}, "multipart/form-data"),
    "major",
  ],
  [
    "a JSON part of a form: integer to string",
    form(integer, { field: { contentType: "application/json" } }, "multipart/form-data"),
    form(text, { field: { contentType: "application/json" } }, "multipart/form-data"),
    "major",
  ],
  ["a response header: string to integer", header(text), header(integer), "minor"],
  ["a response header: integer to string", header(integer), header(text), "major"],
  ["a response header: number to integer", header(number), header(integer), "minor"],
  [
    "a property of a deepObject parameter is removed",
    deepObject(closed({ a: text, b: text })),
    deepObject(closed({ a: text })),
    "major",
  ],
  [
    "a property of a deepObject parameter: integer to string",
    deepObject(open({ a: integer })),
    deepObject(open({ a: text })),
    "minor",
  ],
  ["JSON is not text: integer to string", inRequest(integer), inRequest(text), "major"],
  [
    "JSON is not text: boolean to texts",
    inRequest(boolean),
    inRequest(string({ enum: ["true", "false"] })),
    "major",
  ],
];

export const textCases: readonly Row[] = asText.map(([title, old, now, expected]) => [
  title,
  documentWith(old),
  documentWith(now),
  expected,
]);
