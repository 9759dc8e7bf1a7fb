/** Reads media types: how bodies are parsed, and their schema. */
import type { Shape, Writing } from "#specbind/contract";
import { examplesAt } from "#specbind/document-examples";
import { type BodyKind, bodyKindOf, essence } from "#specbind/media-type";
import { nearestWord } from "#specbind/nearest-word";
import type { SchemaUse } from "../../json-schema/compile.ts";
import {
  entriesOf,
  follow,
  isObject,
  type Json,
  type JsonObject,
  pointerTo,
  valueAt,
} from "../../openapi/document.ts";
import { admitsAll, keywordOf, viewOf } from "../../openapi/schema/schema-view.ts";
import type { Field, Media, RequestBody } from "../model.ts";
import { fieldsOf, shapeOf } from "../shapes.ts";
import { sampleValue } from "./sample-value.ts";
import type { ModelScope } from "./scope.ts";

export function readFields(
  scope: ModelScope,
  pointer: string,
  media: JsonObject,
  mediaType: string,
): Field[] {
  const kind = kindOf(mediaType);
  if (kind !== "form" && kind !== "multipart") return [];
  const declared = fieldsOf(scope.document, media.schema);
  for (const [name] of entriesOf(media.encoding)) {
    if (declared.has(name)) continue;
    const nearest = nearestWord(name, [...declared.keys()]);
    const fix =
      nearest === undefined ? "add it to the schema, or remove it here" : `did you mean \`${nearest}\`?`;
    const message = `the schema has no property \`${name}\`, so this encoding has no effect; ${fix}`;
    scope.report("encoding-name", pointerTo(pointer, "encoding", name), message);
  }
  return [...declared].map(([name, schema]) => {
    const found = isObject(media.encoding) ? media.encoding[name] : undefined;
    const encoding = isObject(found) ? found : {};
    const type = shapeOf(scope.document, schema);
    scope.reportReserved(pointerTo(pointer, "encoding", name), encoding);
    if (kind === "multipart" && encoding.headers !== undefined)
      scope.note(
        "encoding-headers",
        pointerTo(pointer, "encoding", name, "headers"),
        "the headers of a part are not read, and the client does not send them; make their values fields of the form",
      );
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

export function readMediaTypes(
  scope: ModelScope,
  pointer: string,
  value: Json | undefined,
  use: SchemaUse["use"],
  name: string,
): Media[] {
  return entriesOf(value).map(([mediaType, media]): Media => {
    const place = pointerTo(pointer, mediaType);
    if (isObject(media) && media.itemSchema !== undefined) {
      scope.note(
        "item-schema",
        pointerTo(place, "itemSchema"),
        "the items of a stream have a type, but are not validated; check them in the code that reads them",
      );
      return { mediaType, schema: undefined, fields: [], isStream: true };
    }
    if (!isObject(media) || media.schema === undefined) {
      if (["json", "form", "multipart"].includes(kindOf(mediaType)))
        scope.note(
          "content-without-schema",
          place,
          "a body without a `schema` may have any value; add one to check the body",
        );
      return { mediaType, schema: undefined, fields: [] };
    }
    const at = pointerTo(place, "schema");
    scope.named.push({ name: "", pointer: at });
    const fields = readFields(scope, place, media, mediaType);
    return { mediaType, schema: scope.names.use(at, use, name), fields };
  });
}

export function readRequestBody(
  scope: ModelScope,
  pointer: string,
  operationName: string,
): RequestBody | undefined {
  const place = follow(scope.document, pointer);
  if (!isObject(place.value)) return undefined;
  const content = pointerTo(place.pointer, "content");
  const mediaTypes = readMediaTypes(
    scope,
    content,
    place.value.content,
    "request",
    `${operationName}Content`,
  );
  const required = place.value.required === true;
  const [first] = mediaTypes;
  const schema = first?.schema && valueAt(scope.document, first.schema.pointer);
  return {
    required,
    mediaTypes,
    default: keywordOf(viewOf(scope.document, schema), "default"),
    example: first && readExample(scope, pointerTo(content, first.mediaType), schema, required),
  };
}

/** The first example, or a made value if one is needed. */
export function readExample(
  { document }: ModelScope,
  pointer: string,
  schema: Json | undefined,
  isNeeded: boolean,
): Json | undefined {
  const [first] = examplesAt(document, pointer);
  if (first !== undefined) return first.value;
  return isNeeded ? sampleValue(document, schema) : undefined;
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

export function isOfText(shape: Shape): boolean {
  return shape === "string" || (Array.isArray(shape) && shape.includes("string"));
}

function isOfObjects(shape: Shape): boolean {
  if (typeof shape === "string") return false;
  if (Array.isArray(shape)) return !isOfText(shape) && shape.some(isOfObjects);
  return "properties" in shape || ("items" in shape && isOfObjects(shape.items));
}
