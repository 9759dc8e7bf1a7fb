/**
 * Reads texts in the styles of OpenAPI 3.1, section 4.8.12.6, and RFC 6570. Texts are split before they are
 * percent-decoded, so an encoded comma is not a separator.
 */
import type { Shape, Writing } from "#specbind/contract";
import { isJson } from "../shared/media-type.ts";
import { type Read, readJson } from "./json.ts";
import { groupBy, type Leaf, type NamedTexts } from "./pairs.ts";
import { arrayIn, objectIn, objectOf, propertyOf, readText, scalarsIn } from "./shapes.ts";

export type Style = NonNullable<Writing["style"]>;

export interface Encoded {
  readonly texts: readonly string[];
  readonly decode: (text: string) => string;
}

const givenOnce = { problem: "must be given once" };

export function readStyled(
  name: string,
  writing: Writing,
  style: Style,
  { texts, decode }: Encoded,
): Read | undefined {
  const { type } = writing;
  const explode = writing.explode ?? style === "form";
  const [first, ...more] = texts;
  if (first === undefined) return undefined;
  if (writing.mediaType !== undefined && isJson(writing.mediaType))
    return more.length > 0 ? givenOnce : readJson(decode(first));
  if (writing.mediaType !== undefined) return more.length > 0 ? givenOnce : { value: decode(first) };
  // A single value has no parts. All styles except label and matrix write it in the same way.
  if (typeof type === "string" && style !== "label" && style !== "matrix")
    return more.length > 0 ? givenOnce : { value: readText(decode(first), type) };
  if (style === "label" || style === "matrix") {
    const parts = prefixedParts(name, style, explode, first);
    return parts === undefined
      ? { problem: `must be written in style ${style}` }
      : readParts(parts, type, explode, decode);
  }
  if (explode && style !== "simple") return readRepeated(texts, type, decode);
  if (more.length > 0) return givenOnce;
  return readParts(partsOf(first, style, type), type, explode, decode);
}

/** Removes the prefixes of `.a.b`, `;name=a,b` or `;name=a;name=b`. Undefined if a prefix is missing. */
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

/** Reads each text as an item. A single text is the value itself if the schema allows a value that is not an array. */
export function readRepeated(texts: readonly string[], type: Shape, decode: Encoded["decode"]): Read {
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
  const pairs: [string, string][] = [];
  if (explode)
    for (const part of parts) {
      const end = part.indexOf("=");
      if (end === -1) return { problem: "must be written as name=value" };
      pairs.push([decode(part.slice(0, end)), part.slice(end + 1)]);
    }
  else {
    if (parts.length % 2 > 0) return { problem: "must alternate names and values" };
    for (let index = 0; index < parts.length; index += 2)
      pairs.push([decode(parts[index] ?? ""), parts[index + 1] ?? ""]);
  }
  return {
    value: objectOf(pairs.map(([key, text]) => [key, readText(decode(text), propertyOf(object, key))])),
  };
}

export function readExploded(
  type: Shape,
  texts: NamedTexts["byName"],
  isClaimed: (name: string) => boolean,
  decode: Encoded["decode"],
): Read | undefined {
  const object = objectIn(type);
  if (object === undefined) return undefined;
  const isOwn = (name: string): boolean =>
    Object.hasOwn(object.properties, name) || (object.others !== undefined && !isClaimed(name));
  const entries: [string, unknown][] = [];
  for (const [name, own] of texts) {
    if (!isOwn(name)) continue;
    const read = readRepeated(own, propertyOf(object, name), decode);
    if ("problem" in read) return { problem: `${name} ${read.problem}` };
    entries.push([name, read.value]);
  }
  return entries.length === 0 ? undefined : { value: objectOf(entries) };
}

/** Deeper objects are rejected, so that a long name cannot exhaust the stack. */
const maxDepth = 32;

/** Reads `name[a][b]=1` as `{"a":{"b":1}}`. Undefined if no text has the name. */
export function readDeepObject(
  name: string,
  type: Shape,
  { inObjects }: Pick<NamedTexts, "inObjects">,
): Read | undefined {
  const leaves = inObjects.get(name);
  if (leaves === undefined) return undefined;
  if (leaves.some(({ path }) => path.length > maxDepth))
    return { problem: `must not be nested more than ${maxDepth} levels deep` };
  return { value: nested(leaves, type) };
}

function nested(leaves: readonly Leaf[], type: Shape): unknown {
  const [first] = leaves;
  const array = arrayIn(type);
  if (first === undefined || leaves.some(({ path }) => path.length === 0)) {
    if (array === undefined && leaves.length === 1) return readText(first?.text ?? "", type);
    return leaves.map(({ text }) => readText(text, array?.items ?? type));
  }
  const groups = groupBy(leaves, ({ path }) => path[0] ?? "");
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
