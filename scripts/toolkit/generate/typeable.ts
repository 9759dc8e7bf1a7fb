/** Rewrites the parts of a document that openapi-typescript would omit or render incorrectly. */
import { isEnforced } from "../json-schema/formats.ts";
import {
  entriesOf,
  followed,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  localPointer,
  mapEntries,
  mapItems,
  pointerTo,
  referenceTarget,
  tokensOf,
  valueAt,
} from "../openapi/document.ts";
import { defaultMapping31 } from "../openapi/downgrade.ts";
import { mapKinds } from "../openapi/grammar.ts";
import { isIgnored } from "../openapi/parameters.ts";
import { isAnnotation } from "../openapi/schema/keywords.ts";
import {
  admitsNothing,
  propertiesOf,
  requiredNames,
  viewOf,
  viewOfAll,
} from "../openapi/schema/schema-view.ts";
import { withBlobs } from "./blobs.ts";
import type { Model } from "./model.ts";

const irrelevant = new Set(["readOnly", "writeOnly", "xml", "discriminator"]);
const unions = ["anyOf", "oneOf"] as const;

export function typeable(given: JsonObject, model?: Model): JsonObject {
  const document = withBlobs(given);
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
    if (kind === "parameter") return bySchema(parts);
    if (kind === "header") return bySchema(byReference(parts, document));
    if (kind === "response") return withoutEmptyContent(parts);
    if (kind === "paths") return withoutExtensions(parts);
    if (kind === "pathItem") return withoutIgnored(parts, document);
    if (kind !== "operation") return parts;
    const operation = mapEntries(withoutIgnored(parts, document), (key, value) =>
      key === "responses" && isObject(value) ? withoutExtensions(value) : value,
    );
    return ids === undefined ? operation : withId(operation, ids.get(object));
  });
  const root = isObject(image) ? image : document;
  const { sent } = root;
  if (!isObject(sent) || !isObject(sent.schemas)) return root;
  const schemas = mapEntries(sent.schemas, (_, schema) =>
    mapKinds("schema", schema, (_kind, object, inside) => say(object, inside)),
  );
  return { ...root, sent: { schemas } };
}

/** Gives parameters and headers the schema of their `content`, which openapi-typescript does not support. */
function bySchema(holder: JsonObject): JsonObject {
  const { content, ...others } = holder;
  if (holder.schema !== undefined || !isObject(content)) return holder;
  const [media] = Object.values(content);
  const schema = isObject(media) ? media.schema : undefined;
  return { ...others, schema: schema ?? true };
}

/** openapi-typescript requires every header that is a reference, and gives `unknown` to a component that is one. */
function byReference(header: JsonObject, document: JsonObject): JsonObject {
  if (referenceTarget(header) === undefined) return header;
  const { $ref = "", ...others } = header;
  const value = followed(document, header);
  return { ...others, required: isObject(value) && value.required === true, schema: { $ref } };
}

/** openapi-typescript treats every key as a path or as a status. */
function withoutExtensions(holder: JsonObject): JsonObject {
  return mapEntries(holder, (key, item) => (key.startsWith("x-") ? undefined : item));
}

/** openapi-typescript would require header parameters that OpenAPI ignores. */
function withoutIgnored(holder: JsonObject, document: JsonObject): JsonObject {
  if (!Array.isArray(holder.parameters)) return holder;
  const parameters = holder.parameters.filter((each) => {
    const value = followed(document, each);
    return !(
      isObject(value) &&
      value.in === "header" &&
      isIgnored({ in: "header", name: String(value.name) })
    );
  });
  return parameters.length === holder.parameters.length ? holder : { ...holder, parameters };
}

/** openapi-typescript would require a body that no value satisfies. */
function withoutEmptyContent(response: JsonObject): JsonObject {
  const { content, ...others } = response;
  return isObject(content) && Object.keys(content).length === 0 ? others : response;
}

function withId(operation: JsonObject, id: string | undefined): JsonObject {
  if (operation.operationId === id) return operation;
  const { operationId: _, ...others } = operation;
  return id === undefined ? others : { ...others, operationId: id };
}

class Undeclared {
  readonly #document: JsonObject;
  /** The property names that the outer schema declares, for each subschema that applies to the same value. */
  readonly #around = new Map<Json, ReadonlySet<string>>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** Must be called for outer schemas first. @returns the required names that no schema declares */
  enter(schema: JsonObject): Json[] {
    const composed = [...propertiesOf(viewOf(this.#document, schema)).keys()];
    const declared = new Set([...composed, ...(this.#around.get(schema) ?? [])]);
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

/** openapi-typescript omits required properties that are not declared. */
function declaring(schema: JsonObject, names: readonly Json[]): JsonObject {
  if (names.length === 0) return schema;
  const { properties, patternProperties, additionalProperties } = schema;
  const of = patternProperties === undefined ? (additionalProperties ?? true) : true;
  const added = Object.fromEntries(names.map((name) => [String(name), of]));
  return { ...schema, properties: { ...(isObject(properties) && properties), ...added } };
}

function typeableSchema(schema: JsonObject, document: JsonObject): JsonObject {
  return [
    withTags,
    withFormatNote,
    withoutUnwanted,
    withoutAbsent,
    withoutUselessParts,
    withoutBooleans,
    unwrapped,
    withReferenceApart,
    withoutNullConst,
    withoutObjectEnum,
    pinnedBranches,
    separateUnions,
    openRecord,
  ].reduce((image, rule) => rule(image, document), schema);
}

/** Adds the values of a discriminator to the branches that are references, so that TypeScript can tell them apart. */
function withTags(schema: JsonObject, document: JsonObject): JsonObject {
  const { discriminator } = schema;
  if (!isObject(discriminator) || typeof discriminator.propertyName !== "string") return schema;
  const { propertyName: name, mapping, [defaultMapping31]: otherwise } = discriminator;
  const tagged = (branch: Json): Json => {
    const target = referenceTarget(branch);
    // The default branch has every value that no other branch has.
    const isTarget = (to: Json | undefined): boolean =>
      typeof to === "string" && (localPointer(to) ?? pointerTo("/components/schemas", to)) === target;
    if (target === undefined || isTarget(otherwise)) return branch;
    const mapped = entriesOf(mapping).flatMap(([value, to]) => (isTarget(to) ? [value] : []));
    const values = mapped.length > 0 ? mapped : tokensOf(target).slice(-1);
    const { parts } = viewOfAll(...(propertiesOf(viewOf(document, branch)).get(name) ?? []));
    const admitted = values.filter((value) =>
      parts.every(
        ({ value: { type = "string", enum: all = [value] } }) =>
          [type].flat().includes("string") && [all].flat().includes(value),
      ),
    );
    const isFixed = parts.some(
      (part) => part.value.const !== undefined || listOf(part.value.enum).length === admitted.length,
    );
    if (admitted.length === 0 || isFixed) return branch;
    return {
      allOf: [
        branch,
        { type: "object", properties: { [name]: { oneOf: admitted.map((value) => ({ const: value })) } } },
      ],
    };
  };
  return mapEntries(schema, (keyword, value) =>
    unions.some((each) => each === keyword) && Array.isArray(value) ? mapItems(value, tagged) : value,
  );
}

/** openapi-typescript writes the format into the comment of the type. */
function withFormatNote(schema: JsonObject): JsonObject {
  const { format, type } = schema;
  if (typeof format !== "string" || isEnforced(format, type) || format === type) return schema;
  return { ...schema, format: `${format} (not enforced)` };
}

/**
 * - `readOnly`: handlers could not build their responses. Requests and responses have separate types already.
 * - `$defs`: openapi-typescript would render them as a property. References never point into them.
 * - `discriminator`: openapi-typescript would change the branches for every other use, too.
 */
function withoutUnwanted(schema: JsonObject): JsonObject {
  const { readOnly, $defs, discriminator, ...others } = schema;
  const isWanted = readOnly === undefined && $defs === undefined && discriminator === undefined;
  return isWanted ? schema : others;
}

/** openapi-typescript would keep properties that allow nothing. */
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

/** Parts of `allOf` that types cannot express would become `Record<string, unknown>`. */
function withoutUselessParts(schema: JsonObject, document: JsonObject): JsonObject {
  if (!Array.isArray(schema.allOf)) return schema;
  const left = schema.allOf.filter((part) => !isMute(part, document));
  // If no part restricts the value, one is kept.
  const allOf = left.length > 0 ? left : schema.allOf.slice(0, 1);
  if (allOf.length === schema.allOf.length) return schema;
  const required = schema.allOf.flatMap((part) => (allOf.includes(part) ? [] : requiredBy(part, document)));
  if (required.length === 0) return { ...schema, allOf };
  return { ...schema, allOf, required: [...new Set([...listOf(schema.required), ...required])] };
}

function requiredBy(schema: Json, document: JsonObject): Json[] {
  return [...requiredNames(viewOf(document, schema))];
}

const muteKeywords = new Set(
  ["$ref", "allOf", "type", "required", "properties", "additionalProperties"].concat([
    "unevaluatedProperties",
    "not",
    "minProperties",
    "maxProperties",
  ]),
);

/** True if the type of the schema could say only that it is an object, and which properties are required. */
function isMute(schema: Json, document: JsonObject): boolean {
  if (!isObject(schema)) return schema === true;
  return viewOf(document, schema).parts.every(({ value: part }) => {
    const { type, properties, additionalProperties, unevaluatedProperties } = part;
    if (type !== undefined && type !== "object") return false;
    if (isObject(additionalProperties) || isObject(unevaluatedProperties)) return false;
    if (isObject(properties) && !Object.values(properties).every(admitsNothing)) return false;
    return assertionsOf(part).every((key) => muteKeywords.has(key));
  });
}

/** openapi-typescript expects objects in `allOf`. */
function withoutBooleans(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema.allOf)) return schema;
  const allOf = mapItems(schema.allOf, (part) => (part === true ? {} : part === false ? { not: {} } : part));
  return allOf === schema.allOf ? schema : { ...schema, allOf };
}

function unwrapped(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema.allOf) || schema.allOf.length !== 1) return schema;
  const [only] = schema.allOf;
  const { allOf: _, ...others } = schema;
  if (!isObject(only) || typeof only.$ref !== "string" || Object.keys(only).length > 1) return schema;
  return assertionsOf(others).length > 0 ? schema : { ...others, $ref: only.$ref };
}

/** openapi-typescript ignores siblings of `$ref`. */
function withReferenceApart(schema: JsonObject): JsonObject {
  if (typeof schema.$ref !== "string") return schema;
  const { $ref, allOf, ...others } = schema;
  if (assertionsOf(schema).length === 1) return schema;
  return { ...others, allOf: [{ $ref }, ...listOf(allOf)] };
}

/** openapi-typescript ignores `const: null`. */
function withoutNullConst(schema: JsonObject): JsonObject {
  if (schema.const !== null) return schema;
  const { const: _, ...others } = schema;
  return { ...others, type: "null" };
}

/** openapi-typescript would read objects in an enum as schemas. */
function withoutObjectEnum(schema: JsonObject): JsonObject {
  if (schema.type !== "object" || schema.enum === undefined) return schema;
  const { enum: _, ...others } = schema;
  return others;
}

/** openapi-typescript would replace branches with constant values by the `type` next to the union. */
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

/** openapi-typescript combines `anyOf` and its siblings as alternatives, but both must be valid. */
function separateUnions(schema: JsonObject, document: JsonObject): JsonObject {
  const { anyOf, ...others } = schema;
  if (!Array.isArray(anyOf)) return schema;
  // Types cannot express branches such as `required` alone.
  if (anyOf.every((branch) => isMute(branch, document)) && assertionsOf(others).length > 0) return others;
  if (assertionsOf(others).length === 0) return schema;
  const { allOf, ...rest } = others;
  return { ...rest, allOf: [...listOf(allOf), { anyOf }] };
}

/** In TypeScript, the index signature must include the types of the named properties. */
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

function assertionsOf(schema: JsonObject): string[] {
  return Object.keys(schema).filter((key) => !irrelevant.has(key) && !isAnnotation(key));
}
