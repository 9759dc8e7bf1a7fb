/** What kind of value each keyword of JSON Schema 2020-12 has. */

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

export const schemaKeywords = new Set(
  ["not", "if", "then", "else", "items", "contains", "additionalProperties", "propertyNames"].concat([
    "unevaluatedProperties",
    "unevaluatedItems",
    "contentSchema",
  ]),
);
export const schemaListKeywords = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
export const schemaMapKeywords = new Set(["properties", "patternProperties", "dependentSchemas"]);
