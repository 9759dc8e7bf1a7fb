/** Where a document has schemas, operations, responses and examples. Values that are data are left out. */
import { entriesOf, isObject, type Json, type JsonObject, pointerTo } from "../../openapi/document.ts";

export interface Site<Value extends Json = JsonObject> {
  readonly pointer: string;
  readonly value: Value;
}

/** Lists of objects, and for maps such as `responses` the whole map. */
export interface SpecSites {
  /** Without references. */
  readonly schemas: Site[];
  readonly operations: Site[];
  readonly responses: Site[];
  readonly headers: Site[];
  readonly examples: Site[];
  readonly contents: Site[];
  readonly parameters: Site[];
}

/** Keys whose values are data. */
const data = new Set(["default", "const", "enum", "example", "value", "x-sensitive", "x-secret-prefix"]);
/** Keys whose values are maps with names that the author has chosen. */
const maps: Readonly<Record<string, keyof SpecSites | "others">> = {
  properties: "others",
  schemas: "others",
  responses: "responses",
  "x-unmatched-responses": "responses",
  headers: "headers",
  content: "contents",
  examples: "examples",
  paths: "others",
  securitySchemes: "others",
  variables: "others",
};
const methods = /^(?:get|put|post|delete|options|head|patch|trace)$/;
const schemaKeys = /^(?:schema|items|oneOf|anyOf|allOf|additionalProperties)$/;

export function sitesOf(document: Json): SpecSites {
  const sites: SpecSites = {
    ...{ schemas: [], operations: [], responses: [], headers: [] },
    ...{ examples: [], contents: [], parameters: [] },
  };
  const visit = (value: Json, pointer: string, isSchema: boolean): void => {
    if (Array.isArray(value))
      for (const [index, item] of value.entries()) visit(item, pointerTo(pointer, index), isSchema);
    if (!isObject(value)) return;
    if (isSchema && value.$ref === undefined) sites.schemas.push({ pointer, value });
    for (const [key, part] of entriesOf(value)) {
      const at = pointerTo(pointer, key);
      const map = maps[key];
      if (data.has(key) || (key === "examples" && Array.isArray(part))) continue;
      if (map !== undefined && isObject(part)) {
        // The entries of `components/headers` and the like are not those of a response.
        if (map !== "others" && pointer !== "/components") sites[map].push({ pointer: at, value: part });
        const areSchemas = key === "properties" || key === "schemas";
        if (map !== "examples")
          for (const [name, entry] of entriesOf(part)) visit(entry, pointerTo(at, name), areSchemas);
        continue;
      }
      if (methods.test(key) && pointer.startsWith("/paths/") && isObject(part))
        sites.operations.push({ pointer: at, value: part });
      if (key === "parameters" && Array.isArray(part))
        for (const [index, each] of part.entries())
          if (isObject(each)) sites.parameters.push({ pointer: pointerTo(at, index), value: each });
      visit(part, at, key === "schema" || (isSchema && schemaKeys.test(key)));
    }
  };
  visit(document, "", false);
  return sites;
}
