/** Finds the places of values in a JSON text. It reads only the path to each of them. */
import { tokensOf } from "./document.ts";

/** Offsets in the text. List items and the document have no key, so `key` is the offset of the value. */
interface Extent {
  readonly key: number;
  readonly value: number;
}

export class JsonPlaces {
  readonly #text: string;
  readonly #known = new Map<number, ReadonlyMap<string, Extent>>();
  #lineStarts: number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Counts from 1. Falls back to the nearest place around the pointer. */
  of(pointer: string, onKey: boolean): { line: number; column: number } {
    const root = this.#pastSpace(0);
    let part: Extent = { key: root, value: root };
    for (const token of tokensOf(pointer)) {
      const next = this.#partsOf(part.value).get(token);
      if (next === undefined) break;
      part = next;
    }
    return this.#position(onKey ? part.key : part.value);
  }

  #partsOf(start: number): ReadonlyMap<string, Extent> {
    const known = this.#known.get(start);
    if (known !== undefined) return known;
    const parts = new Map<string, Extent>();
    const opening = this.#text[start];
    const isList = opening === "[";
    if (opening === "{" || isList) {
      for (let at = this.#pastSpace(start + 1); !isClosing(this.#text[at]); ) {
        const key = at;
        if (!isList) at = this.#pastSpace(this.#pastSpace(endOfText(this.#text, at) + 1) + 1);
        const name = isList
          ? `${parts.size}`
          : JSON.parse(this.#text.slice(key, endOfText(this.#text, key) + 1));
        parts.set(name, { key, value: at });
        at = this.#pastSpace(this.#pastValue(at));
        if (this.#text[at] === ",") at = this.#pastSpace(at + 1);
      }
    }
    this.#known.set(start, parts);
    return parts;
  }

  #pastSpace(start: number): number {
    let at = start;
    while (isSpace(this.#text.charCodeAt(at))) at += 1;
    return at;
  }

  #pastValue(start: number): number {
    let depth = 0;
    let at = start;
    do {
      const character = this.#text[at];
      if (character === '"') at = endOfText(this.#text, at);
      else if (character === "{" || character === "[") depth += 1;
      else if (isClosing(character)) depth -= 1;
      at += 1;
    } while (depth > 0);
    while (at < this.#text.length && !/[\s,\]}]/.test(this.#text[at] ?? "")) at += 1;
    return at;
  }

  #position(offset: number): { line: number; column: number } {
    this.#lineStarts ??= lineStartsOf(this.#text);
    const line = this.#lineStarts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (this.#lineStarts[line] ?? 0) + 1 };
  }
}

export function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

function isClosing(character: string | undefined): boolean {
  return character === "}" || character === "]";
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
