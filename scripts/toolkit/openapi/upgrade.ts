/** Upgrades OpenAPI 3.0 to 3.1. `nullable: true` always allows null, although 3.0 is not clear in some cases. */
import { type Json, type JsonObject, listOf } from "./document.ts";
import type { Place } from "./files.ts";
import { type Kind, visitKinds } from "./grammar.ts";
import type { Origins } from "./origins.ts";
import { applicatorsTo, isAnnotation } from "./schema/keywords.ts";

/** In these objects, OpenAPI 3.0 ignores every keyword next to `$ref` (Reference Object). */
const referable: readonly Kind[] = [
  "schema",
  "parameter",
  "header",
  "response",
  "requestBody",
  "example",
  "link",
  "callback",
];
/** Keywords that may stay next to a union of a schema and null. */
const movable = new Set(["readOnly", "writeOnly", "xml"]);

/** Changes the document in place. */
export function upgrade(document: JsonObject, origins: Origins): void {
  document.openapi = "3.1.1";
  visitKinds("document", document, (kind, object, pointer) => {
    if (referable.includes(kind) && typeof object.$ref === "string") {
      for (const key of Object.keys(object)) if (key !== "$ref") delete object[key];
    } else if (kind === "schema") upgradeSchema(object, () => origins.of(pointer), origins);
  });
}

function upgradeSchema(schema: JsonObject, place: () => Place, origins: Origins): void {
  upgradeBound(schema, "minimum", "exclusiveMinimum");
  upgradeBound(schema, "maximum", "exclusiveMaximum");
  if (schema.example !== undefined && schema.examples === undefined) schema.examples = [schema.example];
  delete schema.example;
  // Documents converted by hand may contain this type of Swagger 2.0.
  if (schema.type === "file" || schema.format === "file") {
    schema.type = "string";
    schema.format = "binary";
  }
  const { nullable } = schema;
  delete schema.nullable;
  if (nullable === true) admitNull(schema, place, origins);
}

function upgradeBound(schema: JsonObject, inclusive: string, exclusive: string): void {
  if (typeof schema[exclusive] !== "boolean") return;
  if (schema[exclusive] && schema[inclusive] !== undefined) {
    schema[exclusive] = schema[inclusive];
    delete schema[inclusive];
  } else delete schema[exclusive];
}

function admitNull(schema: JsonObject, place: () => Place, origins: Origins): void {
  if (applicatorsTo("value").some((keyword) => schema[keyword] !== undefined)) {
    chooseOrNull(schema, place(), origins);
    return;
  }
  if (typeof schema.type === "string") schema.type = [schema.type, "null"];
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
}

/** Turns the schema into a union. One branch gets the assertions, the other branch is null. */
function chooseOrNull(schema: JsonObject, place: Place, origins: Origins): void {
  const branch: { [keyword: string]: Json } = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (movable.has(keyword) || isAnnotation(keyword)) continue;
    branch[keyword] = value;
    delete schema[keyword];
  }
  const [only, ...others] = listOf(branch.allOf);
  const isOneOfAll = only !== undefined && others.length === 0 && Object.keys(branch).length === 1;
  if (isOneOfAll) origins.set(only, { ...place, pointer: `${place.pointer}/allOf/0` });
  else origins.set(branch, place);
  schema.anyOf = [isOneOfAll ? only : branch, { type: "null" }];
}
