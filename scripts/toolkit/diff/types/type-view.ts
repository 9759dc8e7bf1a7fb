/** Removes differences that do not break callers from two documents before their types are compared. */
import {
  copyOf,
  isObject,
  type Json,
  type JsonObject,
  mapEntries,
  pointerTo,
  referenceTarget,
  valueAt,
} from "../../openapi/document.ts";
import { operationsIn, visitKinds } from "../../openapi/grammar.ts";
import { placeAt } from "../../openapi/schema/schema-view.ts";
import { withoutTwins } from "../../openapi/twins.ts";
import { isExtensible, resolved } from "../facts.ts";
import { pairedPaths, renamedParameters } from "../path-templates.ts";
import type { Spec } from "../spec.ts";
import { Unchanged, withUsedComponents } from "../unchanged.ts";

export interface RenamedPath {
  readonly old: string;
  readonly now: string;
  /** Maps each old name of a path parameter to its new name. */
  readonly names: ReadonlyMap<string, string>;
}

/** Finds paths that differ only in the names of their parameters. */
export function renamedPaths(before: Spec, after: Spec): RenamedPath[] {
  return pairedPaths(before.document, after.document).flatMap(({ old, now }) =>
    old === undefined || now === undefined || now === old
      ? []
      : [{ old, now, names: renamedParameters(old, now) }],
  );
}

/**
 * Returns the document as the types need it. The paths in `renamed` get their new names. Twins have no types.
 *
 * @param older the older document
 */
export function typeView(spec: Spec, older: Json, renamed: readonly RenamedPath[] = []): Spec {
  const document = copyOf(withoutTwins(spec.document));
  const isOpen = (pointer: string): boolean => isExtensible(older, valueAt(older, pointer));
  visitKinds("document", document, (kind, object, pointer) => {
    // Callers must expect any value, so their code must not depend on the list.
    if (kind === "schema" && object.enum !== undefined && isOpen(pointer)) delete object.enum;
    // If the keyword allows any other property, the schema means the same without it.
    const { additionalProperties: others } = object;
    const isAny = others === true || (isObject(others) && Object.keys(others).length === 0);
    if (kind === "schema" && isAny) delete object.additionalProperties;
  });
  const { paths } = document;
  if (!isObject(paths)) return { ...spec, document };
  for (const { old, now, names } of renamed) {
    const { value: item } = resolved(placeAt(document, pointerTo("/paths", old)));
    if (!isObject(item)) continue;
    delete paths[old];
    const named = copyOf(item);
    for (const holder of [named, ...operationsIn(named).map(({ operation }) => operation)])
      if (Array.isArray(holder.parameters))
        holder.parameters = holder.parameters.map((each) => withNewName(spec, each, names));
    paths[now] = named;
  }
  return { ...spec, document };
}

function withNewName(spec: Spec, parameter: Json, names: ReadonlyMap<string, string>): Json {
  const { value } = resolved({ document: spec.document, pointer: "", value: parameter });
  const name = names.get(String(valueAt(value, "/name")));
  return isObject(value) && value.in === "path" && name !== undefined ? { ...value, name } : parameter;
}

/** Removes the operations that are equal in both documents, and the components that only they use. */
export function changedParts(before: Spec, after: Spec): [before: Spec, after: Spec, unchanged: Unchanged] {
  const unchanged = new Unchanged(before.document, after.document);
  const reduced = (spec: Spec, other: Spec): Spec => {
    const paths = mapEntries(Object(spec.document.paths), (path, item) => {
      const known = valueAt(other.document, pointerTo("/paths", path));
      const shared = ({ parameters = null }: JsonObject): Json => parameters;
      if (!isObject(item) || !isObject(known) || !unchanged.of(shared(item), shared(known))) return item;
      const left = mapEntries(item, (key, value) => (unchanged.of(value, known[key]) ? undefined : value));
      const isLeft = operationsIn(left).length > 0 || referenceTarget(item) !== undefined;
      return isLeft ? { ...left, parameters: shared(item) ?? [] } : undefined;
    });
    return { ...spec, document: withUsedComponents({ ...spec.document, paths }) };
  };
  return [reduced(before, after), reduced(after, before), unchanged];
}
