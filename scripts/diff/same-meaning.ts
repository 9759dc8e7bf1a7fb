/** Rewrites what OpenAPI 3.0 and 3.1 say in different ways, so that only differences in meaning remain. */
import {
  copyOf,
  follow,
  isObject,
  type Json,
  type JsonObject,
  referenceTarget,
  tokensOf,
  valueAt,
} from "../openapi/document.ts";
import { visitKinds } from "../openapi/grammar.ts";
import type { Spec } from "./spec.ts";

const bytes = "application/octet-stream";
/** Media types whose schemas describe text or parts, not bytes. */
const structured = /[/+](?:json|xml)$|^text\/|^application\/x-www-form-urlencoded$|^multipart\//;

/**
 * Bytes: 3.0 has `format: binary`, 3.1 has no schema or `contentMediaType`. Base64: 3.0 has `format: byte`, 3.1
 * `contentEncoding`. All pointers stay valid.
 */
export function withSameMeaning(spec: Spec): Spec {
  const document = copyOf(spec.document);
  visitKinds("document", document, (kind, object, pointer) => {
    if (kind === "schema" && (object.format === "byte" || object.format === "base64")) {
      object.contentEncoding ??= "base64";
      delete object.format;
    }
    if (kind !== "mediaType") return;
    const type = (tokensOf(pointer).at(-1) ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
    const schema = schemaOf(document, object.schema);
    if (type.startsWith("multipart/")) replaceParts(document, valueAt(schema, "/properties"));
    else if (!structured.test(type) && isObject(schema)) {
      const rest = withoutBytes(schema, type);
      if (rest !== schema && Object.keys(rest).length === 0) delete object.schema;
      else if (rest !== schema) object.schema = rest;
    }
  });
  return { ...spec, document };
}

function replaceParts(document: JsonObject, properties: Json | undefined): void {
  if (!isObject(properties)) return;
  for (const [name, property] of Object.entries(properties)) {
    const schema = schemaOf(document, property);
    if (!isObject(schema)) continue;
    const items = schemaOf(document, schema.items);
    if (isObject(items)) properties[name] = { ...schema, items: withoutBytes(items, bytes) };
    else if (withoutBytes(schema, bytes) !== schema) properties[name] = withoutBytes(schema, bytes);
  }
}

/** The schema itself if it does not describe bytes. */
function withoutBytes(schema: JsonObject, mediaType: string): JsonObject {
  const { type, format, contentMediaType, ...rest } = schema;
  const isBytes =
    [bytes, mediaType].some((each) => each === contentMediaType) && schema.contentEncoding === undefined;
  return (type === undefined || type === "string") && (format === "binary" || isBytes) ? rest : schema;
}

function schemaOf(document: JsonObject, schema: Json | undefined): Json | undefined {
  const target = referenceTarget(schema);
  return target === undefined ? schema : follow(document, target).value;
}
