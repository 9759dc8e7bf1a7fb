/** The keywords of JSON Schema 2020-12 and OpenAPI that contain schemas or are annotations. */
import { isObject, type Json, type JsonObject, mapEntries, mapItems, pointerTo } from "../document.ts";

/** The part of a value to which the schemas of a keyword apply. */
type AppliesTo = "value" | "items" | "properties" | "names" | "nothing";
type Form = "one" | "list" | "map";

export const applicators = [
  ["allOf", "list", "value"],
  ["anyOf", "list", "value"],
  ["oneOf", "list", "value"],
  ["not", "one", "value"],
  ["if", "one", "value"],
  ["then", "one", "value"],
  ["else", "one", "value"],
  ["dependentSchemas", "map", "value"],
  ["items", "one", "items"],
  ["prefixItems", "list", "items"],
  ["contains", "one", "items"],
  ["unevaluatedItems", "one", "items"],
  ["properties", "map", "properties"],
  ["additionalProperties", "one", "properties"],
  ["patternProperties", "map", "properties"],
  ["propertyNames", "one", "names"],
  ["unevaluatedProperties", "one", "properties"],
  ["$defs", "map", "nothing"],
  ["definitions", "map", "nothing"],
] as const satisfies readonly (readonly [keyword: string, form: Form, appliesTo: AppliesTo])[];

type Row = (typeof applicators)[number];
/** The keywords whose schemas apply to the value or to its parts. */
export type Applicator = Exclude<Row, readonly [string, Form, "nothing"]>[0];

export function applicatorsTo(...parts: AppliesTo[]): Applicator[] {
  return applicators.flatMap(([keyword, , appliesTo]) =>
    appliesTo !== "nothing" && parts.includes(appliesTo) ? [keyword] : [],
  );
}

/** Keywords whose schema is a test. A value can be valid even if it does not match that schema. */
const conditions: ReadonlySet<string> = new Set(["not", "if", "contains", "propertyNames"]);

export function isCondition(keyword: string): boolean {
  return conditions.has(keyword);
}

const annotations: ReadonlySet<string> = new Set([
  "title",
  "description",
  "default",
  "example",
  "examples",
  "deprecated",
  "externalDocs",
  "$comment",
  "$schema",
  "$id",
  "$anchor",
  "$defs",
  "definitions",
]);

/** True for keywords that do not affect which values are valid. False for `readOnly` and `writeOnly`. */
export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || keyword.startsWith("x-");
}

const rows = new Map<string, Row>(applicators.map((row) => [row[0], row]));

/** How a keyword contains other schemas, or undefined if it does not. */
export function subschemaForm(keyword: string): Form | undefined {
  return rows.get(keyword)?.[1];
}

/** A schema inside another schema. `key` is its name or index, or "". */
interface Subschema {
  readonly keyword: string;
  readonly appliesTo: AppliesTo;
  readonly key: string;
  readonly schema: Json;
  readonly pointer: string;
}

export function subschemas(schema: JsonObject, pointer = ""): Subschema[] {
  const found: Subschema[] = [];
  mapSubschemas(
    schema,
    (subschema) => {
      found.push(subschema);
      return subschema.schema;
    },
    pointer,
  );
  return found;
}

/** Returns the schema itself if nothing changes. */
export function mapSubschemas(
  schema: JsonObject,
  map: (subschema: Subschema) => Json,
  pointer = "",
): JsonObject {
  return mapEntries(schema, (keyword, value) => {
    const row = rows.get(keyword);
    if (row === undefined) return value;
    const [, form, appliesTo] = row;
    const at = pointerTo(pointer, keyword);
    if (form === "one") return map({ keyword, appliesTo, key: "", schema: value, pointer: at });
    const one = (part: Json, key: string | number): Json =>
      map({ keyword, appliesTo, key: String(key), schema: part, pointer: pointerTo(at, key) });
    if (form === "list") return Array.isArray(value) ? mapItems(value, one) : value;
    return isObject(value) ? mapEntries(value, (name, part) => one(part, name)) : value;
  });
}
