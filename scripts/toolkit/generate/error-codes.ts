/** Adds a table of the error codes to the description of the document. */
import { examplesAt } from "#specbind/document-examples";
import {
  entriesOf,
  follow,
  isObject,
  type Json,
  type JsonObject,
  pointerTo,
  valueAt,
} from "../openapi/document.ts";
import { keywordOf, propertiesOf, viewOf } from "../openapi/schema/schema-view.ts";
import type { Model } from "./model.ts";

interface ErrorCode {
  readonly code: string;
  readonly meaning: string;
  readonly statuses: Set<string>;
}

/**
 * A code is a value that has a text in `x-enumDescriptions` and is in an example of an error.
 *
 * @param spec the document as callers see it
 */
export function withErrorCodes(document: JsonObject, spec: JsonObject, { operations }: Model): JsonObject {
  const codes = new Map<string, ErrorCode>();
  const holders = operations.map(({ pointer }) => pointerTo(pointer, "responses"));
  for (const holder of [...holders, "/x-unmatched-responses"])
    for (const [status] of entriesOf(valueAt(spec, holder))) {
      if (!/^([45](\d\d|XX)|default)$/.test(status)) continue;
      const content = pointerTo(follow(spec, pointerTo(holder, status)).pointer, "content");
      for (const [mediaType, media] of entriesOf(valueAt(spec, content)))
        for (const { value } of examplesAt(spec, pointerTo(content, mediaType)))
          for (const [code, meaning] of describedValues(spec, valueAt(media, "/schema"), value)) {
            const known = codes.get(code) ?? { code, meaning, statuses: new Set() };
            codes.set(code, known);
            known.statuses.add(status);
          }
    }
  if (codes.size === 0) return document;
  const lines = [...codes.values()].map(({ code, meaning, statuses }) => {
    const shown = [...statuses].toSorted().join(", ");
    return `| ${shown} | \`${code}\`: ${meaning.trim().replaceAll(/\s+/g, " ").replaceAll("|", "\\|")} |`;
  });
  const table = ["## Error codes", "", "| status | code and meaning |", "|---|---|", ...lines.toSorted()];
  const before = String(valueAt(document, "/info/description") ?? "").trimEnd();
  const description = `${before}\n\n${table.join("\n")}\n`;
  return { ...document, info: { ...(isObject(document.info) && document.info), description } };
}

/** @param seen ends the recursion of a union that contains itself */
function describedValues(
  document: JsonObject,
  schema: Json | undefined,
  value: Json | undefined,
  seen = new Set<Json>(),
): [string, string][] {
  if (!isObject(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const view = viewOf(document, schema);
  const branches = view.unions.flatMap((union) => union.branches);
  const found = branches.flatMap((branch) => describedValues(document, branch.value, value, seen));
  if (isObject(value))
    for (const [name, places] of propertiesOf(view))
      found.push(...places.flatMap((place) => describedValues(document, place.value, value[name])));
  const texts = keywordOf(view, "x-enumDescriptions");
  const text = typeof value === "string" && isObject(texts) ? texts[value] : undefined;
  if (typeof value === "string" && typeof text === "string") found.push([value, text]);
  return found;
}
