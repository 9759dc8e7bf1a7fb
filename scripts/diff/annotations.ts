/** Keywords of JSON Schema 2020-12 that say nothing of which values are valid. */
const annotations = new Set(
  ["title", "description", "summary", "default", "example", "examples", "deprecated", "externalDocs"].concat([
    "$comment",
    "$schema",
    "$id",
    "$anchor",
    "$defs",
    "definitions",
  ]),
);

/** True where no value is judged by the keyword. What `readOnly` and `writeOnly` say does matter to callers. */
export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith("x-");
}
