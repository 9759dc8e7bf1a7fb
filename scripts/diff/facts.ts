/**
 * What a schema says about a value: references followed, `allOf` flattened, unions kept apart. For JSON Schema 2020-12.
 */
import {
  follow,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  pointerTo,
  referenceTarget,
  type ValueType,
  valueAt,
  valueTypeOf,
  valueTypes,
} from "../openapi/document.ts";
import { isAnnotation } from "./annotations.ts";
import type { Spec } from "./spec.ts";

/** Who writes the value: `sent` by callers, `received` from the service. */
export type Side = "sent" | "received";

/** A value and its place in a document. */
export interface SpecNode {
  readonly spec: Spec;
  readonly pointer: string;
  readonly value: Json | undefined;
}

/** One schema object. Its own keywords apply; references are separate parts. */
export interface SchemaPart extends SpecNode {
  readonly value: JsonObject;
}

export interface Union {
  readonly keyword: "anyOf" | "oneOf";
  readonly branches: readonly SpecNode[];
}

export interface Facts {
  /** The pointer for reports, and the pointer that it refers to in the end. */
  readonly origin: string;
  readonly target: string;
  /** True if no value is valid. */
  readonly never: boolean;
  readonly parts: readonly SchemaPart[];
  readonly unions: readonly Union[];
  /** Schemas for which the value is known to be invalid. */
  readonly excluded: readonly SpecNode[];
  /** All branches of the union, where the facts are those of one branch. */
  readonly siblings: readonly SpecNode[];
  /** The only type that is looked at, where a proof goes type by type. */
  readonly only: ValueType | undefined;
}

export function nodeAt(spec: Spec, pointer: string): SpecNode {
  return { spec, pointer, value: valueAt(spec.document, pointer) };
}

export function below(parent: SpecNode, ...tokens: (string | number)[]): SpecNode {
  const pointer = pointerTo(parent.pointer, ...tokens);
  return { spec: parent.spec, pointer, value: valueAt(parent.value, pointerTo("", ...tokens)) };
}

/** Follows `$ref`. Not for schemas, because their `$ref` may have siblings. */
export function resolved(from: SpecNode): SpecNode {
  const target = referenceTarget(from.value);
  return target === undefined ? from : { spec: from.spec, ...follow(from.spec.document, target) };
}

function admitsAll(schema: Json | undefined): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).every(isAnnotation));
}

export function factsOf(...places: readonly SpecNode[]): Facts {
  const parts: SchemaPart[] = [];
  const unions: Union[] = [];
  const seen = new Set<string>();
  let never = false;
  let target = places[0]?.pointer ?? "";
  const add = (at: SpecNode): void => {
    if (at.value === false || (isObject(at.value) && admitsAll(at.value.not))) never = true;
    if (!isObject(at.value) || seen.has(at.pointer)) return;
    seen.add(at.pointer);
    const part: SchemaPart = { ...at, value: at.value };
    parts.push(part);
    const referred = referredBy(part);
    if (referred !== undefined) {
      const isBare = Object.keys(at.value).every((keyword) => keyword === "$ref" || isAnnotation(keyword));
      if (at.pointer === target && isBare) target = referred.pointer;
      add(referred);
    }
    for (const branch of itemNodes(part, "allOf")) add(branch);
    for (const keyword of ["anyOf", "oneOf"] as const) {
      const branches = itemNodes(part, keyword);
      if (branches.length > 0) unions.push({ keyword, branches });
    }
  };
  for (const each of places) add(each);
  const origin = places[0]?.pointer ?? "";
  return { origin, target, never, parts, unions, excluded: [], siblings: [], only: undefined };
}

/** Reports use the origin of the first. */
export function both(first: Facts, second: Facts): Facts {
  return {
    origin: first.origin,
    target: first.target,
    never: first.never || second.never,
    parts: distinctPlaces([...first.parts, ...second.parts]),
    unions: [...first.unions, ...second.unions],
    excluded: distinctPlaces([...first.excluded, ...second.excluded]),
    siblings: first.siblings,
    only: first.only ?? second.only,
  };
}

function distinctPlaces<P extends SpecNode>(places: readonly P[]): P[] {
  return [...new Map(places.map((each) => [each.pointer, each])).values()];
}

/** The cases of one union, each with all other facts. */
export function splitOf(facts: Facts, union: Union): Facts[] {
  const rest = { ...facts, unions: facts.unions.filter((other) => other !== union) };
  return union.branches.map((branch, index) => {
    const own = factsOf(branch);
    const excluded = union.keyword === "oneOf" ? union.branches.filter((_, other) => other !== index) : [];
    return {
      ...both(rest, { ...own, excluded }),
      origin: own.origin,
      target: own.target,
      siblings: union.branches,
    };
  });
}

function referredBy(part: SchemaPart): SpecNode | undefined {
  const target = referenceTarget(part.value);
  return target === undefined ? undefined : nodeAt(part.spec, target);
}

export function itemNodes(part: SchemaPart, keyword: string): SpecNode[] {
  return listOf(part.value[keyword]).map((_, index) => below(part, keyword, index));
}

/** The types of the values that are valid. */
export function kindsOf(facts: Facts): ValueType[] {
  if (facts.never) return [];
  const values = finiteValues(facts);
  return valueTypes.filter(
    (kind) =>
      (facts.only === undefined || facts.only === kind) &&
      facts.parts.every(({ value }) => typesOf(value)?.includes(kind) ?? true) &&
      (values === undefined || values.some((value) => valueTypeOf(value) === kind)),
  );
}

/** The types that `type` names, with `integer` as `number`. */
export function typesOf(schema: JsonObject): ValueType[] | undefined {
  const named = namedTypes(schema);
  return named?.map((type) => (type === "integer" ? "number" : type)).filter(isValueType);
}

function namedTypes({ type }: JsonObject): Json[] | undefined {
  return type === undefined ? undefined : Array.isArray(type) ? type : [type];
}

function isValueType(type: unknown): type is ValueType {
  return valueTypes.some((each) => each === type);
}

export function isIntegral({ parts }: Facts): boolean {
  return parts.some(({ value }) => onlyIntegers(value));
}

export function onlyIntegers(schema: JsonObject): boolean {
  const named = namedTypes(schema) ?? [];
  if (named.includes("integer")) return !named.includes("number");
  return typeof schema.multipleOf === "number" && Number.isInteger(schema.multipleOf);
}

/** The values that `enum` and `const` allow. */
export function finiteValues(facts: Facts): Json[] | undefined {
  let values: Json[] | undefined;
  for (const { value } of facts.parts) {
    for (const listed of [value.enum, Object.hasOwn(value, "const") ? [value.const] : undefined]) {
      if (!Array.isArray(listed)) continue;
      const these = listed.filter((item): item is Json => item !== undefined);
      values = (values ?? these).filter((item) => these.some((other) => isEqual(item, other)));
    }
  }
  if (values === undefined && facts.only === "null") values = [null];
  if (values === undefined && facts.only === "boolean") values = [true, false];
  return values?.filter(
    (item) =>
      (facts.only === undefined || facts.only === valueTypeOf(item)) &&
      facts.parts.every(({ value }) => typesOf(value)?.includes(valueTypeOf(item)) ?? true),
  );
}

/** Equality of JSON values. The order of properties does not matter. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  );
}

export function textsOf(list: Json | undefined): string[] {
  return listOf(list).filter((item) => typeof item === "string");
}

export function numberOf(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Undefined if the pattern is invalid. */
export function matches(pattern: string, text: string): boolean | undefined {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return undefined;
  }
}

/** True if `readOnly` or `writeOnly` forbids this side to write the value. */
export function isHidden(facts: Facts, side: Side): boolean {
  return facts.parts.some(({ value }) => value[hidingKeyword(side)] === true);
}

export function hidingKeyword(side: Side): "readOnly" | "writeOnly" {
  return side === "sent" ? "readOnly" : "writeOnly";
}
