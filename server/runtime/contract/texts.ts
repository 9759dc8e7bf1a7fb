/**
 * Reads texts in the styles of OpenAPI 3.1, section 4.8.12.6, and RFC 6570. Texts are split before they are
 * percent-decoded, so an encoded comma is not a separator.
 */
import type { Problem, Scalar, Shape, Writing } from "#specbind/contract";
import { isJson } from "../shared/media-type.ts";
import { pointerTo } from "../shared/pointer.ts";

export type Style = NonNullable<Writing["style"]>;

export type Read = { readonly value: unknown } | { readonly problem: string };

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

/** JSON's grammar of numbers (RFC 8259, section 6), so that `0x10`, `1_000` and the empty string are not numbers. */
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const integerText = /^-?(?:0|[1-9]\d*)$/;

/** Reads text as a scalar that the schema allows. Other text stays a string, and the validator rejects it. */
export function readText(text: string, shape: Shape): unknown {
  if (shape === "string") return text;
  const scalars = scalarsIn(shape);
  if (scalars.includes("integer") && integerText.test(text)) return Number(text);
  if (scalars.includes("number") && numberText.test(text)) return Number(text);
  if (scalars.includes("boolean") && (text === "true" || text === "false")) return text === "true";
  if (scalars.includes("null") && !scalars.includes("string") && (text === "" || text === "null"))
    return null;
  return text;
}

type ArrayShape = Extract<Shape, { items: Shape }>;
type ObjectShape = Extract<Shape, { properties: unknown }>;

function alternatives(shape: Shape): readonly Shape[] {
  return Array.isArray(shape) ? shape : [shape];
}

export function arrayIn(shape: Shape): ArrayShape | undefined {
  return alternatives(shape).find((each): each is ArrayShape => typeof each === "object" && "items" in each);
}

export function objectIn(shape: Shape): ObjectShape | undefined {
  return alternatives(shape).find(
    (each): each is ObjectShape => typeof each === "object" && "properties" in each,
  );
}

function scalarsIn(shape: Shape): readonly Scalar[] {
  return alternatives(shape).filter((each): each is Scalar => typeof each === "string");
}

export function propertyOf(object: ObjectShape | undefined, name: string): Shape {
  if (object === undefined) return "string";
  return (Object.hasOwn(object.properties, name) ? object.properties[name] : object.others) ?? "string";
}

/** `Object.fromEntries` defines own properties, even if a name is `__proto__`. */
export function objectOf(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return entries.length === 0 ? {} : Object.fromEntries(entries);
}

export const malformedEncoding = "must be percent-encoded UTF-8";

/** RFC 3986, section 2.1. */
export function isPercentEncoded(text: string): boolean {
  if (!text.includes("%")) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Invalid percent-encoding is not changed, because a cookie may contain percent signs. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const jsonProblems = { syntax: "must be JSON", text: "must be Unicode text" };

export function readJson(text: string): Read {
  const parsed = parseJson(text);
  if ("problem" in parsed) return { problem: jsonProblems[parsed.problem] };
  const [problem] = parsed.problems ?? [];
  return problem ? { problem: `${problem.pointer} ${problem.message}`.trim() } : parsed;
}

export interface Parsed {
  readonly value: unknown;
  readonly problems?: readonly Problem[];
}

/** `text` means that a string has half of a surrogate pair. No database can store it (RFC 7493, section 2.1). */
export function parseJson(text: string): Parsed | { readonly problem: "syntax" | "text" } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "syntax" };
  }
  // Decoded UTF-8 has no lone surrogates. Only an escape can make one.
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value)) return { problem: "text" };
  return mayHaveOtherNumbers.test(text) ? { value, problems: otherNumbers(text) } : { value };
}

/** Recursion could exhaust the stack, because the caller chooses the depth. */
function isWellFormed(root: unknown): boolean {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === "string") {
      if (!value.isWellFormed()) return false;
    } else if (Array.isArray(value)) {
      for (const item of value) pending.push(item);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) pending.push(key, item);
    }
  }
  return true;
}

/**
 * Finds all numbers whose value may change in JavaScript: those with 16 digits or an exponent. The class
 * is repeated because `{16}` is five times slower in V8.
 */
const mayHaveOtherNumbers = new RegExp(`${"\\d".repeat(16)}|\\d[eE]\\+?\\d`);

const numberAt = /-?\d[\d.eE+-]*/y;

/** The greatest total length of all pointers. A caller can send long names, and each problem repeats them. */
const mostPointerText = 65_536;

function otherNumbers(text: string): Problem[] {
  const problems: Problem[] = [];
  let pointerText = 0;
  /** The index or name in each open array and object. A name is undefined until it has been read. */
  const path: (number | string | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const last = path.length - 1;
    const first = text.charAt(at);
    if (first === "{") path.push(undefined);
    else if (first === "[") path.push(0);
    else if (first === "}" || first === "]") path.pop();
    else if (first === ",") path[last] = typeof path[last] === "number" ? path[last] + 1 : undefined;
    else if (first === '"') {
      const start = at;
      for (at += 1; text.charAt(at) !== '"'; at += 1) if (text.charAt(at) === "\\") at += 1;
      if (last >= 0 && path[last] === undefined) path[last] = JSON.parse(text.slice(start, at + 1));
    } else {
      numberAt.lastIndex = at;
      const [literal = ""] = numberAt.exec(text) ?? [];
      const message = literal && numberProblem(literal);
      at += Math.max(literal.length - 1, 0);
      if (!message) continue;
      const pointer = pointerTo("", ...path.map(String));
      pointerText += pointer.length;
      if (pointerText > mostPointerText && problems.length > 0) break;
      problems.push({ pointer, message });
    }
  }
  return problems;
}

/** Fractions may be rounded, as in every JSON parser. */
function numberProblem(literal: string): string | undefined {
  const value = Number(literal);
  if (!Number.isFinite(value)) return "is out of range";
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return undefined;
  const [, whole = "", fraction = "", exponent = "0"] = /(\d+)(?:\.(\d+))?(?:[eE](.+))?/.exec(literal) ?? [];
  const digits = whole + fraction;
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  const zeros = Number(exponent) + whole.length - end;
  if (zeros < 0) return undefined;
  // 5^23 has more than the 53 bits of a double.
  const isExact = zeros < 23 && BigInt(digits.slice(0, end) + "0".repeat(zeros)) === BigInt(Math.abs(value));
  return isExact ? undefined : "cannot be represented exactly";
}
