/** The names and values of a query, a form or a cookie header. */
import type { Problem } from "#specbind/contract";
import { pointerTo } from "../shared/pointer.ts";
import { formDecoded, isPercentEncoded, malformedEncoding } from "./percent-encoding.ts";

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
  return [...names]
    .slice(0, mostProblems)
    .map((name) => ({ pointer: pointerTo("", name), message: malformedEncoding }));
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
export interface NamedTexts {
  readonly byName: ReadonlyMap<string, readonly string[]>;
  /** The texts with a name such as `name[a][b]`, by the name of their object. */
  readonly inObjects: ReadonlyMap<string, readonly Leaf[]>;
}

export interface Leaf {
  readonly path: readonly string[];
  readonly text: string;
}

export const noTexts: NamedTexts = { byName: new Map(), inObjects: new Map() };

/** @param objectsOf finds the objects of style deepObject that a name may belong to */
export function readTexts(
  pairs: readonly RawPair[],
  objectsOf: ReturnType<typeof prefixFinder>,
  decode: (text: string) => string,
): NamedTexts {
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

/** Groups items as `Map.groupBy` does, which Node 20 does not have. */
export function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) append(groups, keyOf(item), item);
  return groups;
}

/** @returns a function that finds the names with which a text begins, followed by `[`. It does not try each name */
export function prefixFinder(names: readonly string[]): (text: string) => readonly string[] {
  const beforeBracket = (text: string): string => text.split("[", 1)[0] ?? "";
  const groups = groupBy(names, beforeBracket);
  return (text) => {
    if (groups.size === 0 || !text.includes("[")) return [];
    return (groups.get(beforeBracket(text)) ?? []).filter((name) => text.startsWith(`${name}[`));
  };
}
