/** Rewrites what OpenAPI 3.0 and 3.1 express in different ways, so that only differences in meaning remain. */
import { essence } from "#specbind/media-type";
import { copyOf, isObject, type Json, type JsonObject, pointerTo, tokensOf } from "../openapi/document.ts";
import { visitKinds } from "../openapi/grammar.ts";
import { placeAt, placeBelow } from "../openapi/schema/schema-view.ts";
import { resolved } from "./facts.ts";
import type { Spec } from "./spec.ts";

const octets = "application/octet-stream";
/** Matches media types whose schemas describe text or parts, not bytes. */
const structured = /[/+](?:json|xml)$|^text\/|^application\/x-www-form-urlencoded$|^multipart\//;

/** Keywords that only explain. The comparison of wording reads the original documents. */
const texts = ["title", "summary", "description", "example", "examples", "externalDocs", "tags", "$comment"];
/** Kinds whose keys are names. */
const named: ReadonlySet<string> = new Set(["document", "components", "paths", "callback"]);

/** A place that may describe bytes. */
interface Place {
  readonly schema: Json | undefined;
  readonly mediaType: string;
  readonly replace: (schema: JsonObject) => void;
}

/**
 * For bytes, 3.0 uses `format: binary`. 3.1 uses `contentMediaType`, an empty schema or no schema. For Base64, 3.0 uses
 * `format: byte` and 3.1 `contentEncoding`. All pointers stay valid.
 */
export function withSameMeaning(before: Spec, after: Spec): [before: Spec, after: Spec] {
  const [old, now] = [before, after].map((spec) => ({ ...spec, document: copyOf(spec.document) }));
  if (old === undefined || now === undefined) return [before, after];
  const [olds, nows] = [placesIn(old), placesIn(now)];
  for (const [places, others] of [
    [olds, nows],
    [nows, olds],
  ] as const)
    for (const [pointer, { schema, mediaType, replace }] of places) {
      const other = others.get(pointer);
      const isEmpty = schema === undefined || (isObject(schema) && Object.keys(schema).length === 0);
      const isBytes = isEmpty && other !== undefined && hasBytes(other.schema, other.mediaType);
      if (!isBytes && !hasBytes(schema, mediaType)) continue;
      const { contentMediaType: _, ...rest } = isObject(schema) ? schema : {};
      replace({ ...rest, type: "string", format: "binary" });
    }
  return [old, now];
}

function placesIn(spec: Spec & { readonly document: JsonObject }): Map<string, Place> {
  const places = new Map<string, Place>();
  visitKinds("document", spec.document, (kind, object, pointer) => {
    if (!named.has(kind)) for (const keyword of texts) delete object[keyword];
    if (kind === "schema" && (object.format === "byte" || object.format === "base64")) {
      object.contentEncoding ??= "base64";
      delete object.format;
    }
    if (kind !== "mediaType") return;
    const mediaType = essence(tokensOf(pointer).at(-1) ?? "");
    const add = (holder: JsonObject, key: string, at: string, mediaType: string): void => {
      const { value } = resolved({ document: spec.document, pointer: at, value: holder[key] });
      places.set(pointerTo(at, key), {
        schema: value,
        mediaType,
        replace: (schema) => (holder[key] = schema),
      });
    };
    if (!structured.test(mediaType)) add(object, "schema", pointer, mediaType);
    if (!mediaType.startsWith("multipart/")) return;
    const properties = placeBelow(
      resolved(placeBelow(placeAt(spec.document, pointer), "schema")),
      "properties",
    );
    if (!isObject(properties.value)) return;
    for (const [name, property] of Object.entries(properties.value)) {
      const items = isObject(property) && property.items !== undefined;
      if (items) add(property, "items", pointerTo(properties.pointer, name), octets);
      else add(properties.value, name, properties.pointer, octets);
    }
  });
  return places;
}

function hasBytes(schema: Json | undefined, mediaType: string): boolean {
  if (!isObject(schema) || (schema.type !== undefined && schema.type !== "string")) return false;
  const isTyped = schema.contentMediaType === octets || schema.contentMediaType === mediaType;
  return schema.format === "binary" || (isTyped && schema.contentEncoding === undefined);
}
