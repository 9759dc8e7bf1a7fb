import type { Json } from "../../openapi/document.ts";
import { evaluate, admits as nodeAdmits } from "../../openapi/schema/evaluate.ts";
import { formatRange } from "../../openapi/schema/format-ranges.ts";
import type { Verdict } from "../../openapi/schema/keyword-checks.ts";
import { type HasFormat, type NodeOf, nodesOf } from "../../openapi/schema/schema-node.ts";
import type { Direction, SchemaPart, SchemaPlace } from "../../openapi/schema/schema-view.ts";

/** Formats that accept every string in JSON. */
export const looseFormats = new Set(["", "password", "double", "float"]);

const nodes = { request: new WeakMap<object, NodeOf>(), response: new WeakMap<object, NodeOf>() };

export function admits(
  { document, value: schema = true }: SchemaPlace,
  value: Json,
  side: Direction,
): Verdict {
  return nodeAdmits(nodesFor(document, side)(schema), value);
}

/**
 * The keyword of the part that rejects, or may reject, the value. "" if it rejects a property or an item of the value.
 */
export function rejectingKeyword(
  { document, value: schema }: SchemaPart,
  value: Json,
  side: Direction,
): string | undefined {
  // The targets of these keywords are separate parts.
  const { $ref: _, allOf: _all, anyOf: _any, oneOf: _one, ...own } = schema;
  const [found] = evaluate(nodesFor(document, side)(own), value).filter(
    ({ verdict, isUnsure }) => isUnsure || (verdict !== "valid" && verdict !== "absent"),
  );
  if (found?.isUnsure) return ["pattern", "format"].find((keyword) => own[keyword] !== undefined) ?? "";
  return found?.pointer === "" ? found.verdict : found && "";
}

function nodesFor(document: unknown, side: Direction): NodeOf {
  const key = Object(document);
  const nodeOf = nodes[side].get(key) ?? nodesOf(document, side, hasFormat);
  nodes[side].set(key, nodeOf);
  return nodeOf;
}

const hasFormat: HasFormat = (format, value) => {
  const range = formatRange(format);
  if (range !== undefined) return typeof value !== "number" || (range.least <= value && value <= range.most);
  return typeof value !== "string" || looseFormats.has(format) || undefined;
};
