/**
 * Writes and reads parameters, form fields and headers in the styles of OpenAPI 3.1, section 4.8.12 ("Style Values").
 * They follow RFC 6570: names and values are percent-encoded, separators are not.
 */
import { isObject, type Json } from "../openapi/document.ts";
import type { ParameterLocation } from "../openapi/parameters.ts";
import {
  alternativeOf,
  alternativesOf,
  itemsOf,
  type SchemaNode,
  schemaOfProperty,
  typesAllowed,
} from "../openapi/schema/schema-node.ts";
import { bodyKindOf } from "./media-types.ts";
import type { Constraint } from "./values/constraints.ts";

export interface Style {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly style: string;
  readonly explode: boolean;
  /** If present, the value is written as this media type, and `style` and `explode` do not apply. */
  readonly mediaType: string | undefined;
  /** True if each item is a separate field of this media type (OpenAPI 3.1, Encoding Object). */
  readonly isRepeated?: boolean;
  readonly node: SchemaNode;
}

/** An encoded name with its encoded value. */
export type Pair = readonly [name: string, value: string];

/** Encodes all characters except the unreserved ones of RFC 3986 (RFC 6570, section 3.2.1). */
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

/** Writes a value for a path or a header. */
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
  // An empty value in the matrix style has no equals sign (RFC 6570, section 3.2.7).
  return named.map((text) => (text === "" ? `;${name}` : `;${name}=${text}`)).join("");
}

/** Writes a value as pairs for a query, a form or a cookie. */
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

/** OpenAPI does not define deeper values. They are written as by most libraries: `a[b][c]=1`, `a[b]=1&a[b]=2`. */
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

/** Splits a query, a form or a cookie into encoded pairs. */
export function pairsIn(text: string | undefined, separator: string): Pair[] {
  const parts = (text ?? "").split(separator).map((part) => part.trim());
  return parts.flatMap((part): Pair[] => {
    const [name = "", value = ""] = part.split(/=(.*)/s, 2);
    return part === "" ? [] : [[name, value]];
  });
}

/** The value before validation, or `problem` if the text does not follow the parameter's style. */
export type Reading = { readonly value: Json } | { readonly problem: string };

/** Decoded strings whose types are not known yet. */
type Raw = string | readonly string[] | ReadonlyMap<string, Raw>;

/** Reads a path parameter or a header. */
export function readText(how: Style, text: string): Reading {
  const { style, explode, mediaType, node } = how;
  const decode = decoderOf(how);
  if (mediaType !== undefined) return readMedia(mediaType, decode(text));
  const prefix = { label: ".", matrix: ";" }[style] ?? "";
  if (!text.startsWith(prefix)) return { problem: "has another style" };
  const rest = text.slice(prefix.length);
  if (style !== "matrix")
    return { value: typed(node, rawOf(how, split(node, rest, explode && prefix !== "" ? prefix : ","))) };
  const name = percentEncoded(how.name);
  const isNamed = (part: string) => part === name || part.startsWith(`${name}=`);
  const parts = rest.split(";");
  const values = parts.every(isNamed) ? parts.map((part) => part.slice(name.length + 1)) : parts;
  return {
    value: typed(node, rawOf(how, explode ? values : values.flatMap((each) => split(node, each, ",")))),
  };
}

/**
 * Reads a value from the pairs of a query, a form or a cookie. Returns undefined if the value is absent.
 *
 * @param others the other parameters. An undeclared property of an exploded object cannot have the name of one of them
 */
export function readPairs(how: Style, pairs: readonly Pair[], others: readonly Style[]): Reading | undefined {
  const { name, style, explode, mediaType, node } = how;
  const decode = decoderOf(how);
  const named = pairs.map(([key, value]): Pair => [decode(key), value]);
  const decoded = (own: readonly Pair[]) => own.map(([, value]) => decode(value));
  if (style === "deepObject") {
    const own = named.filter(([key]) => key.startsWith(`${name}[`) && key.endsWith("]"));
    const leaves = own.map(
      ([key, value]) => [key.slice(name.length + 1, -1).split("]["), decode(value)] as const,
    );
    return own.length === 0 ? undefined : { value: typed(node, nested(leaves)) };
  }
  const own = named.filter(([key]) => key === name);
  const object = alternativeOf(node, "object");
  if (own.length === 0 && explode && mediaType === undefined && object !== undefined) {
    const isClaimed = (key: string) =>
      others.some((each) => each.name === key || key.startsWith(`${each.name}[`));
    const isOwn = ([key]: Pair) =>
      object.properties.has(key) || (isObject(schemaOfProperty(object, key)) && !isClaimed(key));
    const groups = Map.groupBy(named.filter(isOwn), ([key]) => key);
    if (groups.size === 0) return undefined;
    return { value: typed(node, new Map([...groups].map(([key, group]) => [key, decoded(group)]))) };
  }
  const [first, ...more] = own;
  if (first === undefined) return undefined;
  if (more.length === 0 && mediaType !== undefined) return readMedia(mediaType, decode(first[1]));
  if (more.length > 0 || explode) return { value: typed(node, decoded(own)) };
  const separator = { spaceDelimited: /%20|\+| /, pipeDelimited: /%7C|\|/i }[style] ?? ",";
  return { value: typed(node, rawOf(how, split(node, first[1], separator))) };
}

export function readMedia(mediaType: string, text: string): Reading {
  if (bodyKindOf(mediaType) !== "json") return { value: text };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: "is not JSON" };
  }
}

/** Splits a list or an object. A single value is not split, because it may contain separators. */
function split(node: SchemaNode, text: string, separator: string | RegExp): string[] {
  if (alternativeOf(node, "array") === undefined && alternativeOf(node, "object") === undefined)
    return [text];
  return text === "" ? [] : text.split(separator);
}

/** Reads parts as a list, or as the names and values of an object. */
function rawOf(how: Style, parts: readonly string[]): Raw {
  const { node, explode } = how;
  const decode = decoderOf(how);
  const isObject = alternativeOf(node, "object") !== undefined && alternativeOf(node, "array") === undefined;
  const pairs = explode
    ? parts.map((part) => part.split(/=(.*)/s, 2))
    : parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1]]] : []));
  const isPaired = pairs.every(([, value]) => value !== undefined);
  if (!isObject || !isPaired || (parts.length === 1 && isScalar(node))) return parts.map(decode);
  return new Map(pairs.map(([name = "", value = ""]) => [decode(name), decode(value)]));
}

function nested(leaves: readonly (readonly [path: readonly string[], text: string])[]): Raw {
  if (leaves.some(([path]) => path.length === 0)) return leaves.map(([, text]) => text);
  const groups = Map.groupBy(leaves, ([[name = ""]]) => name);
  return new Map(
    [...groups].map(([name, group]) => [name, nested(group.map(([[, ...path], text]) => [path, text]))]),
  );
}

/** Converts strings to the types that the schema allows. A string that cannot be converted stays a string. */
export function typed(node: SchemaNode, raw: Raw): Json {
  if (raw instanceof Map) {
    const object = alternativeOf(node, "object") ?? node;
    const property = (name: string) => node.nodeOf(schemaOfProperty(object, name) ?? true);
    return Object.fromEntries([...raw].map(([name, held]) => [name, typed(property(name), held)]));
  }
  const texts = [raw as string | string[]].flat();
  const [only = ""] = texts;
  const array = alternativeOf(node, "array");
  if (texts.length === 1 && (array === undefined || isScalar(node))) return scalarOf(node, only);
  const items = array?.nodeOf(itemsOf(array) ?? true);
  return texts.map((text) => (items === undefined ? text : typed(items, text)));
}

/** True if no text can violate the keyword at the constraint's place. */
export function isUnwritable(how: Style, { node, steps, verdict }: Constraint): boolean {
  // A pair with an unknown name in a query may be another parameter.
  const isOpen = how.style === "form" && how.explode && how.mediaType === undefined;
  if (verdict === "additionalProperties") return isOpen && steps.length === 0;
  const isField = steps.filter(({ kind }) => kind !== "branch").length === 1;
  return verdict === "type" && ((how.isRepeated && isField) || isAnyText(how, node));
}

/** True if any possible text has a type that the schema allows. */
function isAnyText({ mediaType }: Style, node: SchemaNode): boolean {
  if (mediaType !== undefined && bodyKindOf(mediaType) === "json") return false;
  return typesAsText(node).some((type) => ["string", "array", "object"].includes(type));
}

function typesAsText(node: SchemaNode): string[] {
  return alternativesOf(node).flatMap((each) => typesAllowed(each) ?? ["string"]);
}

function scalarTypes(node: SchemaNode): string[] {
  return typesAsText(node).filter((type) => type !== "array" && type !== "object");
}

function isScalar(node: SchemaNode): boolean {
  return scalarTypes(node).length > 0;
}

function scalarOf(node: SchemaNode, text: string): Json {
  const types = scalarTypes(node);
  if (types.includes("integer") && /^-?(?:0|[1-9]\d*)$/.test(text)) return Number(text);
  if (types.includes("number") && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text))
    return Number(text);
  if (types.includes("boolean") && /^(?:true|false)$/.test(text)) return text === "true";
  if (types.includes("null") && !types.includes("string") && /^(?:null)?$/.test(text)) return null;
  return text;
}
