/** Changes of the text of a document, so that comments and layout stay as they are. Reads YAML and JSON. */
import { isCollection, isMap, isPair, isScalar, type Node, type Pair, parseDocument } from "yaml";
import { endOf, lastLeaf } from "../openapi/add-rejections.ts";
import { tokensOf } from "../openapi/document.ts";

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Each method returns no edit for a place that the text has only through an alias, or that would leave nothing. */
export class EditableText {
  readonly #text: string;
  readonly #root: Node | null;

  constructor(text: string) {
    this.#text = text;
    this.#root = parseDocument(text, { schema: "failsafe" }).contents;
  }

  /** @param render gets the text of the value with its quotes */
  replaceValue(pointer: string, render: (old: string) => string): Edit[] {
    const node = this.#find(tokensOf(pointer));
    if (!isScalar(node) || !node.range || node.source === "") return [];
    const [start, end] = node.range;
    return [{ start, end, text: render(this.#text.slice(start, end)) }];
  }

  /** Inserts an entry before an entry of a map. */
  insertBefore(pointer: string, key: string, value: string): Edit[] {
    const tokens = tokensOf(pointer);
    const map = this.#find(tokens.slice(0, -1));
    const next = isMap(map) ? map.items[indexIn(map, tokens.at(-1))] : undefined;
    if (!isMap(map) || next === undefined) return [];
    const start = startOf(next);
    const lineStart = this.#lineStart(start);
    const before = this.#text.slice(lineStart, start);
    const separator = /^[\s-]*$/.test(before) ? `\n${before.replaceAll("-", " ")}` : " ";
    const entry = this.#text[start] === '"' ? `"${key}": "${value}"` : `${key}: ${value}`;
    return [{ start, end: start, text: `${entry}${map.flow ? "," : ""}${separator}` }];
  }

  /** Removes an entry of a map or an item of a list. If it is the only item, removes the list. */
  remove(pointer: string): Edit[] {
    const tokens = tokensOf(pointer);
    const parent = this.#find(tokens.slice(0, -1));
    const index = indexIn(parent, tokens.at(-1));
    if (!isCollection(parent) || index === -1) return [];
    const items = parent.items as (Node | Pair)[];
    const [item, next, previous] = [items[index], items[index + 1], items[index - 1]];
    if (item === undefined) return [];
    if (next === undefined && previous === undefined)
      return isMap(parent) ? [] : this.remove(pointer.replace(/\/[^/]*$/, ""));
    const start = startOf(item);
    if (parent.flow) {
      if (next !== undefined) return [{ start, end: startOf(next), text: "" }];
      return [{ start: leafEnd(previous as Node | Pair), end: leafEnd(item), text: "" }];
    }
    return this.#removeLines(start, leafEnd(item), next);
  }

  /** A comment on the same line stays, on a line of its own. */
  #removeLines(start: number, valueEnd: number, next: Node | Pair | undefined): Edit[] {
    const lineStart = this.#lineStart(start);
    const before = this.#text.slice(lineStart, start);
    if (!/^\s*(?:- +)?$/.test(before)) return [];
    // The first entry of an item shares the line with the hyphen.
    if (before.includes("-") && isPair(next)) return [{ start, end: startOf(next), text: "" }];
    const isAtLine = this.#text[valueEnd - 1] === "\n";
    const found = isAtLine ? valueEnd - 1 : this.#text.indexOf("\n", valueEnd);
    const end = found === -1 ? this.#text.length : found;
    const comment = this.#text.slice(Math.min(valueEnd, end), end).trim();
    const text = comment === "" ? "" : `${" ".repeat(before.length)}${comment}\n`;
    return [{ start: lineStart, end: Math.min(end + 1, this.#text.length), text }];
  }

  #lineStart(offset: number): number {
    return this.#text.lastIndexOf("\n", offset - 1) + 1;
  }

  #find(tokens: readonly string[]): unknown {
    return tokens.reduce<unknown>((node, token) => {
      const item = isCollection(node) ? node.items[indexIn(node, token)] : undefined;
      return isPair(item) ? item.value : item;
    }, this.#root);
  }
}

function indexIn(node: unknown, token = ""): number {
  if (isMap(node)) return node.items.findIndex(({ key }) => isScalar(key) && String(key.value) === token);
  return Number(token);
}

function startOf(item: Node | Pair): number {
  return (isPair(item) ? (item.key as Node) : item).range?.[0] ?? 0;
}

function leafEnd(item: Node | Pair): number {
  if (!isPair(item)) return endOf(lastLeaf(item));
  return endOf(lastLeaf((item.value ?? item.key) as Node));
}

/** @param edits do not overlap */
export function applied(text: string, edits: readonly Edit[]): string {
  let done = 0;
  const parts = inOrder(edits).map(({ start, end, text: put }) => {
    const part = text.slice(done, start) + put;
    done = end;
    return part;
  });
  return parts.join("") + text.slice(done);
}

function inOrder(edits: readonly Edit[]): Edit[] {
  return edits.toSorted((a, b) => a.start - b.start);
}

/** Returns the lines that the edits change, before and after. Each group of lines has its place. */
export function diffOf(text: string, edits: readonly Edit[], path: string): string {
  const groups: { start: number; end: number; edits: Edit[] }[] = [];
  for (const edit of inOrder(edits)) {
    const lineEnd = text.indexOf("\n", Math.max(edit.start, edit.end - 1));
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    const last = groups.at(-1);
    if (last !== undefined && edit.start < last.end) {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    } else groups.push({ start: text.lastIndexOf("\n", edit.start - 1) + 1, end, edits: [edit] });
  }
  let line = 1;
  let counted = 0;
  const lines = groups.flatMap(({ start, end, edits: own }) => {
    line += text.slice(counted, start).split("\n").length - 1;
    counted = start;
    const moved = own.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
    const old = text.slice(start, end);
    return [`${path}:${line}`, ...marked("-", old), ...marked("+", applied(old, moved))];
  });
  return lines.join("\n");
}

function marked(mark: string, text: string): string[] {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  return lines.map((line) => `${mark} ${line}`);
}
