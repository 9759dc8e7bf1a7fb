/**
 * OpenAPI 3.1 as a JSON Schema that editors complete by and explain from, made of the types that Redocly's linter knows, so
 * that no editor has to fetch one. It is lenient where types depend on values; the linter and the generator are strict.
 */
import { Oas3_1Types } from "@redocly/openapi-core";
import { isObject, type Json, type JsonObject } from "../generate/document.ts";

/** As much of Redocly's description of a type as is read here. */
interface Described {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly items?: unknown;
  readonly additionalProperties?: unknown;
  readonly required?: unknown;
  readonly extensionsPrefix?: string;
  readonly description?: string;
}

/** What the keys of a map look like, each with an example that types are asked with. */
const keyPatterns = { "^/": "/things", "^([1-5](\\d\\d|XX)|default)$": "200" };
const samples = [{}, [], true, "text", 1];

/** Draft 07, the one that editors read best. */
export function openApiSchema(): JsonObject {
  const definitions = Object.entries<Described>(Oas3_1Types).map(([name, type]) => [
    name,
    schemaOfType(name, type),
  ]);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "OpenAPI 3.1",
    $ref: "#/definitions/Root",
    definitions: Object.fromEntries(definitions),
  };
}

function schemaOfType(name: string, type: Described): JsonObject {
  const { properties = {}, items, additionalProperties, required, extensionsPrefix, description } = type;
  const about: JsonObject = description === undefined ? {} : { description };
  if (items !== undefined) return { ...about, type: "array", items: schemaOf(items) };
  const own = Object.entries(properties).map(([key, value]) => [key, schemaOf(value)]);
  const patterns = Object.entries(keyPatterns)
    .filter(
      ([, key]) => typeof additionalProperties === "function" && asked(additionalProperties, key).length > 0,
    )
    .map(([pattern, key]) => [pattern, schemaOf(additionalProperties, key)]);
  const extensions = extensionsPrefix === undefined ? [] : [[`^${extensionsPrefix}`, {}]];
  const others = schemaOf(additionalProperties, "name", false);
  return {
    ...about,
    type: name === "Schema" ? ["object", "boolean"] : "object",
    // Any object may be a reference.
    properties: { $ref: { type: "string" }, ...Object.fromEntries(own) },
    patternProperties: Object.fromEntries([...extensions, ...patterns]),
    additionalProperties: others,
    ...(Array.isArray(required) && { anyOf: [{ required: ["$ref"] }, { required }] }),
  };
}

/** @param otherwise what stands for a type that says nothing */
function schemaOf(value: unknown, key = "name", otherwise: Json = {}): Json {
  if (value === null) return {};
  if (typeof value === "string") return { $ref: `#/definitions/${value}` };
  if (typeof value === "function") {
    const answers = asked(value, key).map((answer) => schemaOf(answer));
    const distinct = [...new Map(answers.map((answer) => [JSON.stringify(answer), answer])).values()];
    if (distinct.length > 1) return { anyOf: distinct };
    return distinct[0] ?? otherwise;
  }
  if (!isObject(value)) return otherwise;
  const { type, items, enum: values, description, minimum, properties, additionalProperties } = value;
  return {
    ...(type !== undefined && properties === undefined && { type }),
    ...(values !== undefined && { enum: values }),
    ...(description !== undefined && { description }),
    ...(minimum !== undefined && { minimum }),
    ...(items !== undefined && { items: schemaOf(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: schemaOf(additionalProperties) }),
  };
}

/** What a type that depends on the value answers to values of each kind. */
function asked(type: unknown, key: string): unknown[] {
  if (typeof type !== "function") return [];
  return samples
    .map((sample): unknown => type(sample, key))
    .filter((answer) => answer !== undefined && answer !== null);
}
