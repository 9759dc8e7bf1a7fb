/** Writes and reads bodies of each media type. For schemas, a file is a string with one character for each byte. */
import { isObject, type Json, type JsonObject } from "../openapi/document.ts";
import {
  alternativeOf,
  alternativesOf,
  itemsOf,
  type SchemaNode,
  schemaOfProperty,
  typesAllowed,
} from "../openapi/schema/schema-node.ts";
import { bodyKindOf, parseMediaType } from "./media-types.ts";
import {
  joined,
  type Pair,
  pairsIn,
  percentDecoded,
  percentEncoded,
  type Reading,
  readMedia,
  readPairs,
  type Style,
  typed,
  writePairs,
} from "./styles.ts";

/** A Media Type Object. */
export interface MediaTypeSchema {
  readonly mediaType: string;
  readonly node: SchemaNode;
  /** Keyed by field (OpenAPI 3.1, Encoding Object). */
  readonly encoding: JsonObject;
}

export interface EncodedBody {
  /** The value of Content-Type. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Its letters have a case, which matters. */
const boundary = "Conformance-7d1f4c";

export function writeBody(schema: MediaTypeSchema, value: Json): EncodedBody {
  const mediaType = schema.mediaType.replace("*/*", "application/octet-stream").replace("/*", "/x-any");
  switch (bodyKindOf(mediaType)) {
    case "json":
      return { mediaType, bytes: Buffer.from(JSON.stringify(value)) };
    case "text":
      return { mediaType, bytes: Buffer.from(String(value)) };
    case "bytes":
      return { mediaType, bytes: bytesOf(value) };
    case "form": {
      const pairs = entriesIn(value).flatMap(([name, field]) => {
        const how = fieldStyle(schema, name);
        return (how.isRepeated ? [field].flat() : [field]).flatMap((item) =>
          writePairs(how, item, formEncoded),
        );
      });
      return { mediaType, bytes: Buffer.from(pairs.map(joined).join("&")) };
    }
    case "multipart": {
      const parts = entriesIn(value).flatMap(([name, field]) => partsOf(schema, name, field));
      const end = Buffer.from(`--${boundary}--\r\n`);
      return { mediaType: `${mediaType}; boundary=${boundary}`, bytes: Buffer.concat([...parts, end]) };
    }
  }
}

/** A parameter that is the whole query is written like a body. */
export function writeQuerystring({ mediaType = "", node }: Style, value: Json): string {
  const text = Buffer.from(writeBody({ mediaType, node, encoding: {} }, value).bytes).toString();
  return bodyKindOf(mediaType) === "json" ? percentEncoded(text) : text;
}

export function readQuerystring({ mediaType = "", node }: Style, query: string): Reading {
  const text = bodyKindOf(mediaType) === "json" ? percentDecoded(query) : query;
  return readBody({ mediaType, node, encoding: {} }, mediaType, Buffer.from(text));
}

/** In a form, a space is written as a plus sign (URL standard, section 5.2). */
function formEncoded(text: string): string {
  return percentEncoded(text).replaceAll("%20", "+");
}

function entriesIn(value: Json): [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** Bytes that are neither UTF-8 nor any other text. A service may change line breaks, trim them, or end at NUL. */
const binary = [0x0a, 0x89, 0x50, 0x0d, 0x0a, 0x00, 0xff, 0x1a];

/** Writes one byte for each character. */
function bytesOf(value: Json): Uint8Array {
  return Buffer.from([...String(value)].map((_, at) => binary[at % binary.length] ?? 0));
}

/** How a form's field is written. Objects are written as JSON unless the field has a style (Encoding Object). */
export function fieldStyle({ node, encoding, mediaType }: MediaTypeSchema, name: string): Style {
  const own = encoding[name];
  const { style: given, explode, contentType } = isObject(own) ? own : {};
  const field = fieldNode(node, name);
  const style = String(given ?? "form");
  const isMultipart = bodyKindOf(mediaType) === "multipart";
  const type =
    given === undefined || isMultipart ? (contentType ?? defaultType(field, isMultipart)) : undefined;
  return {
    name,
    in: "query",
    style,
    explode: typeof explode === "boolean" ? explode : style === "form",
    mediaType: type === undefined ? undefined : String(type).split(",")[0],
    isRepeated: type !== undefined && itemNode(field) !== undefined,
    node: field,
  };
}

function fieldNode(node: SchemaNode, name: string): SchemaNode {
  const schemas = alternativesOf(node).flatMap((each) => schemaOfProperty(each, name) ?? []);
  return node.nodeOf(schemas.length > 1 ? { anyOf: schemas } : (schemas[0] ?? { type: "string" }));
}

function defaultType(field: SchemaNode, isMultipart: boolean): string | undefined {
  const alternatives = alternativesOf(itemNode(field) ?? field);
  const has = (type: string) => alternatives.some((each) => typesAllowed(each)?.includes(type));
  if (has("object") && !has("string")) return "application/json";
  const isFile = alternatives.some(({ parts }) =>
    parts.some(({ format, contentMediaType }) => format === "binary" || contentMediaType !== undefined),
  );
  const isOfAnything = alternatives.every((each) => typesAllowed(each) === undefined);
  return isMultipart && (isFile || isOfAnything) ? "application/octet-stream" : undefined;
}

/** The schema of the items if the field is an array. Undefined for any other field. */
function itemNode(field: SchemaNode): SchemaNode | undefined {
  const array = alternativeOf(field, "array");
  return array?.nodeOf(itemsOf(array) ?? true);
}

/** Writes the parts of a multipart body (RFC 7578). Each item of an array is a separate part. */
function partsOf(schema: MediaTypeSchema, name: string, value: Json): Uint8Array[] {
  const { mediaType } = fieldStyle(schema, name);
  const kind = mediaType === undefined ? "text" : bodyKindOf(mediaType);
  const escaped = name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
  const disposition = `Content-Disposition: form-data; name="${escaped}"${kind === "bytes" ? '; filename="file"' : ""}`;
  const head = [
    `--${boundary}`,
    disposition,
    ...(mediaType === undefined ? [] : [`Content-Type: ${mediaType}`]),
  ];
  return [value]
    .flat()
    .map((item) =>
      Buffer.concat([
        Buffer.from(`${head.join("\r\n")}\r\n\r\n`),
        kind === "bytes" ? bytesOf(item) : Buffer.from(kind === "json" ? JSON.stringify(item) : String(item)),
        Buffer.from("\r\n"),
      ]),
    );
}

const malformed = { problem: "cannot be read as its media type" };

/** @param contentType the header, for the boundary of multipart bodies */
export function readBody(schema: MediaTypeSchema, contentType: string, body: Uint8Array): Reading {
  const kind = bodyKindOf(contentType);
  if (kind === "bytes") return { value: "\0".repeat(body.byteLength) };
  if (kind === "multipart") return readMultipart(schema, contentType, body);
  let text: string;
  try {
    text = decodedText(
      body,
      kind === "text" ? parseMediaType(contentType).parameters.get("charset") : undefined,
    );
  } catch {
    return malformed;
  }
  if (kind === "form") return readFields(schema, text);
  const read = readMedia(contentType, text);
  // Half of a surrogate pair is not valid text (RFC 7493, section 2.1).
  const isUnicode = "problem" in read || JSON.stringify(read.value).search(/\\ud[89a-f]/) === -1;
  return "problem" in read || !isUnicode ? malformed : read;
}

/** @throws TypeError if the bytes do not have the charset. RangeError if it is unknown */
function decodedText(bytes: Uint8Array, charset = "utf-8"): string {
  // The Encoding standard reads this label as Windows-1252.
  if (charset === "us-ascii" && bytes.some((byte) => byte > 0x7f)) throw new TypeError("not ASCII");
  return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
}

function readFields(schema: MediaTypeSchema, text: string): Reading {
  const ownerOf = (name: string): string => {
    const [outer = ""] = name.split("[", 1);
    return fieldStyle(schema, outer).style === "deepObject" ? outer : name;
  };
  const fields = [...new URLSearchParams(text)];
  const names = new Set(fields.map(([name]) => ownerOf(name)));
  return fieldsRead(names, (name) => {
    const how = fieldStyle(schema, name);
    const { mediaType } = how;
    if (mediaType === undefined) return readPairs(how, pairsIn(text, "&"), []);
    const own = fields.filter(([each]) => each === name);
    return readItems(
      how,
      own.map(([, value]) => readMedia(mediaType, value)),
    );
  });
}

/** Reads the value of a field that has a media type. */
function readItems({ isRepeated }: Style, read: readonly Reading[]): Reading {
  const problem = read.find((each) => "problem" in each);
  if (problem !== undefined) return problem;
  const values = read.flatMap((each) => ("value" in each ? [each.value] : []));
  return { value: values.length > 1 || isRepeated ? values : (values[0] ?? null) };
}

function fieldsRead(names: Iterable<string>, read: (name: string) => Reading | undefined): Reading {
  const value: JsonObject = {};
  for (const name of names) {
    const field = read(name);
    if (field !== undefined && "problem" in field) return malformed;
    if (field !== undefined) value[name] = field.value;
  }
  return { value };
}

function readMultipart(schema: MediaTypeSchema, contentType: string, body: Uint8Array): Reading {
  // A media type is lowercased, but the case of its parameters matters.
  const [, own] = /;\s*boundary="?([^";]+)/i.exec(contentType) ?? [];
  const bytes = Buffer.from(body).toString("latin1");
  const [first, ...parts] = `\r\n${bytes}`.split(`\r\n--${own}`);
  if (own === undefined || first !== "" || !parts.at(-1)?.startsWith("--")) return malformed;
  const fields: Pair[] = [];
  for (const part of parts.slice(0, -1)) {
    const [head = "", body] = part.split(/\r\n\r\n(.*)/s, 2);
    const [, name] = /;\s*name="([^"]*)"/.exec(head) ?? [];
    if (name === undefined || body === undefined) return malformed;
    fields.push([Buffer.from(name, "latin1").toString("utf8"), body]);
  }
  const groups = Map.groupBy(fields, ([name]) => name);
  return fieldsRead(groups.keys(), (name) => {
    const how = fieldStyle(schema, name);
    const bodies = (groups.get(name) ?? []).map(([, body]) => body);
    const { node, mediaType } = how;
    if (mediaType === undefined) return { value: typed(node, bodies.map(utf8)) };
    const isFile = bodyKindOf(mediaType) === "bytes";
    const read = bodies.map((body) =>
      isFile ? { value: "\0".repeat(body.length) } : readMedia(mediaType, utf8(body)),
    );
    return readItems(how, read);
  });
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, "latin1").toString("utf8");
}
