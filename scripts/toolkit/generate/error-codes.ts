import { isObject, type JsonObject, valueAt } from "../openapi/document.ts";
import type { Model } from "./model.ts";

/** Adds a table of the error codes to the description of the document. */
export function withErrorCodes(document: JsonObject, { errorCodes }: Model): JsonObject {
  if (errorCodes.length === 0) return document;
  const lines = errorCodes.map(({ code, meaning, statuses }) => {
    const shown = [...statuses].toSorted().join(", ");
    return `| ${shown} | \`${code}\`: ${meaning.trim().replaceAll(/\s+/g, " ").replaceAll("|", "\\|")} |`;
  });
  const table = ["## Error codes", "", "| status | code and meaning |", "|---|---|", ...lines.toSorted()];
  const before = String(valueAt(document, "/info/description") ?? "").trimEnd();
  const description = `${before}\n\n${table.join("\n")}\n`;
  return { ...document, info: { ...(isObject(document.info) && document.info), description } };
}
