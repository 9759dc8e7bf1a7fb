/**
 * A spec as text whose places are known, so that one place is changed and every other byte, comments too, stays as it
 * was written.
 */
import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from "yaml";
import { type Json, pointerTo, tokensOf } from "../../generate/document.ts";

/** A replacement of the characters from `start` up to `end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text is not YAML, so that nothing in it has a place. The message is for people. */
export class SpecTextError extends Error {}

export class SpecText {
  readonly text: string;
  readonly #document: Document.Parsed;

  /** @throws SpecTextError */
  constructor(text: string) {
    this.text = text;
    this.#document = parseDocument(text);
    const [fault] = this.#document.errors;
    if (fault !== undefined) {
      // What follows quotes the text.
      const [why = ""] = fault.message.split(/:?\n/, 1);
      throw new SpecTextError(`the spec is not YAML: ${why}`);
    }
  }

  /** The whole document as plain values. */
  value(): Json {
    return this.#document.toJS();
  }

  /** @throws Error where edits overlap */
  with(...edits: readonly Edit[]): string {
    let text = "";
    let end = 0;
    for (const edit of edits.toSorted((left, right) => left.start - right.start)) {
      if (edit.start < end) throw new Error("edits overlap");
      text += this.text.slice(end, edit.start) + edit.text;
      end = edit.end;
    }
    return text + this.text.slice(end);
  }

  /** Puts another value where a scalar or a collection on one line stands. */
  replaced(pointer: string, value: Json): Edit {
    const [start, end] = rangeOf(this.#nodeAt(pointer));
    return { start, end, text: JSON.stringify(value) };
  }

  /** Gives an entry of a map another key. */
  renamed(pointer: string, key: string): Edit {
    const [start, end] = rangeOf(this.#pairAt(pointer).key);
    return { start, end, text: isPlain(key) ? key : JSON.stringify(key) };
  }

  /** @throws Error for the only entry of a block, without which its holder would be null */
  removed(pointer: string): Edit {
    const { holder, index } = this.#holderOf(pointer);
    const items: readonly unknown[] = holder.items;
    const [start, end] = rangeOf(items[index]);
    if (holder.flow) {
      const before = items[index - 1];
      if (before !== undefined) return { start: rangeOf(before)[1], end, text: "" };
      const after = items[index + 1];
      return { start, end: after === undefined ? end : rangeOf(after)[0], text: "" };
    }
    const lineStart = this.text.lastIndexOf("\n", start - 1) + 1;
    const lead = this.text.slice(lineStart, start);
    if (items.length === 1 || !(isSeq(holder) ? /^ *- *$/ : /^ *$/).test(lead))
      throw new Error(`cannot be taken out alone: ${pointer}`);
    return { start: lineStart, end: this.#lineEndAfter(end), text: "" };
  }

  /** Puts an entry before the others of a map. */
  added(pointer: string, key: string, value: Json): Edit {
    const text = `${isPlain(key) ? key : JSON.stringify(key)}: ${JSON.stringify(value)}`;
    return this.#inserted(pointer, text);
  }

  /** Puts an item before the others of a list. */
  prepended(pointer: string, value: Json): Edit {
    return this.#inserted(pointer, JSON.stringify(value));
  }

  /** The text of an entry of a block, as whole lines. */
  linesOf(pointer: string): string {
    const [start, end] = rangeOf(this.#pairAt(pointer));
    return this.text.slice(this.text.lastIndexOf("\n", start - 1) + 1, this.#lineEndAfter(end));
  }

  /** Puts whole lines before an entry of a block. */
  linesBefore(pointer: string, lines: string): Edit {
    const [start] = rangeOf(this.#pairAt(pointer));
    const lineStart = this.text.lastIndexOf("\n", start - 1) + 1;
    return { start: lineStart, end: lineStart, text: lines };
  }

  #inserted(pointer: string, text: string): Edit {
    const node = this.#nodeAt(pointer);
    if (!isMap(node) && !isSeq(node)) throw new Error(`no collection: ${pointer}`);
    const first: unknown = node.items[0];
    if (first === undefined) {
      const [start, end] = rangeOf(node);
      return { start, end, text: isMap(node) ? `{ ${text} }` : `[${text}]` };
    }
    const [start] = rangeOf(first);
    if (node.flow) return { start, end: start, text: `${text}, ` };
    const column = start - this.text.lastIndexOf("\n", start - 1) - 1;
    if (isMap(node)) return { start, end: start, text: `${text}\n${" ".repeat(column)}` };
    const dash = this.text.lastIndexOf("-", start);
    return { start: dash, end: dash, text: `- ${text}\n${" ".repeat(column - (start - dash))}` };
  }

  /** Where the line ends that holds the last character before `end`. */
  #lineEndAfter(end: number): number {
    const last = this.text.slice(0, end).trimEnd().length;
    const newline = this.text.indexOf("\n", last);
    return newline === -1 ? this.text.length : newline + 1;
  }

  #nodeAt(pointer: string): Node {
    const node = this.#document.getIn(tokensOf(pointer), true);
    if (!isNode(node)) throw new Error(`the spec has nothing at ${pointer}`);
    return node;
  }

  #holderOf(pointer: string): { holder: YAMLMap | { items: unknown[]; flow?: boolean }; index: number } {
    const tokens = tokensOf(pointer);
    const key = tokens.pop() ?? "";
    const holder = this.#nodeAt(pointerTo("", ...tokens));
    if (isSeq(holder) && Number(key) < holder.items.length) return { holder, index: Number(key) };
    if (!isMap(holder)) throw new Error(`the spec has nothing at ${pointer}`);
    const index = holder.items.findIndex((pair) => isScalar(pair.key) && String(pair.key.value) === key);
    if (index === -1) throw new Error(`the spec has nothing at ${pointer}`);
    return { holder, index };
  }

  #pairAt(pointer: string): Pair {
    const { holder, index } = this.#holderOf(pointer);
    const pair = holder.items[index];
    if (!isPair(pair)) throw new Error(`no entry of a map: ${pointer}`);
    return pair;
  }
}

/** From the first character up to the end of the value, without what follows it on its line. */
function rangeOf(item: unknown): [start: number, end: number] {
  if (isPair(item)) return [rangeOf(item.key)[0], rangeOf(item.value ?? item.key)[1]];
  if (!isNode(item) || !item.range) throw new Error("a node without a place");
  return [item.range[0], item.range[1]];
}

/** Whether a key means the same without quotes. */
function isPlain(key: string): boolean {
  return /^[A-Za-z/][\w/{}.-]*$/.test(key) && !/^(?:true|false|null|yes|no|on|off)$/i.test(key);
}
