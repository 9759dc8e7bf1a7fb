/** The schemas that a `$dynamicRef` can mean (JSON Schema core, 8.2.3.2). */
import { fragmentOf, type Json, type JsonObject, valueAt } from "../openapi/document.ts";
import { visitKinds } from "../openapi/grammar.ts";
import { placeAt, type SchemaPlace } from "../openapi/schema/schema-view.ts";
import { referredFrom } from "./unchanged.ts";

const known = new WeakMap<object, Map<string, string[]>>();

/**
 * The schemas with the anchor in components that lead to the reference. Which of them is meant depends on the schemas
 * around the reference.
 */
export function dynamicTargets({ document, pointer: place, value }: SchemaPlace): SchemaPlace[] {
  const reference = String(Object(value).$dynamicRef);
  const anchor = reference.slice(reference.indexOf("#") + 1);
  const componentOf = (pointer: string): string => pointer.split("/", 4).join("/");
  const leadsHere = (component: string): boolean =>
    component === componentOf(place) ||
    referredFrom(document as Json, [valueAt(document, component)]).has(componentOf(place));
  return (anchorsIn(document as JsonObject).get(anchor) ?? [])
    .filter((pointer) => leadsHere(componentOf(pointer)))
    .map((pointer) => placeAt(document, pointer));
}

function anchorsIn(document: JsonObject): Map<string, string[]> {
  const found = known.get(document) ?? new Map<string, string[]>();
  if (known.has(document)) return found;
  known.set(document, found);
  visitKinds("document", document, (kind, { $dynamicAnchor: anchor }, pointer) => {
    if (kind !== "schema" || typeof anchor !== "string") return;
    found.set(anchor, [...(found.get(anchor) ?? []), pointer]);
  });
  return found;
}

/** If only one schema has the anchor, a `$ref` means the same. */
export function withoutDynamicReferences(document: JsonObject): void {
  visitKinds("document", document, (kind, schema, pointer) => {
    if (kind !== "schema" || schema.$dynamicRef === undefined || schema.$ref !== undefined) return;
    const [target, ...others] = dynamicTargets({ document, pointer, value: schema });
    if (target === undefined || others.length > 0) return;
    delete schema.$dynamicRef;
    schema.$ref = fragmentOf(target.pointer);
  });
}
