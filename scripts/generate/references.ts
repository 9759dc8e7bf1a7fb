/** Finds the references of a document that lead nowhere, so that every later stage may follow any of them. */
import { isObject, type JsonObject, localPointer, valueAt, visitObjects } from "./document.ts";

export interface ReferenceFault {
  /** Where the `$ref` stands. */
  readonly pointer: string;
  readonly holder: JsonObject;
  readonly message: string;
}

export function faultyReferences(document: JsonObject): ReferenceFault[] {
  const faults: ReferenceFault[] = [];
  visitObjects(document, (object, pointer) => {
    if (!Object.hasOwn(object, "$ref")) return;
    const message = faultOf(document, pointer, object.$ref);
    if (message !== undefined) faults.push({ pointer: `${pointer}/$ref`, holder: object, message });
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
  // The generated types can name what stands in `components`, and nothing else.
  if (!/^\/components\/[^/]+\/[^/]/.test(target))
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
