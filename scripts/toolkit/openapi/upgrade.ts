/**
 * Upgrades OpenAPI 3.0 to 3.1. `nullable: true` always allows null: 3.0 is not clear in some cases, but its authors are.
 */
import { type Json, type JsonObject, listOf, pointerTo } from "./document.ts";
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

export type UpgradeRule = "nullable" | "reference-sibling";
type Note = (rule: UpgradeRule, pointer: string, message: string) => void;

/** Changes the document in place. */
export function upgrade(document: JsonObject, origins: Origins, note: Note): void {
  document.openapi = "3.1.1";
  visitKinds("document", document, (kind, object, pointer) => {
    if (referable.includes(kind) && typeof object.$ref === "string") {
      noteSiblings(kind, object, pointer, note);
      const admitsNull = kind === "schema" && object.nullable === true;
      for (const key of Object.keys(object)) if (key !== "$ref") delete object[key];
      if (admitsNull) chooseOrNull(object, origins.of(pointer), origins);
    } else if (kind === "schema") upgradeSchema(object, () => origins.of(pointer), origins);
  });
}

/** Reads `nullable` in later versions as in 3.0, because its author had a clear intention. */
export function admitNullable(document: JsonObject, origins: Origins, note: Note): void {
  visitKinds("document", document, (kind, object, pointer) => {
    const { nullable } = object;
    if (kind !== "schema" || typeof nullable !== "boolean") return;
    delete object.nullable;
    const { type } = object;
    const way = Array.isArray(type)
      ? 'add "null" to `type`'
      : typeof type === "string"
        ? `write \`type: [${type}, "null"]\``
        : 'write `anyOf: [{ … }, { type: "null" }]`';
    const fix = nullable ? `, but it is read, so null is allowed; ${way} instead` : "; remove it";
    note("nullable", pointerTo(pointer, "nullable"), `\`nullable\` exists only in OpenAPI 3.0${fix}`);
    if (nullable) admitNull(object, () => origins.of(pointer), origins);
  });
}

/** Descriptions and other annotations do not change which values are valid. A default changes what handlers get. */
function noteSiblings(kind: Kind, object: JsonObject, pointer: string, note: Note): void {
  const isSchema = kind === "schema";
  for (const key of Object.keys(object)) {
    if (key === "$ref" || key === "summary" || (isAnnotation(key) && !(isSchema && key === "default")))
      continue;
    const isRead = isSchema && key === "nullable" && object.nullable === true;
    const effect = isRead ? "but here it is read, so null is allowed" : "so it has no effect";
    const fix = isSchema ? "write `allOf: [{ $ref: … }]` instead of `$ref`" : "write the target here";
    note(
      "reference-sibling",
      pointerTo(pointer, key),
      `OpenAPI 3.0 ignores \`${key}\` next to \`$ref\`, ${effect}; ${fix}`,
    );
  }
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
  if (["$ref", "const", ...applicatorsTo("value")].some((keyword) => schema[keyword] !== undefined)) {
    chooseOrNull(schema, place(), origins);
    return;
  }
  if (schema.type !== undefined) schema.type = [...new Set([schema.type, "null"].flat())];
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
