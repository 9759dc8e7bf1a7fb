/** Edits a YAML document at JSON pointers. Comments, order and style stay, but not all line breaks. */
import { type Document, isMap, isSeq, type Pair, parseDocument, type YAMLMap } from "yaml";
import { type Json, pointerTo, tokensOf } from "../../openapi/document.ts";
import { DriftError } from "./mutant.ts";

export type Edit = (document: Document) => void;

export function specDocument(text: string): Document {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw new DriftError(`the spec is not YAML: ${error.message}`);
  return document;
}

export function edited(document: Document, ...edits: readonly Edit[]): string {
  const copy = document.clone();
  for (const edit of edits) edit(copy);
  // Other tests apply patches to the spec, so its style matters.
  return copy.toString({ lineWidth: 0 }).replaceAll(/\[ ([\w,. ]*) \]/g, "[$1]");
}

export function set(pointer: string, value: Json): Edit {
  return (document) => document.setIn(tokensOf(pointer), document.createNode(value, { flow: true }));
}

export function remove(pointer: string): Edit {
  return (document) => document.deleteIn(tokensOf(pointer));
}

export function rename(pointer: string, key: string): Edit {
  return (document) => {
    const tokens = tokensOf(pointer);
    const last = tokens.pop();
    const pair = mapAt(document, tokens).items.find((each) => String(each.key) === last);
    if (pair === undefined) throw new Error(`the spec has no ${pointer}`);
    pair.key = document.createNode(key);
  };
}

export function add(pointer: string, key: string, value: Json): Edit {
  return (document) => mapAt(document, tokensOf(pointer)).items.unshift(document.createPair(key, value));
}

export function prepend(pointer: string, value: Json): Edit {
  return (document) => {
    const list = document.getIn(tokensOf(pointer));
    if (!isSeq(list)) throw new Error(`the spec has no list at ${pointer}`);
    list.items.unshift(document.createNode(value));
  };
}

function mapAt(document: Document, tokens: readonly string[]): YAMLMap<unknown, unknown> & { items: Pair[] } {
  const map = document.getIn(tokens);
  if (!isMap(map)) throw new Error(`the spec has no map at ${pointerTo("", ...tokens)}`);
  return map;
}
