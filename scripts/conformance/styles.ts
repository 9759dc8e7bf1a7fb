/**
 * Writes and reads parameters, form fields and headers in the styles of OpenAPI 3.1, section 4.8.12 ("Style Values"),
 * which are those of RFC 6570. Names and values are percent-encoded, separators are not.
 */
import { isObject, type Json } from "../openapi/document.ts";
import type { Constraint } from "./constraints.ts";
import { bodyKindOf } from "./media-types.ts";
import {
  alternativeOf,
  alternativesOf,
  itemsOf,
  type SchemaNode,
  schemaOfProperty,
  typesAllowed,
} from "./schema-node.ts";

/** How a value is written. */
export interface Style {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly style: string;
  readonly explode: boolean;
  /** If present, the text is of this media type, and `style` and `explode` do not apply. */
  readonly mediaType: string | undefined;
  readonly node: SchemaNode;
}

/** A name and a value, encoded. */
export type Pair = readonly [name: string, value: string];

/** All characters but the unreserved ones of RFC 3986 are encoded (RFC 6570, section 3.2.1). */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function encoderOf({ in: place }: Style): (text: string) => string {
  return place === "header" ? (text) => text : percentEncoded;
}

function decoderOf({ in: place }: Style): (text: string) => string {
  if (place === "header") return (text) => text.trim();
  return place === "query" ? (text) => percentDecoded(text.replaceAll("+", " ")) : percentDecoded;
}

/** The text in a path or a header. */
export function writeText(how: Style, value: Json): string {
  const { style, explode, mediaType } = how;
  const encode = encoderOf(how);
  if (mediaType !== undefined) return encode(mediaText(mediaType, value));
  const prefix = { label: ".", matrix: ";" }[style] ?? "";
  const separator = explode && prefix !== "" ? prefix : ",";
  const isNamed = style === "matrix";
  const name = encode(how.name);
  if (explode && isObject(value)) return prefix + pairsOf(value, encode).map(joined).join(separator);
  const texts = textsOf(value, encode);
  if (!isNamed) return prefix + texts.join(separator);
  const named = explode ? texts : [texts.join(",")];
  // Without a value, matrix has no equals sign (RFC 6570, section 3.2.7).
  return named.map((text) => (text === "" ? `;${name}` : `;${name}=${text}`)).join("");
}

/** The pairs in a query, a form or a cookie. */
export function writePairs(how: Style, value: Json, encode = encoderOf(how)): Pair[] {
  const { style, explode, mediaType } = how;
  const name = encode(how.name);
  if (mediaType !== undefined) return [[name, encode(mediaText(mediaType, value))]];
  if (style === "deepObject") return deepPairs(name, value, encode);
  if (explode && isObject(value)) return pairsOf(value, encode);
  const texts = textsOf(value, encode);
  if (explode) return texts.map((text) => [name, text]);
  const separator = { spaceDelimited: "%20", pipeDelimited: "%7C" }[style] ?? ",";
  return [[name, texts.join(separator)]];
}

/** OpenAPI leaves deeper objects and arrays open. They are written as most libraries do: `a[b][c]=1` and `a[b]=1&a[b]=2`. */
function deepPairs(name: string, value: Json, encode: (text: string) => string): Pair[] {
  if (!isObject(value)) return textsOf(value, encode).map((text) => [name, text]);
  return Object.entries(value).flatMap(([key, held]) => deepPairs(`${name}[${encode(key)}]`, held, encode));
}

function mediaText(mediaType: string, value: Json): string {
  return bodyKindOf(mediaType) === "json" ? JSON.stringify(value) : String(value);
}

function pairsOf(value: { [key: string]: Json }, encode: (text: string) => string): Pair[] {
  return Object.entries(value).flatMap(([key, held]) =>
    textsOf(held, encode).map((text): Pair => [encode(key), text]),
  );
}

function textsOf(value: Json, encode: (text: string) => string): string[] {
  if (isObject(value)) return pairsOf(value, encode).flat();
  return [value].flat().map((item) => encode(isObject(item) ? JSON.stringify(item) : String(item)));
}

export function joined([name, value]: Pair): string {
  return `${name}=${value}`;
}

/** The value before validation; `problem` if it is not written in its style. */
export type Reading = { readonly value: Json } | { readonly problem: string };

const misplaced = { problem: "is not written in its style" };
const repeated = { problem: "must be given once" };

/** Reads the text of a path parameter or a header. */
export function readText(how: Style, text: string): Reading {
  const { style, explode } = how;
  const decode = decoderOf(how);
  if (how.mediaType !== undefined) return readMedia(how.mediaType, decode(text));
  if (style === "simple") return readParts(how, [text], ",", decode);
  const prefix = style === "label" ? "." : ";";
  if (!text.startsWith(prefix)) return misplaced;
  const rest = text.slice(1);
  if (style === "label") return readParts(how, [rest], explode ? "." : ",", decode);
  const parts = rest.split(";");
  const name = percentEncoded(how.name);
  if (parts.every((part) => part === name || part.startsWith(`${name}=`))) {
    const values = parts.map((part) => part.slice(name.length + 1));
    return readParts(how, values, ",", decode);
  }
  return explode ? objectOf(how, parts, decode) : misplaced;
}

/**
 * Reads a value from the pairs of a query, a form or a cookie; undefined if it is absent.
 *
 * @param others that may own pairs of an exploded object
 */
export function readPairs(how: Style, pairs: readonly Pair[], others: readonly Style[]): Reading | undefined {
  const { name, style, explode, mediaType, node } = how;
  const decode = decoderOf(how);
  const named = pairs.map(([key, value]): Pair => [decode(key), value]);
  if (style === "deepObject") {
    const own = named.filter(([key]) => key.startsWith(`${name}[`) && key.endsWith("]"));
    return own.length === 0 ? undefined : { value: deepValue(node, own, name.length, decode) };
  }
  const texts = named.filter(([key]) => key === name).map(([, value]) => value);
  const object = alternativeOf(node, "object");
  if (texts.length === 0 && explode && mediaType === undefined && object !== undefined) {
    const isClaimed = (key: string) =>
      others.some((each) => each.name === key || key.startsWith(`${each.name}[`));
    const isOwn = (key: string) =>
      object.properties.has(key) || (isObject(schemaOfProperty(object, key)) && !isClaimed(key));
    const own = Map.groupBy(
      named.filter(([key]) => isOwn(key)),
      ([key]) => key,
    );
    if (own.size === 0) return undefined;
    const entries = [...own].map(([key, group]) => {
      const values = group.map(([, value]) => decode(value));
      return [key, manyOf(object.nodeOf(schemaOfProperty(object, key) ?? true), values)] as const;
    });
    const wrong = entries.find(([, value]) => value === undefined);
    return wrong
      ? { problem: `${wrong[0]} ${repeated.problem}` }
      : { value: Object.fromEntries(entries) as Json };
  }
  const [first, ...more] = texts;
  if (first === undefined) return undefined;
  if (mediaType !== undefined) return more.length > 0 ? repeated : readMedia(mediaType, decode(first));
  if (explode) {
    const value = manyOf(node, texts.map(decode));
    return value === undefined ? repeated : { value };
  }
  if (more.length > 0) return repeated;
  const separator = { spaceDelimited: /%20|\+| /, pipeDelimited: /%7C|\|/i }[style] ?? ",";
  return readParts(how, [first], separator, decode);
}

export function readMedia(mediaType: string, text: string): Reading {
  if (bodyKindOf(mediaType) !== "json") return { value: text };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: "is not JSON" };
  }
}

/** One text for each value of an exploded array; undefined if several texts are not an array. */
export function manyOf(node: SchemaNode, texts: readonly string[]): Json | undefined {
  const array = alternativeOf(node, "array");
  const [only = ""] = texts;
  if (texts.length === 1 && (array === undefined || hasScalar(node))) return scalarOf(node, only);
  return array && texts.map((text) => scalarOf(array.nodeOf(itemsOf(array) ?? true), text));
}

function readParts(
  how: Style,
  texts: readonly string[],
  separator: string | RegExp,
  decode: (text: string) => string,
): Reading {
  const { node, explode, style } = how;
  const [array, object] = [alternativeOf(node, "array"), alternativeOf(node, "object")];
  const isWhole = array === undefined && object === undefined;
  const parts =
    isWhole || (style === "matrix" && explode)
      ? texts
      : texts.flatMap((text) => (text === "" ? [] : text.split(separator)));
  if (parts.length === 1 && hasScalar(node)) return { value: scalarOf(node, decode(parts[0] ?? "")) };
  if (array !== undefined)
    return { value: parts.map((part) => scalarOf(array.nodeOf(itemsOf(array) ?? true), decode(part))) };
  if (object === undefined) return parts.length > 1 ? repeated : { value: decode(parts[0] ?? "") };
  if (explode) return objectOf(how, parts, decode);
  if (parts.length % 2 > 0) return misplaced;
  return objectOf(
    how,
    parts.flatMap((part, at) => (at % 2 > 0 ? [`${parts[at - 1]}=${part}`] : [])),
    decode,
  );
}

function objectOf({ node }: Style, parts: readonly string[], decode: (text: string) => string): Reading {
  const object = alternativeOf(node, "object");
  if (object === undefined || parts.some((part) => !part.includes("="))) return misplaced;
  const entries = parts.map((part) => {
    const [key = "", text = ""] = part.split(/=(.*)/s, 2).map(decode);
    return [key, scalarOf(object.nodeOf(schemaOfProperty(object, key) ?? true), text)];
  });
  return { value: Object.fromEntries(entries) };
}

function deepValue(
  node: SchemaNode,
  pairs: readonly Pair[],
  start: number,
  decode: (text: string) => string,
): Json {
  const [[key = "", text = ""] = []] = pairs;
  if (key.length === start)
    return (
      manyOf(
        node,
        pairs.map(([, value]) => decode(value)),
      ) ?? decode(text)
    );
  const groups = Map.groupBy(pairs, ([each]) => each.slice(start + 1, each.indexOf("]", start)));
  const object = alternativeOf(node, "object") ?? node;
  return Object.fromEntries(
    [...groups].map(([name, own]) => {
      const property = node.nodeOf(schemaOfProperty(object, name) ?? true);
      return [name, deepValue(property, own, start + name.length + 2, decode)];
    }),
  );
}

/** Whether no text can violate the keyword at the root of the value. */
export function isUnwritable(how: Style, { node, steps, verdict }: Constraint): boolean {
  // Other names in a query may belong to anything.
  const isOpen = how.style === "form" && how.explode && how.mediaType === undefined;
  if (verdict === "additionalProperties") return isOpen && steps.length === 0;
  return verdict === "type" && isAnyText(how, node);
}

/** Whether every text is of the type that the schema asks for. */
function isAnyText({ mediaType }: Style, node: SchemaNode): boolean {
  if (mediaType !== undefined && bodyKindOf(mediaType) === "json") return false;
  const types = alternativesOf(node).flatMap((each) => typesAllowed(each) ?? ["string"]);
  return ["string", "array", "object"].some((type) => types.includes(type));
}

const scalars = ["string", "integer", "number", "boolean", "null"];

function scalarTypes(node: SchemaNode): string[] {
  const types = alternativesOf(node).flatMap((each) => typesAllowed(each) ?? ["string"]);
  return types.filter((type) => scalars.includes(type));
}

function hasScalar(node: SchemaNode): boolean {
  return scalarTypes(node).length > 0;
}

/** Text as a value of a type that the schema allows; text that is of no other type stays text. */
export function scalarOf(node: SchemaNode, text: string): Json {
  const types = scalarTypes(node);
  if (types.includes("integer") && /^-?(?:0|[1-9]\d*)$/.test(text)) return Number(text);
  if (types.includes("number") && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text))
    return Number(text);
  if (types.includes("boolean") && /^(?:true|false)$/.test(text)) return text === "true";
  if (types.includes("null") && !types.includes("string") && /^(?:null)?$/.test(text)) return null;
  return text;
}
