import type { Json } from "../openapi/document.ts";
import { admits as nodeAdmits } from "../openapi/evaluate.ts";
import type { Verdict } from "../openapi/keyword-checks.ts";
import { type HasFormat, type NodeOf, nodesOf } from "../openapi/schema-node.ts";
import type { Direction, SchemaPlace } from "../openapi/schema-view.ts";
import { formatRange } from "./bounds.ts";

/** Formats that accept every string in JSON. */
export const looseFormats = new Set(["", "password", "double", "float"]);

const nodes = { request: new WeakMap<object, NodeOf>(), response: new WeakMap<object, NodeOf>() };

export function admits(
  { document, value: schema = true }: SchemaPlace,
  value: Json,
  side: Direction,
): Verdict {
  const key = Object(document);
  const nodeOf = nodes[side].get(key) ?? nodesOf(document, side, hasFormat);
  nodes[side].set(key, nodeOf);
  return nodeAdmits(nodeOf(schema), value);
}

const hasFormat: HasFormat = (format, value) => {
  const range = formatRange(format);
  if (range !== undefined) return typeof value !== "number" || (range.least <= value && value <= range.most);
  return typeof value !== "string" || looseFormats.has(format) || undefined;
};
