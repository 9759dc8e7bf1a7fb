/**
 * Reads YAML. Some tools accept texts that js-yaml, the parser of Redocly, rejects. Then a more tolerant library reads
 * the text, and js-yaml reads a corrected copy. Only this file knows the sentences of js-yaml's errors, which may change
 * with each version.
 */
import { parseYaml, type Source } from "@redocly/openapi-core";
import yamlAst, {
  type YAMLMapping,
  type YAMLNode,
  type YAMLScalar,
  type YAMLSequence,
} from "yaml-ast-parser";
import { isObject, type JsonObject, pointerTo } from "../document.ts";
import { messageOf } from "../spec-problems.ts";
import type { Position } from "./json-places.ts";

export interface SyntaxProblem {
  /** The value with the problem. */
  readonly pointer: string;
  readonly position: Position;
  readonly message: string;
}

export interface Reading {
  readonly value: unknown;
  readonly problems: readonly SyntaxProblem[];
  /** What the tolerant library reads, if there are problems. */
  readonly tolerant?: unknown;
}

export interface Unreadable {
  /** `line:column` */
  readonly mark: string;
  readonly message: string;
}

/** @param tooDeep the message for values that are nested more than `maxDepth` times */
export function readYaml(source: Source, maxDepth: number, tooDeep: string): Reading | Unreadable {
  const { body } = source;
  try {
    return { value: parseYaml(body, { maxDepth }), problems: [] };
  } catch (error) {
    if (reasonOf(error).startsWith("nesting exceeded")) return unreadable(error, body, tooDeep);
  }
  const faults = new Faults(body);
  let tolerant: unknown;
  try {
    const root = source.getAst(yamlAst.safeLoad) as YAMLNode;
    faults.visit(root, "", -1);
    tolerant = readingOf(root, new Map());
  } catch {
    // The tolerant library fails for rare YAML. The strict reading below names the problem.
  }
  try {
    const value = parseYaml(faults.corrected(), { maxDepth, json: faults.problems.length > 0 });
    return { value, problems: faults.problems, tolerant };
  } catch (error) {
    return unreadable(error, body, tooDeep);
  }
}

/** The pointer of the first value that the two readings do not share. */
export function differenceOf(one: unknown, other: unknown, pointer = ""): string | undefined {
  if (Object.is(one, other)) return undefined;
  if (!isHolder(one) || !isHolder(other) || Array.isArray(one) !== Array.isArray(other)) return pointer;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    if (!(Object.hasOwn(one, key) && Object.hasOwn(other, key))) return pointer;
    const found = differenceOf(one[key], other[key], pointerTo(pointer, key));
    if (found !== undefined) return found;
  }
  return undefined;
}

function isHolder(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}

/** A value in a message. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Places that only tolerant parsers read. */
class Faults {
  readonly problems: SyntaxProblem[] = [];
  readonly #body: string;
  readonly #edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];

  constructor(body: string) {
    this.#body = body;
  }

  /** @param indent the column of the collection that contains the node, -1 for the root, undefined inside brackets */
  visit(node: YAMLNode | null | undefined, pointer: string, indent: number | undefined): void {
    if (node === null || node === undefined) return;
    const isEnclosed = /["'{[]/.test(this.#body[node.startPosition] ?? "") && !isPlain(node);
    if (indent !== undefined && isEnclosed) this.#checkIndentation(node, pointer, indent);
    const isBlock = indent !== undefined && !isEnclosed;
    const below = (holder: YAMLNode) => (isBlock ? this.#columnOf(holder.startPosition) : undefined);
    if (node.kind === yamlAst.Kind.MAP) {
      this.#dropDuplicates(node, pointer);
      for (const { key, value } of node.mappings as YAMLMapping[])
        this.visit(value, pointerTo(pointer, key.value), below(key));
    }
    if (node.kind !== yamlAst.Kind.SEQ) return;
    for (const [index, item] of (node as YAMLSequence).items.entries()) {
      const place = pointerTo(pointer, index);
      if (isBlock) this.#checkTab(item, place);
      this.visit(item, place, below(node));
    }
  }

  corrected(): string {
    const fromEnd = this.#edits.toSorted((a, b) => b.start - a.start);
    return fromEnd.reduce(
      (text, { start, end, text: inserted }) => text.slice(0, start) + inserted + text.slice(end),
      this.#body,
    );
  }

  /** The last entry counts, so that positions are those of the value that is read. */
  #dropDuplicates(node: YAMLNode, pointer: string): void {
    const mappings = node.mappings as YAMLMapping[];
    const groups = Map.groupBy(mappings, ({ key }) => key.value);
    if (groups.size === mappings.length) return;
    for (const [name, group] of groups) {
      const [first, last] = [group[0], group.at(-1)] as [YAMLMapping, YAMLMapping];
      if (group.length === 1) continue;
      const { line } = this.#positionOf(first.key.startPosition);
      this.#report(
        pointerTo(pointer, name),
        last.key.startPosition,
        `the key ${shown(name)} occurs twice, first in line ${line}; keep one of them, because parsers reject both or read the last one`,
      );
    }
    node.mappings = [...groups.values()].map((group) => group.at(-1));
  }

  /** YAML 1.2.2, section 7.3: lines in quotes and brackets have more indentation than the collection around them. */
  #checkIndentation(node: YAMLNode, pointer: string, indent: number): void {
    let isKnown = false;
    for (let at = this.#nextLine(node.startPosition); at < node.endPosition; at = this.#nextLine(at)) {
      const start = at + (/^ */.exec(this.#body.slice(at, at + indent + 1))?.[0].length ?? 0);
      if (start > at + indent || /[\r\n]/.test(this.#body[start] ?? "")) continue;
      this.#edits.push({ start: at, end: at, text: " ".repeat(indent + 1) });
      if (isKnown) continue;
      isKnown = true;
      this.#report(
        pointer,
        start,
        `this line is inside quotes or brackets, so it must begin at column ${indent + 2} or later; indent it`,
      );
    }
  }

  #checkTab(item: YAMLNode | null, pointer: string): void {
    if (item === null || (item.kind !== yamlAst.Kind.MAP && item.kind !== yamlAst.Kind.SEQ)) return;
    const line = this.#body.lastIndexOf("\n", item.startPosition - 1) + 1;
    const [space = ""] = /(?<=-)[\t ]*\t[\t ]*$/.exec(this.#body.slice(line, item.startPosition)) ?? [];
    if (space === "" || /[{[]/.test(this.#body[item.startPosition] ?? "")) return;
    const start = item.startPosition - space.length;
    this.#edits.push({ start, end: item.startPosition, text: " ".repeat(space.length) });
    this.#report(pointer, start, "YAML allows no tab between `-` and a key; write a space");
  }

  #report(pointer: string, offset: number, message: string): void {
    this.problems.push({ pointer, position: this.#positionOf(offset), message });
  }

  #positionOf(offset: number): Position {
    return positionAt(this.#body, offset);
  }

  #columnOf(offset: number): number {
    return offset - this.#body.lastIndexOf("\n", offset - 1) - 1;
  }

  #nextLine(offset: number): number {
    const end = this.#body.indexOf("\n", offset);
    return end === -1 ? this.#body.length : end + 1;
  }
}

export function positionAt(body: string, offset: number): Position {
  const lines = body.slice(0, offset).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

function isPlain(node: YAMLNode): boolean {
  return node.kind === yamlAst.Kind.SCALAR && (node as YAMLScalar).plainScalar === true;
}

/** @param known the values of nodes that an alias may repeat */
function readingOf(node: YAMLNode | null | undefined, known: Map<YAMLNode, unknown>): unknown {
  if (node === null || node === undefined) return null;
  if (known.has(node)) return known.get(node);
  if (node.kind === yamlAst.Kind.ANCHOR_REF) return readingOf(node.value, known);
  if (node.kind === yamlAst.Kind.SEQ) {
    const items: unknown[] = [];
    known.set(node, items);
    for (const item of (node as YAMLSequence).items) items.push(readingOf(item, known));
    return items;
  }
  if (node.kind !== yamlAst.Kind.MAP) {
    // Only a text without spaces can be a number, a boolean or null.
    return isPlain(node) && !/\s/.test(node.value) ? parseYaml(node.value) : node.value;
  }
  const object: { [key: string]: unknown } = {};
  known.set(node, object);
  const merged: unknown[] = [];
  for (const { key, value } of node.mappings as YAMLMapping[])
    if (key.value === "<<" && isPlain(key)) merged.push(readingOf(value, known));
    else object[key.value] = readingOf(value, known);
  for (const source of merged.flat())
    for (const [key, value] of Object.entries(source ?? {})) if (!(key in object)) object[key] = value;
  return object;
}

function reasonOf(error: unknown): string {
  const { reason }: JsonObject = isObject(error) ? error : {};
  return typeof reason === "string" ? reason : messageOf(error);
}

function unreadable(error: unknown, body: string, tooDeep: string): Unreadable {
  const { mark: place }: JsonObject = isObject(error) ? error : {};
  const line = isObject(place) ? Number(place.line) : 0;
  const column = isObject(place) ? Number(place.column) : 0;
  const mark = `${line + 1}:${column + 1}`;
  const reason = reasonOf(error);
  if (reason.startsWith("nesting exceeded")) return { mark, message: tooDeep };
  if (reason.startsWith("expected a single document")) {
    const next = positionAt(body, body.search(/(?<=\S\s*\n)---/));
    return {
      mark: `${next.line}:1`,
      message: "this line begins another document, but a file can have only one; write each in its own file",
    };
  }
  if (reason.startsWith("tab characters"))
    return { mark, message: "YAML allows no tab before a key; write spaces" };
  if (/multiline key|expected ':'|bad indentation/.test(reason)) {
    const continued = continuationAbove(body, line);
    if (continued !== undefined)
      return {
        mark: continued,
        message:
          "this line is no `key: value`, and has too few spaces to continue the text above, so every YAML parser rejects it; correct it",
      };
  }
  const text = body.split("\n")[line] ?? "";
  const plain = plainReason(reason, text.slice(0, column), text.slice(column));
  const above = plain === fitsNoLine ? lessIndented(body, line) : undefined;
  const other = above === undefined ? "" : `, or indent line ${above} more`;
  return { mark, message: `not valid YAML or JSON: ${plain}${other}` };
}

const fitsNoLine =
  "this line fits no line above; write as many spaces as before the other keys of its object";

/** The line that ends the object of the given one, because it has fewer spaces. Undefined if no such object was open. */
function lessIndented(body: string, line: number): number | undefined {
  const indents = body.split("\n").map((text) => /^ *(?=[^\s#])/.exec(text)?.[0].length ?? Infinity);
  const wanted = indents[line] ?? 0;
  const ending = indents.findLastIndex((indent, index) => index < line && indent < wanted);
  const least = indents[ending] ?? 0;
  const outer = indents.findLastIndex((indent, index) => index < ending && indent < least);
  return indents.slice(outer + 1, Math.max(ending, 0)).includes(wanted) ? ending + 1 : undefined;
}

/** @param before and `rest` are the two parts of the line with the mistake */
function plainReason(reason: string, before: string, rest: string): string {
  if (reason.startsWith("bad indentation")) {
    if (/^[@`%]/.test(rest)) return `a text cannot begin with \`${rest[0]}\`; write it in quotes`;
    if (rest.startsWith(":") && before.includes(": "))
      return "a text with a colon and a space needs quotes; add them";
    if (/["']/.test(before)) return "a text goes on after its quotes; write it in one pair of quotes";
    return fitsNoLine;
  }
  const [, instead = `${reason}; correct the syntax of this line or of a line above`] =
    reasons.find(([said]) => said.test(reason)) ?? [];
  return instead;
}

const reasons: readonly (readonly [said: RegExp, instead: string])[] = [
  [
    /^deficient indentation|^unexpected end of/,
    "a quote or a bracket before this place has no end; close it",
  ],
  [/^missed comma/, "a comma or a colon is missing before this place; add it"],
  [/^expected the node content/, "a value is missing before this comma; add it, or remove the comma"],
  [/^end of the stream/, "the document ends before this place; remove the rest, or correct its indentation"],
  [
    /^unidentified alias/,
    "`*` refers to a value with `&` and this name, and there is none; write a text in quotes",
  ],
  [/^unknown \w+ tag/, "`!` begins a type that JSON does not have; remove it, or write a text in quotes"],
  [/^unknown escape/, "a backslash has a meaning in double quotes; write two of them, or use single quotes"],
];

/** `line:column` of text without a key. js-yaml reports one of the next two lines. */
function continuationAbove(body: string, last: number): string | undefined {
  const lines = body.split("\n");
  for (let line = last; line > Math.max(0, last - 3); line -= 1) {
    const [, space = "", text] = /^(\s*)([^\s#"'[\]{}|>&*!?%@`].*)$/.exec(lines[line] ?? "") ?? [];
    if (text !== undefined && !/^-(?:\s|$)|:(?:\s|$)/.test(text)) return `${line + 1}:${space.length + 1}`;
  }
  return undefined;
}
