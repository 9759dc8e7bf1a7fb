/**
 * A flat view of a schema: `$ref` is followed, `allOf` is flattened, unions are kept separate (JSON Schema 2020-12).
 */
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  pointerTo,
  referenceTarget,
  valueAt,
} from "../document.ts";
import { isAnnotation } from "./keywords.ts";

/** A schema, or another value, and its place in a document. */
export interface SchemaPlace {
  readonly document: unknown;
  readonly pointer: string;
  readonly value: Json | undefined;
}

/** One schema object. The schemas in its `$ref` and `allOf` are separate parts. */
export interface SchemaPart extends SchemaPlace {
  readonly value: JsonObject;
}

export interface SchemaUnion {
  readonly keyword: "anyOf" | "oneOf";
  readonly branches: readonly SchemaPlace[];
}

/** A value must be valid against every part and every union. */
export interface SchemaView {
  readonly parts: readonly SchemaPart[];
  readonly unions: readonly SchemaUnion[];
  /** The pointers of the references that were followed. */
  readonly references: readonly string[];
  /** True if no value is valid, because a part is `false` or excludes every value. */
  readonly isNever: boolean;
}

/** Whether a value is part of a request or of a response. */
export type Direction = "request" | "response";

/** The keyword that removes a property in a direction (OpenAPI 3.1, section 4.8.24). */
export const hidingKeyword = { request: "readOnly", response: "writeOnly" } as const;

export function placeAt(document: unknown, pointer: string): SchemaPlace {
  return { document, pointer, value: valueAt(document, pointer) };
}

export function placeBelow(
  { document, pointer, value }: SchemaPlace,
  ...tokens: (string | number)[]
): SchemaPlace {
  let held: Json | undefined = value;
  for (const token of tokens)
    held =
      typeof held === "object" && held !== null && Object.hasOwn(held, token)
        ? Reflect.get(held, token)
        : undefined;
  return { document, pointer: pointerTo(pointer, ...tokens), value: held };
}

/** @param pointer needed only if the caller reads the pointers of the parts */
export function viewOf(document: unknown, value: Json | undefined, pointer = ""): SchemaView {
  return viewOfAll({ document, pointer, value });
}

/** The view of several schemas for the same value. */
export function viewOfAll(...places: readonly SchemaPlace[]): SchemaView {
  const parts: SchemaPart[] = [];
  const unions: SchemaUnion[] = [];
  const references: string[] = [];
  const seen = new Set<Json>();
  let isNever = false;
  const add = (place: SchemaPlace): void => {
    const { document, value } = place;
    if (admitsNothing(value)) isNever = true;
    if (!isObject(value) || seen.has(value)) return;
    seen.add(value);
    const part: SchemaPart = { ...place, value };
    parts.push(part);
    const target = referenceTarget(value);
    if (target !== undefined) {
      references.push(target);
      add(placeAt(document, target));
    }
    for (const each of itemPlaces(part, "allOf")) add(each);
    for (const keyword of ["anyOf", "oneOf"] as const)
      if (listOf(value[keyword]).length > 0) unions.push({ keyword, branches: itemPlaces(part, keyword) });
  };
  for (const place of places) add(place);
  return { parts, unions, references, isNever };
}

export function itemPlaces(part: SchemaPart, keyword: string): SchemaPlace[] {
  return listOf(part.value[keyword]).map((_, index) => placeBelow(part, keyword, index));
}

/** True for `false` and for a `not` that matches every value. */
export function admitsNothing(schema: Json | undefined): boolean {
  return schema === false || (isObject(schema) && admitsAll(schema.not));
}

export function admitsAll(schema: Json | undefined): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).every(isAnnotation));
}

/** The value of a keyword in the first part that has it. */
export function keywordOf({ parts }: SchemaView, keyword: string): Json | undefined {
  return parts.find(({ value }) => value[keyword] !== undefined)?.value[keyword];
}

/** The schemas of each declared property, by name. */
export function propertiesOf({ parts }: SchemaView): Map<string, [SchemaPlace, ...SchemaPlace[]]> {
  const properties = new Map<string, [SchemaPlace, ...SchemaPlace[]]>();
  for (const part of parts)
    for (const [name] of entriesOf(part.value.properties)) {
      const place = placeBelow(part, "properties", name);
      const known = properties.get(name);
      if (known === undefined) properties.set(name, [place]);
      else known.push(place);
    }
  return properties;
}

export function requiredNames({ parts }: SchemaView): Set<string> {
  return new Set(
    parts.flatMap(({ value }) => listOf(value.required)).filter((name) => typeof name === "string"),
  );
}

/** True if any part has the keyword (JSON Schema validation, 9.4). */
export function isHidden({ parts }: SchemaView, direction: Direction): boolean {
  return parts.some(({ value }) => value[hidingKeyword[direction]] === true);
}
