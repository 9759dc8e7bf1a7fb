/**
 * Reads values from the texts by which the styles of OpenAPI write them (OpenAPI 3.1, section 4.8.12.6; RFC 6570). What
 * separates parts is looked for before percent signs are decoded, so that an escaped comma belongs to the text.
 */
import type { Shape, Writing } from "../../generated/contract.ts";
import { isWellFormed } from "./json.ts";
import { arrayIn, objectIn, readText, scalarsIn } from "./shape.ts";

/** A name, decoded, and the text that was sent for it, as it was sent. */
export type RawPair = readonly [name: string, text: string];

/** What text says, or that it says too much. Undefined where nothing was sent. */
export type Read = { readonly value: unknown } | { readonly fault: string } | undefined;

export interface Encoded {
  readonly texts: readonly string[];
  readonly decode: (text: string) => string;
}

export type Style = NonNullable<Writing["style"]>;

const givenOnce = { fault: "must be given once" };

/** Percent signs that encode nothing stand for themselves. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Text of a query or a form, in which `+` is a space. */
export function formDecoded(text: string): string {
  return percentDecoded(text.replaceAll("+", " "));
}

export function rawPairs(text: string): RawPair[] {
  const parts = text.split("&").filter((part) => part !== "");
  return parts.map((part) => {
    const end = part.indexOf("=");
    return end === -1 ? [formDecoded(part), ""] : [formDecoded(part.slice(0, end)), part.slice(end + 1)];
  });
}

/** Reads one parameter, header or field from all texts that were sent under its name. */
export function readStyled(name: string, writing: Writing, style: Style, { texts, decode }: Encoded): Read {
  const { type } = writing;
  const explode = writing.explode ?? style === "form";
  const [first, ...more] = texts;
  if (first === undefined) return undefined;
  if (writing.mediaType !== undefined && isJson(writing.mediaType))
    return more.length > 0 ? givenOnce : readJson(decode(first));
  if (writing.mediaType !== undefined) return more.length > 0 ? givenOnce : { value: decode(first) };
  // A single value has no parts, and looks the same in every other style.
  if (typeof type === "string" && style !== "label" && style !== "matrix")
    return more.length > 0 ? givenOnce : { value: readText(decode(first), type) };
  if (style === "label" || style === "matrix") {
    const parts = prefixedParts(name, style, explode, first);
    return parts === undefined
      ? { fault: `must be written in style ${style}` }
      : readParts(parts, type, explode, decode);
  }
  if (explode && style !== "simple") return readRepeated(texts, type, decode);
  if (more.length > 0) return givenOnce;
  return readParts(partsOf(first, style, type), type, explode, decode);
}

/** Every text is one item; a single one may as well be the value itself, where the schema takes either. */
function readRepeated(texts: readonly string[], type: Shape, decode: Encoded["decode"]): Read {
  const array = arrayIn(type);
  const [only = "", ...more] = texts;
  if (array !== undefined && (more.length > 0 || scalarsIn(type).length === 0))
    return { value: texts.map((text) => readText(decode(text), array.items)) };
  return more.length > 0 ? givenOnce : { value: readText(decode(only), type) };
}

const separators: { readonly [S in Style]?: RegExp } = {
  spaceDelimited: /%20|\+| /,
  pipeDelimited: /%7C|\|/i,
};

function partsOf(text: string, style: Style, type: Shape): string[] {
  if (arrayIn(type) === undefined && objectIn(type) === undefined) return [text];
  return text === "" ? [] : text.split(separators[style] ?? /, */);
}

function readParts(parts: readonly string[], type: Shape, explode: boolean, decode: Encoded["decode"]): Read {
  const array = arrayIn(type);
  const object = objectIn(type);
  const hasScalar = scalarsIn(type).length > 0;
  if (parts.length === 1 && hasScalar) return { value: readText(decode(parts[0] ?? ""), type) };
  if (array !== undefined) return { value: parts.map((part) => readText(decode(part), array.items)) };
  if (object === undefined) return { value: decode(parts.join(",")) };
  const pairs: RawPair[] = [];
  if (explode)
    for (const part of parts) {
      const end = part.indexOf("=");
      if (end === -1) return { fault: "must be written as name=value" };
      pairs.push([decode(part.slice(0, end)), part.slice(end + 1)]);
    }
  else {
    if (parts.length % 2 > 0) return { fault: "must alternate names and values" };
    for (let index = 0; index < parts.length; index += 2)
      pairs.push([decode(parts[index] ?? ""), parts[index + 1] ?? ""]);
  }
  return {
    value: objectOf(pairs.map(([key, text]) => [key, readText(decode(text), propertyOf(object, key))])),
  };
}

/** `.a.b`, `;name=a,b` and `;name=a;name=b` without what only marks the style; undefined where it is not there. */
function prefixedParts(
  name: string,
  style: "label" | "matrix",
  explode: boolean,
  text: string,
): string[] | undefined {
  if (style === "label") {
    if (!text.startsWith(".")) return undefined;
    return text.length === 1 ? [] : text.slice(1).split(explode ? "." : ",");
  }
  if (!text.startsWith(";")) return undefined;
  const parts = text.slice(1).split(";");
  const own = `${name}=`;
  if (parts.every((part) => part.startsWith(own))) {
    const values = parts.map((part) => part.slice(own.length));
    return explode ? values : values.flatMap((value) => value.split(","));
  }
  if (parts.length === 1 && parts[0] === name) return [];
  return explode && !parts.some((part) => part.startsWith(own)) ? parts : undefined;
}

/** An object whose properties are sent like parameters of their own. */
export function readExploded(
  type: Shape,
  pairs: readonly RawPair[],
  isClaimed: (name: string) => boolean,
  decode: Encoded["decode"],
): Read {
  const object = objectIn(type);
  if (object === undefined) return undefined;
  const isOwn = (name: string): boolean =>
    Object.hasOwn(object.properties, name) || (object.others !== undefined && !isClaimed(name));
  const entries: [string, unknown][] = [];
  for (const [name, texts] of textsByName(pairs)) {
    if (!isOwn(name)) continue;
    const read = readRepeated(texts, propertyOf(object, name), decode);
    if (read !== undefined && "fault" in read) return { fault: `${name} ${read.fault}` };
    entries.push([name, read?.value]);
  }
  return entries.length === 0 ? undefined : { value: objectOf(entries) };
}

/** In the order in which the names come first. */
export function textsByName(pairs: readonly RawPair[]): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  for (const [name, text] of pairs) {
    const known = texts.get(name);
    if (known === undefined) texts.set(name, [text]);
    else known.push(text);
  }
  return texts;
}

/** Deeper objects than this are refused, so that no name exhausts the stack. */
const maxDepth = 32;

/** `name[a][b]=1` for `{"a":{"b":1}}`. Undefined where nothing of the name was sent. */
export function readDeepObject(
  name: string,
  type: Shape,
  pairs: readonly RawPair[],
  decode: Encoded["decode"],
): Read {
  const own = pairs.flatMap(([key, text]) => {
    if (!key.startsWith(`${name}[`) || !/^(?:\[[^[\]]*\])+$/.test(key.slice(name.length))) return [];
    return [{ path: key.slice(name.length + 1, -1).split("]["), text: decode(text) }];
  });
  if (own.some(({ path }) => path.length > maxDepth))
    return { fault: `must not be nested more than ${maxDepth} levels deep` };
  return own.length === 0 ? undefined : { value: nested(own, type) };
}

interface Leaf {
  readonly path: readonly string[];
  readonly text: string;
}

function nested(leaves: readonly Leaf[], type: Shape): unknown {
  const [first] = leaves;
  const array = arrayIn(type);
  if (first === undefined || leaves.some(({ path }) => path.length === 0)) {
    if (array === undefined && leaves.length === 1) return readText(first?.text ?? "", type);
    return leaves.map(({ text }) => readText(text, array?.items ?? type));
  }
  const groups = Map.groupBy(leaves, ({ path }) => path[0] ?? "");
  const below = (group: readonly Leaf[], shape: Shape): unknown =>
    nested(
      group.map(({ path, text }) => ({ path: path.slice(1), text })),
      shape,
    );
  if (array !== undefined && [...groups.keys()].every((key) => /^\d*$/.test(key)))
    return [...groups].flatMap(([key, group]) =>
      key === "" ? group.map((leaf) => below([leaf], array.items)) : [below(group, array.items)],
    );
  const object = objectIn(type);
  return objectOf([...groups].map(([key, group]) => [key, below(group, propertyOf(object, key))]));
}

/** Defines every property, so that `__proto__` is one like any other. */
export function objectOf(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return entries.length === 0 ? {} : Object.fromEntries(entries);
}

function propertyOf(object: ReturnType<typeof objectIn>, name: string): Shape {
  if (object === undefined) return "string";
  return (Object.hasOwn(object.properties, name) ? object.properties[name] : object.others) ?? "string";
}

export function isJson(mediaType: string): boolean {
  return /^[^;]*[/+]json *(?:;|$)/i.test(mediaType);
}

export function readJson(text: string): Read {
  try {
    const value: unknown = JSON.parse(text);
    return isWellFormed(value) ? { value } : { fault: "must be Unicode text" };
  } catch {
    return { fault: "must be JSON" };
  }
}
