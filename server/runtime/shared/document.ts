import { tokensOf } from "./pointer.ts";

export { pointerTo, tokensOf } from "./pointer.ts";

/** OpenAPI documents as JSON. A document is untrusted, so readers take `unknown` and narrow. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function entriesOf(value: unknown): [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value at a JSON pointer. Inherited properties are ignored. */
export function valueAt(document: unknown, pointer: string): Json | undefined {
  let value: unknown = document;
  for (const key of tokensOf(pointer)) {
    if (Array.isArray(value)) value = /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value as Json | undefined;
}

/** Undefined for references to other files or to anchors. */
export function localPointer(reference: string): string | undefined {
  return reference === "#" || reference.startsWith("#/") ? percentDecoded(reference.slice(1)) : undefined;
}

/** Undefined if the text is not a valid percent-encoding. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Follows `$ref`s. If they form a cycle, returns a place of the cycle. */
export function follow(document: unknown, pointer: string): { pointer: string; value: Json | undefined } {
  return walkReferences(document, pointer, () => true);
}

/** Follows `$ref`s that have no siblings. In schemas, siblings of a `$ref` apply too. */
export function followBare(document: unknown, pointer: string): { pointer: string; value: Json | undefined } {
  return walkReferences(document, pointer, (value) => Object.keys(value).length === 1);
}

export function referenceTarget(value: Json | undefined): string | undefined {
  return isObject(value) && typeof value.$ref === "string" ? localPointer(value.$ref) : undefined;
}

export function referredValue(document: unknown, value: Json | undefined): Json | undefined {
  const target = referenceTarget(value);
  return target === undefined ? undefined : valueAt(document, target);
}

function walkReferences(document: unknown, pointer: string, goOn: (value: JsonObject) => boolean) {
  const seen = new Set<string>();
  let place = pointer;
  for (;;) {
    const value = valueAt(document, place);
    if (!isObject(value) || typeof value.$ref !== "string" || seen.has(place) || !goOn(value)) {
      return { pointer: place, value };
    }
    seen.add(place);
    const target = localPointer(value.$ref);
    if (target === undefined) return { pointer: place, value };
    place = target;
  }
}
