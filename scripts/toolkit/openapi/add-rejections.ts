/**
 * Adds to a document the errors that the server returns before a handler runs. It only inserts text, so comments and
 * layout do not change.
 */
import {
  type Document,
  isAlias,
  isCollection,
  isPair,
  isScalar,
  type Node,
  parseDocument,
  stringify,
  type YAMLMap,
} from "yaml";
import { matchType } from "#specbind/media-type";
import {
  entriesOf,
  follow,
  isObject,
  type Json,
  type JsonObject,
  pointerTo,
  tokensOf,
  valueAt,
} from "./document.ts";
import { operationsIn } from "./grammar.ts";
import { type RejectionStatus, rejectionsOf, usualSchema } from "./rejections.ts";

const problemDetails = "application/problem+json";
const schemaName = "Rejection";
const text = { type: "string" };

const schema: JsonObject = {
  description: "An error that the service returns before the operation runs, as problem details (RFC 9457).",
  type: "object",
  required: ["type", "title", "status", "detail", "code", "request_id"],
  properties: {
    ...{ type: text, title: text, status: { type: "integer" }, detail: text, code: text, request_id: text },
    problems: {
      type: "array",
      items: {
        type: "object",
        required: ["in", "pointer", "message"],
        properties: { in: text, pointer: text, message: text },
      },
    },
  },
};

const descriptions: { readonly [Status in RejectionStatus]: string } = {
  "400": "The request cannot be read.",
  "401": "The credential is missing or not valid.",
  "403": "The credential may not call this operation.",
  "413": "The request body is too large.",
  "415": "The media type of the request body is not supported.",
  "422": "The request is not valid.",
};

export interface WithRejections {
  readonly text: string;
  /** The number of responses that were added or got a body. */
  readonly added: number;
  readonly mediaType: string;
  /** Operations and paths that were not changed because a part of them is in another file. */
  readonly elsewhere: readonly string[];
}

/**
 * The responses are problem details (RFC 9457), or have the usual schema of the document's errors.
 *
 * @param given YAML or JSON. It is not changed if it has syntax errors
 * @param ownType the media type of the document's errors, if the server's errors have their form
 */
export function withRejections(given: string, ownType?: string): WithRejections {
  // All scalars are read as strings, because statuses need no quotes in YAML.
  const document = parseDocument(given, { schema: "failsafe" });
  if (document.errors.length > 0) return { text: given, added: 0, mediaType: problemDetails, elsewhere: [] };
  const json: Json = document.toJSON();
  const isRepeated = valueAt(json, pointerTo("/components/schemas", schemaName)) !== undefined;
  const ownSchema = ownType === undefined || isRepeated ? undefined : usualSchema(json, ownType);
  const mediaType = ownType !== undefined && ownSchema !== undefined ? ownType : problemDetails;
  const body = { schema: { $ref: ownSchema ?? `#/components/schemas/${schemaName}` } };
  const content: JsonObject = { [mediaType]: body };
  const added = new Map<string, { [key: string]: Json }>();
  const elsewhere = new Set<string>();
  const add = (map: string, key: string, value: Json): void => {
    added.set(map, { ...added.get(map), [key]: value });
  };

  for (const path of keysOf(valueAt(json, "/paths")).filter((key) => key.startsWith("/"))) {
    const item = follow(json, pointerTo("/paths", path));
    if (keysOf(item.value).includes("$ref")) elsewhere.add(path);
    for (const { pointer, method, operation } of operationsIn(item.value)) {
      const place = item.pointer + pointer;
      const responses = follow(json, pointerTo(place, "responses"));
      const name = `${method} ${path}`;
      if (!isObject(responses.value)) elsewhere.add(name);
      else
        for (const status of rejectionsOf(json, operation, item.value, responses.value)) {
          const response = follow(json, pointerTo(responses.pointer, status));
          const bodies = follow(json, pointerTo(response.pointer, "content"));
          if (response.value === undefined)
            add(responses.pointer, status, { description: descriptions[status], content });
          else if (!isObject(response.value) || "$ref" in response.value) elsewhere.add(name);
          else if (!isObject(bodies.value)) add(response.pointer, "content", content);
          else if (!matchType(mediaType, keysOf(bodies.value))) add(bodies.pointer, mediaType, body);
        }
    }
  }
  const count = [...byMap(document, added).values()].reduce(
    (sum, entries) => sum + keysOf(entries).length,
    0,
  );
  if (count > 0 && ownSchema === undefined) {
    const way = ["components", "schemas", schemaName];
    const known = way.findIndex(
      (_, index) => valueAt(json, pointerTo("", ...way.slice(0, index + 1))) === undefined,
    );
    const below = way.slice(known + 1).reduceRight<Json>((value, key) => ({ [key]: value }), schema);
    if (known !== -1) add(pointerTo("", ...way.slice(0, known)), way[known] ?? "", below);
  }
  const insertions = [...byMap(document, added)].map(([map, entries]) => insertion(given, map, entries));
  // Texts are inserted from the end, so that the other positions stay correct. If several maps end at the same
  // position, the entries of the inner map come first.
  const ordered = insertions.toSorted(
    (one, other) => other.offset - one.offset || one.indent.length - other.indent.length,
  );
  const text = ordered.reduce(
    (now, { offset, lines }) => now.slice(0, offset) + lines + now.slice(offset),
    given,
  );
  return { text, added: count, mediaType, elsewhere: [...elsewhere] };
}

/** Several pointers lead to a map that has an alias. */
function byMap(document: Document, added: ReadonlyMap<string, JsonObject>): Map<YAMLMap, JsonObject> {
  const maps = new Map<YAMLMap, JsonObject>();
  for (const [pointer, entries] of added) {
    const map = tokensOf(pointer).reduce<unknown>((node, token) => {
      const value = isCollection(node) ? node.get(token, true) : undefined;
      return isAlias(value) ? value.resolve(document) : value;
    }, document.contents) as YAMLMap;
    maps.set(map, { ...maps.get(map), ...entries });
  }
  return maps;
}

function keysOf(value: Json | undefined): string[] {
  return entriesOf(value).map(([key]) => key);
}

/** The text that adds entries to a map, and the position of the text. */
function insertion(
  given: string,
  map: YAMLMap,
  entries: object,
): { offset: number; indent: string; lines: string } {
  const [first] = map.items;
  const start = isPair(first) && isScalar(first.key) ? (first.key.range?.[0] ?? 0) : undefined;
  const lineStart = given.lastIndexOf("\n", (start ?? 0) - 1) + 1;
  const before = given.slice(lineStart, start);
  if (map.flow || start === undefined) {
    const json = Object.entries(entries).map(
      ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
    );
    const separator = /^\s*$/.test(before) && given[lineStart - 1] === "\n" ? `,\n${before}` : ", ";
    if (start === undefined) return { offset: (map.range?.[0] ?? 0) + 1, indent: "", lines: json.join(", ") };
    return {
      offset: endOf(map.items.at(-1)?.value as Node),
      indent: "",
      lines: separator + json.join(separator),
    };
  }
  const indent = " ".repeat(start - lineStart);
  const lines = stringify(entries, { lineWidth: 0, aliasDuplicateObjects: false }).replaceAll(
    /^(?=.)/gm,
    indent,
  );
  const leaf = lastLeaf(map);
  const end = endOf(leaf);
  const isAtLine = given[end - 1] === "\n";
  const next = isAtLine ? end : given.indexOf("\n", end) + 1;
  return next === 0 ? { offset: given.length, indent, lines: `\n${lines}` } : { offset: next, indent, lines };
}

export function endOf(node: Node): number {
  return node.range?.[1] ?? 0;
}

/** The last scalar or flow collection. Only for these does the parser give the exact end of the text. */
export function lastLeaf(node: Node): Node {
  if (!isCollection(node) || node.flow) return node;
  const last: unknown = node.items.at(-1);
  if (!isPair(last)) return last === undefined ? node : lastLeaf(last as Node);
  const isEmpty = isScalar(last.value) && last.value.range?.[0] === last.value.range?.[1];
  return last.value === null || isEmpty ? (last.key as Node) : lastLeaf(last.value as Node);
}
