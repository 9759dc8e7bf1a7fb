/**
 * Puts a document into the words that openapi-typescript renders as they are meant: where it would leave something out,
 * or take it for something else, the same is said in another way.
 */
import {
  composition,
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  mapEntries,
  valueAt,
} from "../openapi/document.ts";
import { mapKinds } from "../openapi/grammar.ts";
import type { Model } from "./model.ts";

/** What says nothing of which values hold. */
const annotations = new Set(
  ["title", "description", "default", "deprecated", "example", "examples"].concat([
    "readOnly",
    "writeOnly",
    "externalDocs",
    "xml",
    "$comment",
    "discriminator",
    "$defs",
  ]),
);
const unions = ["anyOf", "oneOf"] as const;

/** @param model decides which operations have ids, and which; without it they are those of the document */
export function typeable(document: JsonObject, model?: Model): JsonObject {
  const ids = model && new Map<Json, string>();
  for (const { pointer, id } of model?.operations ?? []) {
    const operation = valueAt(document, pointer);
    if (isObject(operation)) ids?.set(operation, id);
  }
  const undeclared = new Undeclared(document);
  const say = (schema: JsonObject, inside: () => JsonObject): JsonObject => {
    const names = undeclared.enter(schema);
    return typeableSchema(declaring(inside(), names), document);
  };
  const image = mapKinds("document", { ...document }, (kind, object, inside) => {
    if (kind === "schema") return say(object, inside);
    const parts = inside();
    if (kind === "parameter" || kind === "header") return bySchema(parts);
    // openapi-typescript takes every key for an address.
    if (kind === "paths") return mapEntries(parts, (key, item) => (key.startsWith("x-") ? undefined : item));
    return kind === "operation" && ids !== undefined ? withId(parts, ids.get(object)) : parts;
  });
  const root = isObject(image) ? image : document;
  const { sent } = root;
  if (!isObject(sent) || !isObject(sent.schemas)) return root;
  const schemas = mapEntries(sent.schemas, (_, schema) =>
    mapKinds("schema", schema, (_kind, object, inside) => say(object, inside)),
  );
  return { ...root, sent: { schemas } };
}

/**
 * A parameter or header of a media type is what that media type's schema says, not its text. openapi-typescript reads no
 * `content` of a parameter, and takes that of a header for an object.
 */
function bySchema(holder: JsonObject): JsonObject {
  const { content, ...others } = holder;
  if (holder.schema !== undefined || !isObject(content)) return holder;
  const [media] = Object.values(content);
  const schema = isObject(media) ? media.schema : undefined;
  return { ...others, schema: schema ?? true };
}

function withId(operation: JsonObject, id: string | undefined): JsonObject {
  if (operation.operationId === id) return operation;
  const { operationId: _, ...others } = operation;
  return id === undefined ? others : { ...others, operationId: id };
}

/** Finds what an object must have although nothing says what it is. */
class Undeclared {
  readonly #document: JsonObject;
  /** By a schema that stands within another and is of the same value: the names that the other declares. */
  readonly #around = new Map<Json, ReadonlySet<string>>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** @param schema comes after the one that it stands within */
  enter(schema: JsonObject): Json[] {
    const composed = composition(this.#document, schema).flatMap(({ properties }) => entriesOf(properties));
    const declared = new Set([...composed.map(([name]) => name), ...(this.#around.get(schema) ?? [])]);
    for (const keyword of ["allOf", ...unions])
      for (const part of listOf(schema[keyword])) this.#around.set(part, declared);
    const isObjects =
      isObject(schema.properties) ||
      listOf(schema.type)
        .concat(schema.type ?? "")
        .includes("object");
    if (!isObjects || schema.additionalProperties === false) return [];
    return listOf(schema.required).filter((name) => !declared.has(String(name)));
  }
}

/** openapi-typescript leaves out what is required and no property. */
function declaring(schema: JsonObject, names: readonly Json[]): JsonObject {
  if (names.length === 0) return schema;
  const { properties, patternProperties, additionalProperties } = schema;
  const of = patternProperties === undefined ? (additionalProperties ?? true) : true;
  const added = Object.fromEntries(names.map((name) => [String(name), of]));
  return { ...schema, properties: { ...(isObject(properties) && properties), ...added } };
}

/** The rules follow one another: each is of what the one before it leaves. */
function typeableSchema(schema: JsonObject, document: JsonObject): JsonObject {
  return [
    withoutDiscriminator,
    withoutReadOnly,
    withoutAbsent,
    withoutUselessParts,
    unwrapped,
    besideReference,
    withoutNullConst,
  ]
    .concat([pinnedBranches, separateUnions, openRecord])
    .reduce((image, rule) => rule(image, document), schema);
}

/** Which side has a property is said by its being there; `readonly` would keep handlers from building what they answer. */
function withoutReadOnly(schema: JsonObject): JsonObject {
  if (schema.readOnly === undefined) return schema;
  const { readOnly: _, ...others } = schema;
  return others;
}

/** A property that admits nothing is none; an object that had no others is an empty one. */
function withoutAbsent(schema: JsonObject): JsonObject {
  if (!isObject(schema.properties)) return schema;
  const properties = mapEntries(schema.properties, (_, part) => (admitsNothing(part) ? undefined : part));
  if (properties === schema.properties) return schema;
  const isEmpty = Object.keys(properties).length === 0;
  return {
    ...schema,
    properties,
    ...(isEmpty && { additionalProperties: schema.additionalProperties ?? false }),
  };
}

function admitsNothing(schema: Json): boolean {
  return (
    schema === false || (isObject(schema) && isObject(schema.not) && Object.keys(schema.not).length === 0)
  );
}

/** A part of `allOf` that types cannot express would make `Record<string, unknown>` of an object that has names. */
function withoutUselessParts(schema: JsonObject, document: JsonObject): JsonObject {
  if (!Array.isArray(schema.allOf)) return schema;
  const left = schema.allOf.filter((part) => !isMute(part, document));
  // Of parts that all say nothing the first says as much.
  const allOf = left.length > 0 ? left : schema.allOf.slice(0, 1);
  if (allOf.length === schema.allOf.length) return schema;
  const required = schema.allOf.flatMap((part) => (allOf.includes(part) ? [] : requiredBy(part, document)));
  if (required.length === 0) return { ...schema, allOf };
  return { ...schema, allOf, required: [...new Set([...listOf(schema.required), ...required])] };
}

/** What a mute schema requires. */
function requiredBy(schema: Json, document: JsonObject): Json[] {
  return composition(document, schema).flatMap((part) => listOf(part.required));
}

const muteKeywords = new Set(
  ["$ref", "allOf", "type", "required", "properties", "additionalProperties"].concat([
    "unevaluatedProperties",
    "not",
    "minProperties",
    "maxProperties",
  ]),
);

/** True where a schema says no more of an object than that it is one, and what it must have. */
function isMute(schema: Json, document: JsonObject): boolean {
  if (!isObject(schema)) return schema === true;
  return composition(document, schema).every((part) => {
    const { type, properties, additionalProperties, unevaluatedProperties } = part;
    if (type !== undefined && type !== "object") return false;
    if (isObject(additionalProperties) || isObject(unevaluatedProperties)) return false;
    if (isObject(properties) && !Object.values(properties).every(admitsNothing)) return false;
    return Object.keys(part).every(
      (key) => muteKeywords.has(key) || annotations.has(key) || key.startsWith("x-"),
    );
  });
}

/** All of one schema is that schema. */
function unwrapped(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema.allOf) || schema.allOf.length !== 1) return schema;
  const [only] = schema.allOf;
  const { allOf: _, ...others } = schema;
  if (!isObject(only) || typeof only.$ref !== "string" || Object.keys(only).length > 1) return schema;
  return assertionsOf(others).length > 0 ? schema : { ...others, $ref: only.$ref };
}

/** What stands beside a `$ref` holds as well; openapi-typescript leaves it out. */
function besideReference(schema: JsonObject): JsonObject {
  if (typeof schema.$ref !== "string") return schema;
  const { $ref, allOf, ...others } = schema;
  if (assertionsOf(schema).length === 1) return schema;
  return { ...others, allOf: [{ $ref }, ...listOf(allOf)] };
}

/** openapi-typescript takes `const: null` for no `const`. */
function withoutNullConst(schema: JsonObject): JsonObject {
  if (schema.const !== null) return schema;
  const { const: _, ...others } = schema;
  return { ...others, type: "null" };
}

/** openapi-typescript would widen branches that are values to the type beside them. */
function pinnedBranches(schema: JsonObject): JsonObject {
  const { type, ...others } = schema;
  if (type === undefined || type === "object" || type === "array") return schema;
  const isPinned = unions.some((keyword) => {
    const branches = schema[keyword];
    return (
      Array.isArray(branches) &&
      branches.every(
        (branch) => isObject(branch) && (branch.const !== undefined || Array.isArray(branch.enum)),
      )
    );
  });
  return isPinned ? others : schema;
}

/** openapi-typescript makes alternatives of `anyOf` and of what stands beside it, where both must hold. */
function separateUnions(schema: JsonObject, document: JsonObject): JsonObject {
  const { anyOf, ...others } = schema;
  if (!Array.isArray(anyOf)) return schema;
  // Branches such as `required` alone say nothing that types can express.
  if (anyOf.every((branch) => isMute(branch, document)) && assertionsOf(others).length > 0) return others;
  if (assertionsOf(others).length === 0) return schema;
  const { allOf, ...rest } = others;
  return { ...rest, allOf: [...listOf(allOf), { anyOf }] };
}

/** TypeScript holds named properties to the type of all others as well. */
function openRecord(schema: JsonObject): JsonObject {
  const { additionalProperties, properties } = schema;
  if (!isObject(additionalProperties) || Object.keys(additionalProperties).length === 0) return schema;
  const named = isObject(properties) ? Object.values(properties) : [];
  if (named.length === 0) return schema;
  const texts = new Set([JSON.stringify(additionalProperties)]);
  const others = named.filter((part) => {
    const text = JSON.stringify(part);
    return !texts.has(text) && texts.add(text);
  });
  return { ...schema, additionalProperties: { anyOf: [additionalProperties, ...others] } };
}

/** A discriminator decides of no value whether it holds (OpenAPI 3.1, Discriminator Object): only what branches pin tells them apart. */
function withoutDiscriminator(schema: JsonObject): JsonObject {
  const { discriminator, ...others } = schema;
  return discriminator === undefined ? schema : others;
}

function assertionsOf(schema: JsonObject): string[] {
  return Object.keys(schema).filter((key) => !annotations.has(key) && !key.startsWith("x-"));
}
