/**
 * Webhooks and callbacks as a separate document, in which each of them is an operation of a path. The service calls these
 * operations and its callers serve them, so all tools for operations also work for webhooks.
 */
import {
  entriesOf,
  follow,
  followed,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  mapEntries,
  pointerTo,
  referenceTarget,
  tokensOf,
  valueAt,
} from "../../openapi/document.ts";
import { mapKinds, operationsIn } from "../../openapi/grammar.ts";
import type { LoadedSpec } from "../../openapi/load.ts";
import { type DirectedSpec, movedSpec } from "../directions.ts";
import { idsOf, operationIds, pascal } from "../model/names.ts";

/** A callback of an operation. */
export interface Callback {
  /** The operation that the callback belongs to. */
  readonly operationId: string;
  /** The path of this operation. */
  readonly path: string;
  readonly name: string;
  /** The operation of the callback in the separate document. */
  readonly id: string;
  /** A URL with runtime expressions (OpenAPI 3.1, Callback Object). */
  readonly expression: string;
}

interface WebhookDocument extends Pick<DirectedSpec, "document" | "sourceOf"> {
  readonly callbacks: readonly Callback[];
}

interface PlacedItem {
  /** The path in the separate document. */
  readonly path: string;
  /** The pointer of the path item in the spec. */
  readonly source: string;
  /** The default of `operationId`. */
  readonly name: string;
  readonly callback?: Omit<Callback, "id">;
}

/** Headers of Standard Webhooks, which the sender adds and the receiver reads. */
const signatureHeader = /^webhook-(?:id|timestamp|signature)$/i;
/** Names that an object with a function for each webhook cannot have. An object with a function `then` is a promise. */
const reserved = ["then"];

/** @returns undefined if the document has no webhooks and no callbacks */
export function webhookSpecOf(spec: LoadedSpec): (DirectedSpec & WebhookDocument) | undefined {
  const found = webhookDocumentOf(spec.document);
  return found && { ...movedSpec(spec, found.document, found.sourceOf), callbacks: found.callbacks };
}

/** @returns undefined if the document has no webhooks and no callbacks */
export function webhookDocumentOf(document: JsonObject): WebhookDocument | undefined {
  const placed = [...webhooksIn(document), ...callbacksIn(document)];
  const ids = webhookIds(document, placed);
  const sources = new Map<string, string>();
  const callbacks: Callback[] = [];
  const paths: JsonObject = {};
  for (const { path, source, callback } of placed) {
    const item = valueAt(document, source);
    const operations = operationsIn(item);
    if (!isObject(item) || operations.length === 0) continue;
    const place = pointerTo("/paths", path);
    const idOf = (pointer: string): string => ids.get(place + pointer) ?? "";
    if (callback !== undefined)
      callbacks.push(...operations.map(({ pointer }) => ({ ...callback, id: idOf(pointer) })));
    sources.set(place, source);
    paths[path] = calledItem(document, item, idOf);
  }
  if (sources.size === 0) return undefined;
  const { webhooks: _, security, "x-unmatched-responses": unmatched, ...rest } = document;
  const sourceOf = (pointer: string): string => {
    const [holder = "", path = "", ...others] = tokensOf(pointer);
    const source = sources.get(pointerTo("", holder, path));
    return source === undefined ? pointer : pointerTo(source, ...others);
  };
  return { document: inOppositeDirection(withUsedComponents({ ...rest, paths })), sourceOf, callbacks };
}

function webhooksIn(document: JsonObject): PlacedItem[] {
  return entriesOf(document.webhooks).map(([name]) => ({
    path: `/${encodeURIComponent(name)}`,
    source: pointerTo("/webhooks", name),
    name,
  }));
}

function callbacksIn(document: JsonObject): PlacedItem[] {
  const ids = operationIds(document);
  return entriesOf(document.paths).flatMap(([path, item]) =>
    operationsIn(path.startsWith("x-") ? undefined : item).flatMap(({ pointer, operation }) =>
      entriesOf(operation.callbacks).flatMap(([name]) => {
        const operationId = ids.get(pointerTo("/paths", path) + pointer) ?? "";
        const place = pointerTo("/paths", path) + pointerTo(pointer, "callbacks", name);
        const { pointer: at, value } = follow(document, place);
        const expressions = entriesOf(value).filter(([key]) => !key.startsWith("x-"));
        return expressions.map(([expression], index) => ({
          path: `/${operationId}/${encodeURIComponent(name)}${index === 0 ? "" : `/${index + 1}`}`,
          source: pointerTo(at, expression),
          name: operationId + pascal(name),
          callback: { operationId, path, name, expression },
        }));
      }),
    ),
  );
}

/**
 * Returns the names of the functions. An `operationId` is kept if it is an identifier and no other webhook has it.
 * Callbacks may share one. Without it, `order.created` becomes `orderCreated`.
 */
function webhookIds(document: JsonObject, placed: readonly PlacedItem[]): ReadonlyMap<string, string> {
  const places = placed.flatMap(({ path, source, name }) => {
    const operations = operationsIn(valueAt(document, source));
    return operations.map(({ pointer, method, operation }) => ({
      pointer: pointerTo("/paths", path) + pointer,
      operationId: operation.operationId,
      name: operations.length === 1 ? name : name + pascal(method.toLowerCase()),
    }));
  });
  const isShared = (id: Json | undefined): boolean =>
    places.filter(({ operationId }) => operationId === id).length > 1;
  return idsOf(
    places.map(({ pointer, operationId, name }) => ({
      pointer,
      id: operationId === undefined || isShared(operationId) ? name : operationId,
      words: name,
    })),
    reserved,
  );
}

/** A receiver needs the credentials of a webhook only if the webhook itself lists them, not those of the whole API. */
function calledItem(document: JsonObject, item: JsonObject, idOf: (pointer: string) => string): JsonObject {
  const unsigned = (holder: JsonObject): JsonObject =>
    mapEntries(holder, (key, value) =>
      key === "parameters" ? listOf(value).filter((each) => !isSignature(document, each)) : value,
    );
  const called = (operation: JsonObject, pointer: string): JsonObject => {
    const { callbacks: _, ...others } = operation;
    return { security: [], ...unsigned(others), operationId: idOf(pointer) };
  };
  const { servers: _, ...image } = structuredClone(unsigned(item));
  for (const { pointer, operation } of operationsIn(item)) {
    const tokens = tokensOf(pointer);
    const holder = valueAt(image, pointerTo("", ...tokens.slice(0, -1)));
    if (isObject(holder)) holder[tokens.at(-1) ?? ""] = called(operation, pointer);
  }
  return image;
}

function isSignature(document: JsonObject, parameter: Json): boolean {
  const value = followed(document, parameter);
  return isObject(value) && value.in === "header" && signatureHeader.test(String(value.name));
}

/** The service sends what its callers otherwise receive, so `readOnly` and `writeOnly` change places. */
function inOppositeDirection(document: JsonObject): JsonObject {
  const image = mapKinds("document", document, (kind, object, inside) => {
    const { readOnly, writeOnly, ...others } = inside();
    if (kind !== "schema" || (object.readOnly === undefined && object.writeOnly === undefined))
      return inside();
    return {
      ...others,
      ...(writeOnly !== undefined && { readOnly: writeOnly }),
      ...(readOnly !== undefined && { writeOnly: readOnly }),
    };
  });
  return image as JsonObject;
}

/** Leaves out the components that only other operations use, because their types would be generated twice. */
function withUsedComponents(document: JsonObject): JsonObject {
  const { components, ...others } = document;
  const used = new Set<string>();
  const visit = (value: Json): void => {
    if (typeof value !== "object" || value === null) return;
    const [, section = "", name = ""] = tokensOf(referenceTarget(value) ?? "");
    const component = pointerTo("/components", section, name);
    const target = name === "" || used.has(component) ? undefined : valueAt(document, component);
    if (target !== undefined) {
      used.add(component);
      visit(target);
    }
    for (const each of Object.values(value)) visit(each);
  };
  visit(others);
  const kept = isObject(components)
    ? mapEntries(components, (section, named) =>
        section === "securitySchemes" || !isObject(named)
          ? named
          : mapEntries(named, (name, value) =>
              used.has(pointerTo("/components", section, name)) ? value : undefined,
            ),
      )
    : {};
  return { ...others, components: kept };
}
