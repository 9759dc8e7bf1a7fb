/** Recognizes equal parts of two documents, so that they need not be compared. */
import { isDeepStrictEqual } from "node:util";
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  localPointer,
  mapEntries,
  pointerTo,
  referenceTarget,
  valueAt,
} from "../openapi/document.ts";
import { defaultMapping31 } from "../openapi/downgrade.ts";

const schemas = "/components/schemas";

export class Unchanged {
  /** The components that are equal in both documents, and refer only to such components. */
  readonly #components = new Set<string>();

  constructor(before: Json, after: Json) {
    const changed: string[] = [];
    const referrers = new Map<string, string[]>();
    for (const [section, group] of entriesOf(valueAt(before, "/components")))
      for (const [name, old] of entriesOf(group)) {
        const pointer = pointerTo("/components", section, name);
        const targets = componentsIn(old);
        if (!isDeepStrictEqual(old, valueAt(after, pointer))) {
          changed.push(pointer);
          continue;
        }
        this.#components.add(pointer);
        for (const target of targets) referrers.set(target, [...(referrers.get(target) ?? []), pointer]);
      }
    // The loop also visits the components that are added while it runs.
    for (const pointer of changed)
      for (const referrer of referrers.get(pointer) ?? [])
        if (this.#components.delete(referrer)) changed.push(referrer);
  }

  /** True if both pointers are of the same component, which did not change. */
  isEqual(old: string, now: string): boolean {
    return old === now && this.#components.has(old);
  }

  /** True if the values are equal, and everything that they refer to is equal too. */
  of(old: Json | undefined, now: Json | undefined): boolean {
    return isDeepStrictEqual(old, now) && [...componentsIn(old)].every((each) => this.#components.has(each));
  }
}

/** The components to which a value refers directly, by references or by mappings of discriminators. */
function componentsIn(value: Json | undefined, found = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return found;
  for (const item of Object.values(value)) componentsIn(item, found);
  if (!isObject(value)) return found;
  const mapped = [value[defaultMapping31], ...Object.values(isObject(value.mapping) ? value.mapping : {})];
  const targets = mapped.map(
    (each) => typeof each === "string" && (localPointer(each) ?? pointerTo(schemas, each)),
  );
  for (const pointer of [referenceTarget(value), ...targets]) {
    if (typeof pointer !== "string") continue;
    found.add(pointer.split("/", 4).join("/"));
  }
  return found;
}

/** The pointers of everything that `start` refers to, directly or indirectly. */
export function referredFrom(document: Json, start: readonly (Json | undefined)[]): Set<string> {
  const found = new Set<string>();
  for (const value of start) componentsIn(value, found);
  // The loop also visits the components that are added while it runs.
  for (const pointer of found) componentsIn(valueAt(document, pointer), found);
  return found;
}

/** Security schemes are referred to by name, so they stay. */
export function withUsedComponents(document: JsonObject): JsonObject {
  const { components, ...others } = document;
  const used = referredFrom(document, [others]);
  const usedOf = (section: string, group: JsonObject): JsonObject =>
    mapEntries(group, (name, value) =>
      used.has(pointerTo("/components", section, name)) ? value : undefined,
    );
  const kept = mapEntries(Object(components), (section, group) =>
    isObject(group) && section !== "securitySchemes" ? usedOf(section, group) : group,
  );
  return { ...others, components: kept };
}
