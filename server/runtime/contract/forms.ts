import type { MediaContract, Problem, Shape, Writing } from "#specbind/contract";
import { bodyKindOf, isJson, matchType } from "../shared/media-type.ts";
import { pointerTo } from "../shared/pointer.ts";
import { Rejection } from "./request.ts";
import {
  arrayIn,
  type Encoded,
  isPercentEncoded,
  malformedEncoding,
  objectIn,
  objectOf,
  type Parsed,
  percentDecoded,
  propertyOf,
  type Read,
  readJson,
  readRepeated,
  readStyled,
  readText,
} from "./texts.ts";

/** A decoded name, and its value as it was sent. */
export type RawPair = readonly [name: string, text: string];

export function rawPairs(text: string): RawPair[] {
  const parts = text.split("&").filter((part) => part !== "");
  return parts.map((part) => {
    const end = part.indexOf("=");
    return end === -1 ? [formDecoded(part), ""] : [formDecoded(part.slice(0, end)), part.slice(end + 1)];
  });
}

/** Limits the list of problems: a caller can send any number of names, and each can cause a problem. */
const mostProblems = 1000;

/** Finds the names and values that are not percent-encoded UTF-8. */
export function encodingProblems(text: string): Problem[] {
  if (isPercentEncoded(text)) return [];
  const parts = text.split("&").filter((part) => !isPercentEncoded(part));
  const names = new Set(parts.map((part) => formDecoded(part.split("=", 1)[0] ?? "")));
  return [...names].slice(0, mostProblems).map((name) => problemOf(name, malformedEncoding));
}

/** In a query or a form, `+` is a space. */
export function formDecoded(text: string): string {
  return percentDecoded(text.replaceAll("+", " "));
}

/** RFC 6265, section 4.2.1. A value may be in quotes. */
export function cookiePairs(header = ""): RawPair[] {
  return header.split(";").flatMap((part): RawPair[] => {
    const end = part.indexOf("=");
    if (end === -1) return [];
    const value = part.slice(end + 1).trim();
    return [[part.slice(0, end).trim(), value.replace(/^"(.*)"$/, "$1")]];
  });
}

/** The texts of a query, a form or a cookie header. They are read once, because a caller can send many names. */
export interface SentTexts {
  readonly byName: ReadonlyMap<string, readonly string[]>;
  /** The texts with a name such as `name[a][b]`, by the name of their object. */
  readonly inObjects: ReadonlyMap<string, readonly Leaf[]>;
}

export const noTexts: SentTexts = { byName: new Map(), inObjects: new Map() };

/** @param objectsOf finds the objects of style deepObject that a name may belong to */
export function readTexts(
  pairs: readonly RawPair[],
  objectsOf: ReturnType<typeof prefixFinder>,
  decode: Encoded["decode"],
): SentTexts {
  const byName = new Map<string, string[]>();
  const inObjects = new Map<string, Leaf[]>();
  for (const [name, text] of pairs) {
    append(byName, name, text);
    for (const object of objectsOf(name)) {
      const rest = name.slice(object.length);
      if (!/^(?:\[[^[\]]*\])+$/.test(rest)) continue;
      append(inObjects, object, { path: rest.slice(1, -1).split("]["), text: decode(text) });
    }
  }
  return { byName, inObjects };
}

function append<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** @returns a function that finds the names with which a text begins, followed by `[`. It does not try each name */
export function prefixFinder(names: readonly string[]): (text: string) => readonly string[] {
  const beforeBracket = (text: string): string => text.split("[", 1)[0] ?? "";
  const groups = Map.groupBy(names, beforeBracket);
  return (text) => {
    if (groups.size === 0 || !text.includes("[")) return [];
    return (groups.get(beforeBracket(text)) ?? []).filter((name) => text.startsWith(`${name}[`));
  };
}

export function readExploded(
  type: Shape,
  texts: SentTexts["byName"],
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
  { inObjects }: Pick<SentTexts, "inObjects">,
): Read | undefined {
  const leaves = inObjects.get(name);
  if (leaves === undefined) return undefined;
  if (leaves.some(({ path }) => path.length > maxDepth))
    return { problem: `must not be nested more than ${maxDepth} levels deep` };
  return { value: nested(leaves, type) };
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

/** The value of a body. Schema problems at the places of `problems` are ignored. */
export interface Decoded extends Parsed {
  /** Makes the handler's value from the value with defaults. Without it, the handler gets that value itself. */
  readonly received?: (completed: unknown) => unknown;
}

type Fields = NonNullable<MediaContract["fields"]>;

export function decodeForm(text: string, fields: Fields = {}): Decoded {
  const objects = Object.keys(fields).filter((name) => fields[name]?.style === "deepObject");
  const objectsOf = prefixFinder(objects);
  const texts = readTexts(rawPairs(text), objectsOf, formDecoded);
  const entries: [string, unknown][] = [];
  const problems = encodingProblems(text);
  const take = (name: string, read: Read | undefined): void => {
    if (read === undefined) return;
    if ("problem" in read) problems.push(problemOf(name, read.problem));
    else entries.push([name, read.value]);
  };
  for (const name of objects) take(name, readDeepObject(name, fields[name]?.type ?? "string", texts));
  for (const [name, own] of texts.byName) {
    if (objectsOf(name).length > 0) continue;
    const field = fieldOf(fields, name) ?? { type: ["string", { items: "string" }] };
    take(name, readField(name, field, own));
  }
  return { value: objectOf(entries), problems };
}

/** The media type of an array applies to its items. Each item is sent as a field (OpenAPI 3.1, Encoding Object). */
function readField(name: string, field: Writing, texts: readonly string[]): Read | undefined {
  const read = (own: readonly string[]): Read | undefined =>
    readStyled(name, field, field.style ?? "form", { texts: own, decode: formDecoded });
  if (field.mediaType === undefined || arrayIn(field.type) === undefined) return read(texts);
  const values: unknown[] = [];
  for (const text of texts) {
    const item = read([text]);
    if (item === undefined) continue;
    if ("problem" in item) return item;
    values.push(item.value);
  }
  return { value: values };
}

function problemOf(field: string, message: string): Problem {
  return { pointer: pointerTo("", field), message };
}

function fieldOf(fields: Fields, name: string): Writing | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

interface Part {
  /** For a file, a string of the same length, because schemas describe files as strings. */
  readonly value: unknown;
  readonly file?: File;
}

/** @throws Rejection `content_malformed` if the body is not multipart */
export async function decodeMultipart(
  content: Uint8Array,
  contentType: string,
  fields: Fields = {},
): Promise<Decoded> {
  const form = await formDataOf(content, contentType);
  const entries: [string, unknown][] = [];
  const files = new Map<string, readonly (File | undefined)[]>();
  const problems: Problem[] = [];
  // `getAll` reads the whole form for each name.
  for (const [name, given] of Map.groupBy(form, ([each]) => each)) {
    const field = fieldOf(fields, name);
    const isList = field === undefined ? given.length > 1 : arrayIn(field.type) !== undefined;
    const parts: Part[] = [];
    for (const [, each] of given) {
      const part = await readPart(each, field);
      if ("problem" in part) problems.push(problemOf(name, part.problem));
      else parts.push(part);
    }
    if (parts.length > 1 && !isList) problems.push(problemOf(name, "must be given once"));
    entries.push([name, isList ? parts.map(({ value }) => value) : parts[0]?.value]);
    files.set(
      name,
      (isList ? parts : parts.slice(0, 1)).map(({ file }) => file),
    );
  }
  const received = (completed: unknown): unknown => {
    if (typeof completed !== "object" || completed === null) return completed;
    return objectOf(
      Object.entries(completed).map(([name, value]) => {
        const own = files.get(name) ?? [];
        if (Array.isArray(value)) return [name, value.map((item, index) => own[index] ?? item)];
        return [name, own[0] ?? value];
      }),
    );
  };
  return { value: objectOf(entries), received, problems };
}

async function formDataOf(content: Uint8Array, contentType: string): Promise<FormData> {
  try {
    const bytes = new Uint8Array(content);
    return await new Response(bytes, { headers: { "Content-Type": contentType } }).formData();
  } catch {
    throw new Rejection({ reason: "content_malformed", problem: "multipart" });
  }
}

async function readPart(
  given: FormDataEntryValue,
  field: Writing | undefined,
): Promise<Part | { problem: string }> {
  const mediaTypes = field?.mediaType?.split(",").map((type) => type.trim()) ?? [];
  const [mediaType] = mediaTypes;
  const shape = field && (arrayIn(field.type)?.items ?? field.type);
  const text = async (): Promise<string> => (typeof given === "string" ? given : await given.text());
  if (mediaType !== undefined && isJson(mediaType)) return readJson(await text());
  const isFile =
    field === undefined ? typeof given !== "string" : mediaTypes.some((type) => bodyKindOf(type) === "bytes");
  if (!isFile) return { value: shape === undefined ? await text() : readText(await text(), shape) };
  const file = typeof given === "string" ? new File([given], "") : given;
  const isOpen = mediaTypes.length === 0 || mediaTypes.includes("application/octet-stream");
  if (!isOpen && matchType(file.type, mediaTypes) === undefined)
    return { problem: `must have the media type ${mediaTypes.join(" or ")}` };
  return { value: "\0".repeat(file.size), file };
}
