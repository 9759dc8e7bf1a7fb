/** Requests have no `readOnly` properties and responses no `writeOnly` ones (OpenAPI 3.1, section 4.8.24). */
import {
  entriesOf,
  fragmentOf,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  localPointer,
  mapEntries,
  pointerTo,
  referenceTarget,
  tokensOf,
  valueAt,
} from "../openapi/document.ts";
import { defaultMapping31 } from "../openapi/downgrade.ts";
import { type Kind, mapKinds, schemasWith, visitKinds } from "../openapi/grammar.ts";
import type { LoadedSpec } from "../openapi/load.ts";
import { isCondition, mapSubschemas } from "../openapi/schema/keywords.ts";
import {
  type Direction,
  hidingKeyword,
  isHidden,
  propertiesOf,
  viewOf,
  viewOfAll,
} from "../openapi/schema/schema-view.ts";

export interface DirectedSpec extends LoadedSpec {
  /** Returns the pointer in the spec for a pointer in this document. */
  sourceOf(pointer: string): string;
}

type PropertyNames = ReadonlySet<string>;

const directions: { readonly [K in Kind]?: Direction } = {
  parameter: "request",
  requestBody: "request",
  response: "response",
};
const nothing: PropertyNames = new Set();

/** Hidden properties get a schema that allows no value. A schema that differs for requests is in `sent/schemas`. */
export function inDirections(spec: LoadedSpec): DirectedSpec {
  if (!hasMarks(spec.document)) return { ...spec, sourceOf: (pointer) => pointer };
  const { document, sources } = new Views(spec.document).all();
  const sourceOf = (pointer: string): string => {
    // A source is added as `/components/schemas/NAME` or `/sent/schemas/NAME`.
    const holder = pointer.split("/", 4).join("/");
    const source = sources.get(holder);
    return source === undefined ? pointer : source + pointer.slice(holder.length);
  };
  return movedSpec(spec, document, sourceOf);
}

/** Another form of a document, whose problems are reported at their places in the spec. */
export function movedSpec(
  spec: LoadedSpec,
  document: JsonObject,
  sourceOf: DirectedSpec["sourceOf"],
): DirectedSpec {
  return {
    document,
    sourceOf,
    locate: (pointer) => spec.locate(sourceOf(pointer)),
    placeOf: (pointer) => spec.placeOf(sourceOf(pointer)),
    report: (rule, pointer, message) => spec.report(rule, sourceOf(pointer), message),
    note: (rule, pointer, message) => spec.note(rule, sourceOf(pointer), message),
  };
}

function hasMarks(document: JsonObject): boolean {
  let found = false;
  visitKinds("document", document, (kind, object) => {
    found ||= kind === "schema" && isMarked(object);
  });
  return found;
}

function isMarked({ readOnly, writeOnly }: JsonObject): boolean {
  return readOnly === true || writeOnly === true;
}

class Views {
  readonly #document: JsonObject;
  readonly #used = { request: new Set<string>(), response: new Set<string>() };
  readonly #referred = { request: new Set<string>(), response: new Set<string>() };
  readonly #differs: (pointer: string) => boolean;
  readonly #hiddenNames = {
    request: new Map<Json, PropertyNames>(),
    response: new Map<Json, PropertyNames>(),
  };

  constructor(document: JsonObject) {
    this.#document = document;
    this.#differs = schemasWith(document, isMarked);
    this.#eachRoot((schema, direction) => {
      this.#use(schema, direction);
      return schema;
    });
  }

  /** @returns the document, and the source of each schema that was added */
  all(): { document: JsonObject; sources: ReadonlyMap<string, string> } {
    const document = this.#eachRoot((schema, direction) => this.#view(schema, direction));
    const sources = new Map<string, string>();
    const sections = { components: new Map<string, Json>(), sent: new Map<string, Json>() };
    const add = (section: "components" | "sent", pointer: string, direction: Direction): void => {
      const name = nameOf(pointer);
      const place = pointerTo("", section, "schemas", name);
      if (place !== pointer) sources.set(place, pointer);
      sections[section].set(name, this.#view(valueAt(this.#document, pointer) ?? true, direction));
    };
    // The loops also visit pointers that `#view` adds to the Sets while they run.
    for (const pointer of this.#referred.response) add("components", pointer, "response");
    for (const pointer of this.#referred.request)
      add(this.#used.response.has(pointer) ? "sent" : "components", pointer, "request");
    const components = isObject(document.components) ? document.components : {};
    const schemas = isObject(components.schemas) ? components.schemas : {};
    return {
      document: {
        ...document,
        components: { ...components, schemas: { ...schemas, ...Object.fromEntries(sections.components) } },
        sent: { schemas: Object.fromEntries(sections.sent) },
      },
      sources,
    };
  }

  #eachRoot(replace: (schema: JsonObject, direction: Direction) => Json): JsonObject {
    let direction: Direction | undefined;
    const image = mapKinds("document", this.#document, (kind, object, inside) => {
      if (kind === "schema") return direction === undefined ? object : replace(object, direction);
      const around = direction;
      direction = directions[kind] ?? (kind === "header" ? (around ?? "response") : around);
      const replaced = inside();
      direction = around;
      return replaced;
    });
    return isObject(image) ? image : this.#document;
  }

  #use(schema: Json, direction: Direction): void {
    const used = this.#used[direction];
    const pending = [schema];
    for (let next = pending.pop(); next !== undefined; next = pending.pop())
      visitKinds("schema", next, (_kind, object) => {
        const target = referenceTarget(object);
        if (target === undefined || used.has(target)) return;
        used.add(target);
        pending.push(valueAt(this.#document, target) ?? true);
      });
  }

  /** @param around names of properties that are hidden by outer schemas of the same value */
  #view(schema: Json, direction: Direction, around: PropertyNames = nothing): Json {
    if (!isObject(schema)) return schema;
    const own = this.#hidden(schema, direction);
    const names = own.size === 0 ? around : around.union(own);
    const target = referenceTarget(schema);
    if (target !== undefined && names.size > 0 && this.#mentions(target, direction, names)) {
      const { $ref: _, allOf, ...beside } = schema;
      const referred = this.#view(valueAt(this.#document, target) ?? true, direction, names);
      if (Object.keys(beside).length === 0 && allOf === undefined) return referred;
      return this.#keywords({ ...beside, allOf: [referred, ...listOf(allOf)] }, direction, names, 1);
    }
    return this.#keywords(schema, direction, names);
  }

  /** @param done the number of schemas in `allOf` that are converted already */
  #keywords(schema: JsonObject, direction: Direction, names: PropertyNames, done = 0): JsonObject {
    const image = mapSubschemas(schema, ({ keyword, appliesTo, key, schema: part }) => {
      if (appliesTo === "nothing" || isCondition(keyword)) return part;
      if (appliesTo === "value")
        return keyword === "allOf" && Number(key) < done ? part : this.#view(part, direction, names);
      const isNamed = keyword === "properties" && names.has(key);
      const isAbsent =
        isNamed || (appliesTo === "properties" && isHidden(viewOf(this.#document, part), direction));
      return isAbsent ? absent(direction) : this.#view(part, direction);
    });
    return mapEntries(image, (keyword, value) => {
      if (keyword === "$ref" && typeof value === "string") return this.#reference(value, direction);
      if (keyword === "required") return without(value, names);
      if (keyword === "dependentRequired" && isObject(value))
        return mapEntries(value, (_, needed) => without(needed, names));
      return keyword === "discriminator" ? this.#discriminator(value, direction) : value;
    });
  }

  #reference(reference: string, direction: Direction): string {
    const pointer = localPointer(reference);
    if (pointer === undefined || !this.#differs(pointer)) return reference;
    this.#referred[direction].add(pointer);
    const section = direction === "request" && this.#used.response.has(pointer) ? "sent" : "components";
    return fragmentOf(pointerTo("", section, "schemas", nameOf(pointer)));
  }

  #discriminator(value: Json, direction: Direction): Json {
    if (!isObject(value)) return value;
    const ofDirection = (target: Json): Json => {
      if (typeof target !== "string") return target;
      return this.#reference(
        localPointer(target) === undefined ? `#/components/schemas/${target}` : target,
        direction,
      );
    };
    return mapEntries(value, (key, field) => {
      if (key === defaultMapping31) return ofDirection(field);
      return key === "mapping" && isObject(field) ? mapEntries(field, (_, each) => ofDirection(each)) : field;
    });
  }

  /** Names of the properties that the schema hides in any branch. */
  #hidden(schema: Json | undefined, direction: Direction): PropertyNames {
    if (!isObject(schema)) return nothing;
    const known = this.#hiddenNames[direction].get(schema);
    if (known !== undefined) return known;
    // This ends the recursion.
    this.#hiddenNames[direction].set(schema, nothing);
    const view = viewOf(this.#document, schema);
    const own = [...propertiesOf(view)].filter(([, places]) => isHidden(viewOfAll(...places), direction));
    let names: PropertyNames = new Set(own.map(([name]) => name));
    for (const { branches } of view.unions)
      names = names.union(
        branches
          .map(({ value }) => this.#hidden(value, direction))
          .reduce((all, each) => all.intersection(each)),
      );
    this.#hiddenNames[direction].set(schema, names);
    return names;
  }

  /** Whether the schema declares or requires a property with one of the names, and does not hide this property. */
  #mentions(pointer: string, direction: Direction, names: PropertyNames): boolean {
    const seen = new Set<Json>();
    const mentions = (schema: Json | undefined, open: PropertyNames): boolean => {
      if (!isObject(schema) || seen.has(schema)) return false;
      seen.add(schema);
      const left = open.difference(this.#hidden(schema, direction));
      if (left.size === 0) return false;
      const { parts, unions } = viewOf(this.#document, schema);
      const isSaid = parts.some(({ value: { properties, required, dependentRequired } }) => {
        const needed = entriesOf(dependentRequired).flatMap(([, names]) => listOf(names));
        const said = [...entriesOf(properties).map(([name]) => name), ...listOf(required), ...needed];
        return said.some((name) => typeof name === "string" && left.has(name));
      });
      if (isSaid) return true;
      const branches = unions.flatMap((union) => union.branches.map(({ value }) => value));
      const others = parts.flatMap(({ value }) => [
        ...entriesOf(value.dependentSchemas).map(([, part]) => part),
        value.then,
        value.else,
      ]);
      return [...branches, ...others].some((part) => mentions(part, left));
    };
    return mentions(valueAt(this.#document, pointer), names);
  }
}

/** The name of a component, or the path of a schema inside it. */
function nameOf(pointer: string): string {
  const [, section, ...rest] = tokensOf(pointer);
  return section === "schemas" ? rest.join("/") : [section, ...rest].join("/");
}

function absent(direction: Direction): JsonObject {
  return { [hidingKeyword[direction]]: true, not: {} };
}

function without(list: Json, names: PropertyNames): Json | undefined {
  if (!Array.isArray(list)) return list;
  const left = list.filter((name) => typeof name !== "string" || !names.has(name));
  if (left.length === list.length) return list;
  return left.length === 0 ? undefined : left;
}
