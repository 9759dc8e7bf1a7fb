/** Reads media types: how bodies are parsed, and their schema. */
import type { Shape, Writing } from "#specbind/contract";
import { type BodyKind, bodyKindOf, essence } from "#specbind/media-type";
import {
  entriesOf,
  follow,
  isObject,
  type Json,
  type JsonObject,
  pointerTo,
} from "../../openapi/document.ts";
import { admitsAll, keywordOf, viewOf } from "../../openapi/schema/schema-view.ts";
import type { Content, Field, Media, SchemaUse } from "../model.ts";
import { fieldsOf, shapeOf } from "../shapes.ts";
import type { ModelScope } from "./scope.ts";

/** A media type of RFC 9110, section 8.3.1, or a range of section 12.5.1. */
const mediaTypeForm = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;.*)?$/s;
const charsetForm = /^(?!.*;\s*charset=(?!"?utf-?8"?\s*(?:;|$)))/is;
export function readFields(
  scope: ModelScope,
  pointer: string,
  media: JsonObject,
  mediaType: string,
): Field[] {
  const kind = kindOf(mediaType);
  if (kind !== "form" && kind !== "multipart") return [];
  return [...fieldsOf(scope.document, media.schema)].map(([name, schema]) => {
    const found = isObject(media.encoding) ? media.encoding[name] : undefined;
    const encoding = isObject(found) ? found : {};
    const type = shapeOf(scope.document, schema);
    scope.reportReserved(pointerTo(pointer, "encoding", name), encoding);
    const { contentType, style, explode } = encoding;
    return {
      name,
      type,
      style: typeof style === "string" ? (style as Writing["style"]) : undefined,
      explode: typeof explode === "boolean" ? explode : undefined,
      mediaType:
        typeof contentType === "string"
          ? contentType
          : style === undefined
            ? fieldMediaType(scope.document, schema, type, kind)
            : undefined,
    };
  });
}

/** True for bytes whose generated type would be a string. */
function isRaw(document: JsonObject, schema: Json): boolean {
  const part = keywordOf(viewOf(document, schema), "items") ?? schema;
  const view = viewOf(document, part);
  const [mediaType, encoding, format] = ["contentMediaType", "contentEncoding", "format"].map((keyword) =>
    keywordOf(view, keyword),
  );
  const isBytes = typeof mediaType === "string" && kindOf(mediaType) === "bytes";
  return isBytes && encoding === undefined && format !== "binary";
}

/**
 * Reports and removes media types that cannot be read or validated. A response is sent in one of its media types
 * (OpenAPI 3.1, Response Object), so a removal is only a note if another media type is left.
 */
export function readContentTypes(
  scope: ModelScope,
  pointer: string,
  value: Json | undefined,
  use: SchemaUse["use"],
  name: string,
): Media[] {
  const contents = entriesOf(value).map(([mediaType, media]) => {
    const schema = isObject(media) ? media.schema : undefined;
    return { mediaType, media, schema, problem: mediaTypeProblem(scope.document, mediaType, schema) };
  });
  const mayLack = use === "response" && contents.some(({ problem }) => problem === undefined);
  return contents.flatMap(({ mediaType, media, schema, problem }): Media[] => {
    const place = pointerTo(pointer, mediaType);
    if (problem?.isUnparsed && mayLack) {
      scope.note(
        "media-type",
        place,
        `a body of media type ${mediaType} is not parsed, so this response is generated without it`,
      );
      return [];
    }
    if (problem !== undefined) {
      scope.report("media-type", place, problem.message);
      return [];
    }
    if (isObject(media) && media.itemSchema !== undefined) {
      scope.note(
        "item-schema",
        pointerTo(place, "itemSchema"),
        "the items of a stream have a type, but are not validated",
      );
      return [{ mediaType, schema: undefined, fields: [], isStream: true }];
    }
    if (!isObject(media) || schema === undefined) {
      if (["json", "form", "multipart"].includes(kindOf(mediaType)))
        scope.note("content-without-schema", place, "a body without a schema may have any value");
      return [{ mediaType, schema: undefined, fields: [] }];
    }
    const at = pointerTo(place, "schema");
    scope.named.push({ name: "", pointer: at });
    const fields = readFields(scope, place, media, mediaType);
    return [{ mediaType, schema: scope.names.use(at, use, name), fields }];
  });
}

function mediaTypeProblem(
  document: JsonObject,
  mediaType: string,
  schema: Json | undefined,
): { message: string; isUnparsed?: true } | undefined {
  if (!mediaTypeForm.test(mediaType))
    return { message: "this is not a media type; write one such as application/json" };
  if (!charsetForm.test(mediaType))
    return { message: "bodies are only read and written as UTF-8; remove the charset" };
  if (schema === undefined) return undefined;
  const kind = kindOf(mediaType);
  if ((kind === "text" || kind === "bytes") && !isOfText(shapeOf(document, schema)))
    return {
      message: `a body of media type ${mediaType} is not parsed, so its schema cannot be enforced; use application/json, make the schema a string, or use --lenient, which leaves this media type out`,
      isUnparsed: true,
    };
  const fields = kind === "multipart" ? [...fieldsOf(document, schema)] : [];
  const [raw] = fields.find(([, part]) => isRaw(document, part)) ?? [];
  return raw === undefined
    ? undefined
    : {
        message: `field ${raw} would be read as text, but its contentMediaType is binary; write format: binary instead, and set contentType in the field's encoding to its media type`,
      };
}

export function readContent(scope: ModelScope, pointer: string, operationName: string): Content | undefined {
  const place = follow(scope.document, pointer);
  if (!isObject(place.value)) return undefined;
  const content = pointerTo(place.pointer, "content");
  if (isObject(place.value.content) && Object.keys(place.value.content).length === 0)
    scope.report(
      "content-without-media-type",
      content,
      "a body without a media type cannot be sent; add application/json",
    );
  const mediaTypes = readContentTypes(
    scope,
    content,
    place.value.content,
    "request",
    `${operationName}Content`,
  );
  return { required: place.value.required === true, mediaTypes };
}

export function kindOf(mediaType: string): BodyKind | "any" {
  const kind = bodyKindOf(mediaType);
  return kind === "bytes" && essence(mediaType).includes("*") ? "any" : kind;
}

const jsonMediaType = "application/json";

/** The default media type of a field (OpenAPI 3.1, Encoding Object). Undefined for text. */
function fieldMediaType(
  document: JsonObject,
  schema: Json,
  type: Shape,
  kind: "form" | "multipart",
): string | undefined {
  if (isOfObjects(type)) return jsonMediaType;
  const part = keywordOf(viewOf(document, schema), "items") ?? schema;
  const isBytes =
    keywordOf(viewOf(document, part), "format") === "binary" || (kind === "multipart" && admitsAll(part));
  return isBytes ? "application/octet-stream" : undefined;
}

function isOfText(shape: Shape): boolean {
  return shape === "string" || (Array.isArray(shape) && shape.includes("string"));
}

function isOfObjects(shape: Shape): boolean {
  if (typeof shape === "string") return false;
  if (Array.isArray(shape)) return !isOfText(shape) && shape.some(isOfObjects);
  return "properties" in shape || ("items" in shape && isOfObjects(shape.items));
}
