/** A model of a document's operations with schemas and examples, made without the generated contract. */
import type { SecurityRequirement } from "#specbind/contract";
import { declaredExamples } from "#specbind/document-examples";
import { operationIds } from "../generate/model/names.ts";
import {
  entriesOf,
  follow,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  pointerTo,
  valueAt,
} from "../openapi/document.ts";
import { operationsIn } from "../openapi/grammar.ts";
import { type DeclaredParameter, defaultStyles, isIgnored, parametersAt } from "../openapi/parameters.ts";
import { type NodeOf, nodesOf, type SchemaNode } from "../openapi/schema/schema-node.ts";
import type { MediaTypeSchema } from "./bodies.ts";
import { bodyKindOf } from "./media-types.ts";
import type { Style } from "./styles.ts";
import { bounded, hasFormat } from "./values/keywords.ts";

export interface HeaderModel extends Style {
  /** The JSON pointer of the object that has the schema. */
  readonly at: string;
  readonly required: boolean;
}

export interface ParameterModel extends HeaderModel {
  readonly examples: readonly Json[];
}

export interface MediaTypeModel extends MediaTypeSchema {
  /** The JSON pointer of the Media Type Object. */
  readonly at: string;
  /** Keyed by name. */
  readonly examples: ReadonlyMap<string, Json>;
}

export interface ResponseModel {
  /** Such as `200`, `4XX` or `default`. */
  readonly status: string;
  readonly pointer: string;
  readonly headers: readonly HeaderModel[];
  readonly mediaTypes: readonly MediaTypeModel[];
}

export interface OperationModel {
  readonly id: string;
  /** The id of the GET whose twin it is (`x-twin-of`). */
  readonly twinOf: string | undefined;
  /** In capital letters. */
  readonly method: string;
  /** The path template, with parameters in braces. */
  readonly path: string;
  /** Alternatives, each with the credentials that it requires. Empty if no credential is required. */
  readonly security: readonly (readonly SecurityRequirement[])[];
  readonly parameters: readonly ParameterModel[];
  /** Undefined if the operation has no request body. */
  readonly body: { readonly required: boolean; readonly mediaTypes: readonly MediaTypeModel[] } | undefined;
  readonly responses: readonly ResponseModel[];
}

export interface ServiceModel {
  /** Returns the nodes of response schemas. */
  readonly responseNodeOf: NodeOf;
  readonly operations: readonly OperationModel[];
  /** The responses to requests that match no operation. */
  readonly unmatched: readonly ResponseModel[];
}

/** @param json an OpenAPI 3.1 document with local references only */
export function modelOf(json: object): ServiceModel {
  // TypeScript gives an imported JSON file the type of its content, which is not JsonObject.
  const document = json as JsonObject;
  const reading: Reading = {
    document,
    nodeOf: nodesOf(document, "request", hasFormat, bounded),
    responseNodeOf: nodesOf(document, "response", hasFormat, bounded),
  };
  const ids = operationIds(document);
  const operations = entriesOf(document.paths).flatMap(([path, item]) =>
    operationsIn(path.startsWith("x-") ? undefined : item).map(({ pointer, method }) =>
      operationModel(reading, path, method, pointer, ids),
    ),
  );
  const unmatched = responsesAt(reading, "/x-unmatched-responses");
  return { responseNodeOf: reading.responseNodeOf, operations, unmatched };
}

/** The media type that a client sends if several are documented: JSON, else the first one. */
export function usualMediaType({ body }: OperationModel): MediaTypeModel | undefined {
  const json = body?.mediaTypes.filter(({ mediaType }) => bodyKindOf(mediaType) === "json");
  return json?.find(({ mediaType }) => !mediaType.includes("*")) ?? json?.[0] ?? body?.mediaTypes[0];
}

interface Reading {
  readonly document: JsonObject;
  readonly nodeOf: NodeOf;
  readonly responseNodeOf: NodeOf;
}

function operationModel(
  reading: Reading,
  path: string,
  method: string,
  pointer: string,
  ids: ReadonlyMap<string, string>,
): OperationModel {
  const { document } = reading;
  const item = pointerTo("/paths", path);
  const at = item + pointer;
  const declared = parametersAt(document, item, at)
    .filter((each) => !isIgnored(each))
    .map((each) => [`${each.in} ${each.name}`, parameterModel(reading, each)] as const);
  const body = follow(document, pointerTo(at, "requestBody"));
  const security = valueAt(document, pointerTo(at, "security")) ?? document.security;
  const twinOf = valueAt(document, pointerTo(at, "x-twin-of"));
  return {
    id: ids.get(at) ?? "",
    twinOf: typeof twinOf === "string" ? twinOf : undefined,
    method,
    path,
    security: listOf(security).map((alternative) =>
      entriesOf(alternative).map(([scheme, roles]) =>
        requirementOf(reading, scheme, listOf(roles).map(String)),
      ),
    ),
    parameters: [...new Map(declared).values()],
    body: isObject(body.value)
      ? {
          required: body.value.required === true,
          mediaTypes: mediaTypesAt(reading, reading.nodeOf, body.pointer),
        }
      : undefined,
    responses: responsesAt(reading, pointerTo(at, "responses")),
  };
}

function requirementOf(reading: Reading, scheme: string, roles: readonly string[]): SecurityRequirement {
  const { value } = follow(reading.document, pointerTo("/components/securitySchemes", scheme));
  const { type, name, in: place, scheme: kind } = isObject(value) ? value : {};
  if (type === "mutualTLS") return { scheme, roles, credential: "certificate" };
  const http = type === "http" ? String(kind).toLowerCase() : undefined;
  if (type === "apiKey" && typeof name === "string" && isCredentialPlace(place))
    return { scheme, roles, credential: { in: place, name } };
  // OAuth 2.0 and OpenID Connect use bearer tokens (RFC 6750).
  if (http === "bearer" || type === "oauth2" || type === "openIdConnect") return { scheme, roles };
  return { scheme, roles, credential: http === "basic" ? "basic" : "unknown" };
}

function isCredentialPlace(place: unknown): place is "header" | "query" | "cookie" {
  return place === "header" || place === "query" || place === "cookie";
}

/** How a problem of a parameter is reported. Callers do not see the name of a `querystring`. */
export function placeOfParameter({ in: place, name }: ParameterModel) {
  if (place === "querystring") return { in: "query", pointer: "" } as const;
  return { in: place, pointer: pointerTo("", name) };
}

/** How a parameter or a header is written. */
function styleOf(
  { document }: Reading,
  nodeOf: NodeOf,
  pointer: string,
  name: string,
  place: Style["in"],
): Style & { readonly at: string } {
  const value = valueAt(document, pointer);
  const { style: given, explode: isExploded, content } = isObject(value) ? value : {};
  const [[mediaType] = []] = entriesOf(content);
  const at = mediaType === undefined ? pointer : pointerTo(pointer, "content", mediaType);
  const style = String(given ?? defaultStyles[place]);
  const node = nodeOf(valueAt(document, pointerTo(at, "schema")) ?? true);
  const explode = typeof isExploded === "boolean" ? isExploded : style === "form";
  return { at, name, in: place, style, explode, mediaType, node };
}

function parameterModel(
  reading: Reading,
  { name, in: place, pointer, value }: DeclaredParameter,
): ParameterModel {
  const style = styleOf(reading, reading.nodeOf, pointer, name, place);
  const examples = declaredExamples(reading.document, style.at).map((each) => each.value);
  return { ...style, required: value.required === true || place === "path", examples };
}

/** A form has fields, whatever its schema allows. */
const ofFields = { type: "object" };

function mediaTypesAt({ document }: Reading, nodeOf: NodeOf, pointer: string): MediaTypeModel[] {
  return entriesOf(valueAt(document, pointerTo(pointer, "content"))).map(([mediaType, media]) => {
    const at = pointerTo(pointer, "content", mediaType);
    const schema = valueAt(document, pointerTo(at, "schema")) ?? true;
    const isForm = ["form", "multipart"].includes(bodyKindOf(mediaType));
    const node: SchemaNode = nodeOf(isForm ? { allOf: [schema, ofFields] } : schema);
    const encoding = isObject(media) && isObject(media.encoding) ? media.encoding : {};
    const examples = new Map(declaredExamples(document, at).map((each) => [each.name, each.value]));
    return { mediaType, node, at, encoding, examples };
  });
}

function responsesAt(reading: Reading, pointer: string): ResponseModel[] {
  const { document, responseNodeOf } = reading;
  return entriesOf(valueAt(document, pointer))
    .filter(([status]) => /^(?:\d{3}|\dXX|default)$/.test(status))
    .map(([status]) => {
      const { pointer: at, value } = follow(document, pointerTo(pointer, status));
      const headers = entriesOf(isObject(value) ? value.headers : undefined).flatMap(
        ([name]): HeaderModel[] => {
          const header = follow(document, pointerTo(at, "headers", name));
          // OpenAPI ignores this header (Response Object).
          if (name.toLowerCase() === "content-type") return [];
          const style = styleOf(reading, responseNodeOf, header.pointer, name, "header");
          return [{ ...style, required: isObject(header.value) && header.value.required === true }];
        },
      );
      return { status, pointer: at, headers, mediaTypes: mediaTypesAt(reading, responseNodeOf, at) };
    });
}
