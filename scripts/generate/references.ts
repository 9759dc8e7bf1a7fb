/** Finds the references of a document that lead nowhere, so that every later stage may follow any of them. */
import { isComponent } from "./bundle.ts";
import {
  entriesOf,
  isObject,
  type JsonObject,
  localPointer,
  pointerTo,
  valueAt,
  visitObjects,
} from "./document.ts";
import { visitKinds } from "./grammar.ts";

export interface ReferenceFault {
  /** Where the reference stands. */
  readonly pointer: string;
  readonly holder: JsonObject;
  /** The holder's key whose value it is. */
  readonly key: string;
  readonly message: string;
}

export function faultyReferences(document: JsonObject): ReferenceFault[] {
  const faults: ReferenceFault[] = [];
  visitObjects(document, (object, pointer) => {
    if (!Object.hasOwn(object, "$ref")) return;
    const message = faultOf(document, pointer, object.$ref);
    if (message !== undefined)
      faults.push({ pointer: `${pointer}/$ref`, holder: object, key: "$ref", message });
  });
  return [...faults, ...faultyMappings(document)];
}

/** What a discriminator maps to is a reference, or the bare name of a schema (OpenAPI 3.1, Discriminator Object). */
function faultyMappings(document: JsonObject): ReferenceFault[] {
  const faults: ReferenceFault[] = [];
  visitKinds("document", document, (kind, schema, pointer) => {
    const holder = isObject(schema.discriminator) ? schema.discriminator.mapping : undefined;
    if (kind !== "schema" || !isObject(holder)) return;
    for (const [key, target] of entriesOf(holder)) {
      const place = typeof target === "string" ? localPointer(target) : undefined;
      if (typeof target !== "string" || (place !== undefined && valueAt(document, place) !== undefined))
        continue;
      const message =
        place === undefined
          ? `there is no schema ${target} in \`components/schemas\`; correct the name or define the schema`
          : `this reference leads nowhere: there is no #${place}; correct it or define its target`;
      faults.push({ pointer: pointerTo(pointer, "discriminator", "mapping", key), holder, key, message });
    }
  });
  return faults;
}

function faultOf(document: JsonObject, place: string, reference: unknown): string | undefined {
  if (typeof reference !== "string")
    return "a `$ref` must be a text such as `#/components/schemas/Name`; write one";
  const target = localPointer(reference);
  if (target === undefined) {
    return reference.startsWith("#")
      ? "a reference by anchor is not supported; write a JSON pointer such as `#/components/schemas/Name`"
      : "this is no place for a reference to a file; move its target into this one";
  }
  if (valueAt(document, target) === undefined)
    return `this reference leads nowhere: there is no #${target}; correct it or define its target`;
  if (!isComponent(target))
    return "this is no place for a reference out of `components`; move its target there";
  return isInCircle(document, place)
    ? "this reference leads back to itself; let one place of the circle say what is meant"
    : undefined;
}

/** True where following `$ref`s from the place comes back to it. */
function isInCircle(document: JsonObject, place: string): boolean {
  const seen = new Set<string>();
  for (let at = place; !seen.has(at); ) {
    seen.add(at);
    const value = valueAt(document, at);
    const target = isObject(value) && typeof value.$ref === "string" ? localPointer(value.$ref) : undefined;
    if (target === undefined) return false;
    if (target === place) return true;
    at = target;
  }
  return false;
}
