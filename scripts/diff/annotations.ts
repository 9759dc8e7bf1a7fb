/** Keywords of JSON Schema 2020-12 that say nothing of which values are valid. */
import { isAnnotation as isOfNoEffect } from "../openapi/keywords.ts";

const ignored = new Set(["summary", "$schema", "$id", "$anchor", "$defs", "definitions"]);

/** Not for `readOnly` and `writeOnly`, because these matter to callers. */
export function isAnnotation(keyword: string): boolean {
  return ignored.has(keyword) || isOfNoEffect(keyword);
}
