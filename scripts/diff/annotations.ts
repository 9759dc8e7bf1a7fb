/** Keywords of JSON Schema 2020-12 that say nothing of which values are valid. */
import { annotations } from "../openapi/keywords.ts";

const ignored = new Set(
  annotations.concat("summary", "$comment", "$schema", "$id", "$anchor", "$defs", "definitions"),
);

/** Not for `readOnly` and `writeOnly`, because these matter to callers. */
export function isAnnotation(keyword: string): boolean {
  return ignored.has(keyword) || keyword.startsWith("x-");
}
