/** Removes differences that do not break callers from two documents before their types are compared. */
import { copyOf, isObject, type Json, pointerTo, valueAt } from "../../openapi/document.ts";
import { operationsIn, visitKinds } from "../../openapi/grammar.ts";
import { placeAt } from "../../openapi/schema/schema-view.ts";
import { withoutTwins } from "../../openapi/twins.ts";
import { resolved } from "../facts.ts";
import { pathsIn, renamedParameters, routeOf } from "../path-templates.ts";
import type { Spec } from "../spec.ts";

export interface RenamedPath {
  readonly old: string;
  readonly now: string;
  /** Maps each old name of a path parameter to its new name. */
  readonly names: ReadonlyMap<string, string>;
}

/** Finds paths that differ only in the names of their parameters. */
export function renamedPaths(before: Spec, after: Spec): RenamedPath[] {
  const nows = new Map(pathsIn(placeAt(after.document, "/paths")).map((path) => [routeOf(path), path]));
  return pathsIn(placeAt(before.document, "/paths")).flatMap((old) => {
    const now = nows.get(routeOf(old));
    return now === undefined || now === old ? [] : [{ old, now, names: renamedParameters(old, now) }];
  });
}

/** Returns the document as the types need it. The paths in `renamed` get their new names. Twins have no types. */
export function typeView(spec: Spec, renamed: readonly RenamedPath[] = []): Spec {
  const document = copyOf(withoutTwins(spec.document));
  visitKinds("document", document, (kind, object) => {
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
