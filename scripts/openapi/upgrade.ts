/**
 * Turns a document of OpenAPI 3.0 into one of 3.1 that means the same, so that no later stage knows of 3.0. Every
 * `nullable: true` admits null, also where 3.0 leaves its effect open (beside an enum without null, or without a type):
 * nobody writes it to no effect.
 */
import type { Json, JsonObject } from "./document.ts";
import type { Place } from "./files.ts";
import { type Kind, visitKinds } from "./grammar.ts";
import type { Origins } from "./origins.ts";

/** Kinds whose `$ref` stands for the whole object: in 3.0 what is beside it means nothing (Reference Object). */
const referable: ReadonlySet<Kind> = new Set<Kind>([
  "schema",
  "parameter",
  "header",
  "response",
  "requestBody",
  "example",
  "link",
  "callback",
] as const);
/** What may stay beside a choice between a schema and null, for it says nothing of which values hold. */
const annotations = new Set(
  ["title", "description", "default", "example", "examples", "deprecated"].concat([
    "readOnly",
    "writeOnly",
    "externalDocs",
    "xml",
  ]),
);
const applicators = ["allOf", "anyOf", "oneOf", "not"];

/** @param document is changed in place; `origins` goes on telling where its parts come from */
export function upgrade(document: JsonObject, origins: Origins): void {
  document.openapi = "3.1.1";
  visitKinds("document", document, (kind, object, pointer) => {
    if (referable.has(kind) && typeof object.$ref === "string") {
      for (const key of Object.keys(object)) if (key !== "$ref") delete object[key];
    } else if (kind === "schema") upgradeSchema(object, () => origins.of(pointer), origins);
  });
}

function upgradeSchema(schema: JsonObject, place: () => Place, origins: Origins): void {
  upgradeBound(schema, "minimum", "exclusiveMinimum");
  upgradeBound(schema, "maximum", "exclusiveMaximum");
  if (schema.example !== undefined && schema.examples === undefined) schema.examples = [schema.example];
  delete schema.example;
  // What Swagger 2.0 wrote for content that is a file survives in documents that were converted by hand.
  if (schema.type === "file" || schema.format === "file") {
    schema.type = "string";
    schema.format = "binary";
  }
  const { nullable } = schema;
  delete schema.nullable;
  if (nullable === true) admitNull(schema, place, origins);
}

/** `minimum: 1, exclusiveMinimum: true` is `exclusiveMinimum: 1`. */
function upgradeBound(schema: JsonObject, inclusive: string, exclusive: string): void {
  if (typeof schema[exclusive] !== "boolean") return;
  if (schema[exclusive] && schema[inclusive] !== undefined) {
    schema[exclusive] = schema[inclusive];
    delete schema[inclusive];
  } else delete schema[exclusive];
}

function admitNull(schema: JsonObject, place: () => Place, origins: Origins): void {
  if (applicators.some((keyword) => schema[keyword] !== undefined)) {
    chooseOrNull(schema, place(), origins);
    return;
  }
  if (typeof schema.type === "string") schema.type = [schema.type, "null"];
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum = [...schema.enum, null];
}

/** Moves what the schema asserts into one of two branches, of which the other is null. All of one schema is that schema. */
function chooseOrNull(schema: JsonObject, place: Place, origins: Origins): void {
  const branch: { [keyword: string]: Json } = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (annotations.has(keyword) || keyword.startsWith("x-")) continue;
    branch[keyword] = value;
    delete schema[keyword];
  }
  const [only, ...others] = Array.isArray(branch.allOf) ? branch.allOf : [];
  const isOneOfAll = only !== undefined && others.length === 0 && Object.keys(branch).length === 1;
  if (isOneOfAll) origins.set(only, { ...place, pointer: `${place.pointer}/allOf/0` });
  else origins.set(branch, place);
  schema.anyOf = [isOneOfAll ? only : branch, { type: "null" }];
}
