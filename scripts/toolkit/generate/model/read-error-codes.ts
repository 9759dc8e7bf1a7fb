import { examplesAt } from "#specbind/document-examples";
import {
  entriesOf,
  follow,
  isObject,
  type Json,
  type JsonObject,
  pointerTo,
  valueAt,
} from "../../openapi/document.ts";
import { keywordOf, propertiesOf, viewOf } from "../../openapi/schema/schema-view.ts";
import type { ErrorCode, Operation } from "../model.ts";

/** A code is a value that has a text in `x-enumDescriptions` and is in an example of an error. */
export function readErrorCodes(document: JsonObject, operations: readonly Operation[]): ErrorCode[] {
  const codes = new Map<string, ErrorCode & { readonly statuses: Set<string> }>();
  const holders = operations.map(({ pointer }) => pointerTo(pointer, "responses"));
  for (const holder of [...holders, "/x-unmatched-responses"])
    for (const [status] of entriesOf(valueAt(document, holder))) {
      if (!/^([45](\d\d|XX)|default)$/.test(status)) continue;
      const content = pointerTo(follow(document, pointerTo(holder, status)).pointer, "content");
      for (const [mediaType, media] of entriesOf(valueAt(document, content)))
        for (const { value } of examplesAt(document, pointerTo(content, mediaType)))
          for (const [code, meaning] of describedValues(document, valueAt(media, "/schema"), value)) {
            const known = codes.get(code) ?? { code, meaning, statuses: new Set() };
            codes.set(code, known);
            known.statuses.add(status);
          }
    }
  return [...codes.values()];
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
