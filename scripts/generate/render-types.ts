/** Renders the spec's types: as callers write and read them, and its requests as handlers receive them. */
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import {
  defaultOf,
  entriesOf,
  follow,
  isObject,
  type Json,
  type JsonObject,
  localPointer,
  pointerTo,
  valueAt,
  visitObjects,
  withoutReferencesInData,
} from "./document.ts";
import { type Kind, visitKinds } from "./grammar.ts";
import type { LoadedSpec } from "./load.ts";
import type { Model } from "./model.ts";
import { messageOf, SpecProblemsError } from "./problems.ts";
import { banner } from "./source-text.ts";

/** Where the types come from, and how a place in it is named. */
type TypedSpec = Pick<LoadedSpec, "document" | "locate">;

/**
 * Renders `types.ts`. A property with a default may be left out.
 *
 * @param model decides the ids of operations; without it they are those of the document
 */
export async function renderTypes(spec: TypedSpec, model?: Model): Promise<string> {
  const document = model === undefined ? structuredClone(spec.document) : withIds(spec.document, model);
  return render(spec, withoutReferencesInData(document));
}

/**
 * Renders `received.ts`: the request half of the spec after validation, in which every default is filled in. Only what
 * requests refer to is in it.
 */
export async function renderReceivedTypes(spec: LoadedSpec, model: Model): Promise<string> {
  const half = withoutReferencesInData(requestHalf(withIds(spec.document, model)));
  return render(spec, withDefaultsRequired(spec.document, half));
}

/** A copy in which the operations of the model, and no others, have ids: those of the model. */
function withIds(document: JsonObject, { operations }: Model): JsonObject {
  const copy = structuredClone(document);
  visitKinds("document", copy, (kind, object) => {
    if (kind === "operation") delete object.operationId;
  });
  for (const { pointer, id } of operations) {
    const operation = valueAt(copy, pointer);
    if (isObject(operation)) operation.operationId = id;
  }
  return copy;
}

/** @param document is changed by openapi-typescript, which bundles in place */
async function render(spec: TypedSpec, document: JsonObject): Promise<string> {
  visitKinds("document", document, unwrap);
  try {
    // A default makes nothing required here: openapi-typescript does not see those behind a `$ref` or within a request.
    const nodes = await openapiTS(document as never, {
      defaultNonNullable: false,
      silent: true,
      transform: (schema) => (schema.format === "binary" ? blobType(schema.type) : undefined),
    });
    return banner + astToString(nodes);
  } catch (error) {
    const message = `openapi-typescript makes no types of this document: ${messageOf(error)}`;
    throw new SpecProblemsError([{ location: spec.locate(""), message }]);
  }
}

const annotations = new Set([
  "title",
  "description",
  "default",
  "deprecated",
  "examples",
  "readOnly",
  "writeOnly",
]);

/**
 * All of one schema is that schema. openapi-typescript takes it for inheritance, and leaves out the property by which a
 * discriminator tells schemas apart.
 */
function unwrap(kind: Kind, schema: JsonObject): void {
  if (kind !== "schema" || !Array.isArray(schema.allOf) || schema.allOf.length !== 1) return;
  const [only] = schema.allOf;
  const others = Object.keys(schema).filter((key) => key !== "allOf" && !annotations.has(key));
  if (!isObject(only) || typeof only.$ref !== "string" || Object.keys(only).length > 1 || others.length > 0)
    return;
  delete schema.allOf;
  schema.$ref = only.$ref;
}

/** Bytes are no text: callers give them, and handlers get them, as a Blob. */
function blobType(type: unknown): ts.TypeNode {
  const blob = ts.factory.createTypeReferenceNode("Blob");
  if (!Array.isArray(type) || !type.includes("null")) return blob;
  return ts.factory.createUnionTypeNode([blob, ts.factory.createLiteralTypeNode(ts.factory.createNull())]);
}

/** @param half is changed: each property that validation fills in becomes a required one */
function withDefaultsRequired(document: JsonObject, half: JsonObject): JsonObject {
  visitObjects(half, (schema) => {
    const filledIn = entriesOf(schema.properties)
      .filter(([, property]) => defaultOf(document, property) !== undefined)
      .map(([name]) => name);
    if (filledIn.length === 0) return;
    const required = Array.isArray(schema.required) ? schema.required : [];
    schema.required = [...new Set([...required, ...filledIn])];
  });
  return half;
}

function requestHalf(document: JsonObject): JsonObject {
  const half: JsonObject = {
    openapi: document.openapi ?? "3.1.1",
    info: document.info ?? {},
    paths: Object.fromEntries(
      entriesOf(document.paths).map(([path, item]) => [
        path,
        requestsOf(document, pointerTo("/paths", path), item),
      ]),
    ),
  };
  const wanted = referencesFrom(document, half);
  const components: JsonObject = {};
  for (const [section, group] of entriesOf(document.components)) {
    const kept = entriesOf(group).filter(([name]) => wanted.has(pointerTo("/components", section, name)));
    if (kept.length > 0) components[section] = Object.fromEntries(kept);
  }
  half.components = components;
  return half;
}

function requestsOf(document: JsonObject, pointer: string, item: Json): JsonObject {
  const requests: JsonObject = {};
  for (const [key, value] of entriesOf(item)) {
    if (key === "parameters") requests[key] = parametersOf(document, pointerTo(pointer, key), value);
    else if (isObject(value) && value.operationId !== undefined) {
      const place = pointerTo(pointer, key);
      requests[key] = {
        operationId: value.operationId,
        parameters: parametersOf(document, pointerTo(place, "parameters"), value.parameters ?? []),
        ...(value.requestBody !== undefined && {
          requestBody: contentOf(document, pointerTo(place, "requestBody")),
        }),
        responses: {},
      };
    }
  }
  return requests;
}

function parametersOf(document: JsonObject, pointer: string, parameters: Json): Json {
  if (!Array.isArray(parameters)) return [];
  return parameters.map((parameter, index) => {
    const place = follow(document, pointerTo(pointer, index));
    if (!isObject(place.value)) return parameter;
    const filledIn = defaultOf(document, place.value.schema) !== undefined;
    return { ...place.value, required: place.value.required === true || filledIn };
  });
}

function contentOf(document: JsonObject, pointer: string): Json {
  const place = follow(document, pointer);
  if (!isObject(place.value)) return {};
  const filledIn = entriesOf(place.value.content).some(
    ([, media]) => isObject(media) && defaultOf(document, media.schema) !== undefined,
  );
  return { ...place.value, required: place.value.required === true || filledIn };
}

/** Every local pointer that is referred to, directly or through others. */
function referencesFrom(document: JsonObject, start: Json): Set<string> {
  const found = new Set<string>();
  const visit = (value: Json | undefined): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (isObject(value)) {
      const target = typeof value.$ref === "string" ? localPointer(value.$ref) : undefined;
      if (target !== undefined && !found.has(target)) {
        found.add(target);
        visit(follow(document, target).value);
      }
      for (const item of Object.values(value)) visit(item);
    }
  };
  visit(start);
  return found;
}
