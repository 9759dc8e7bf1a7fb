/**
 * What a schema says about a value: references followed, `allOf` flattened, unions kept apart. For JSON Schema 2020-12.
 */
import {
  entriesOf,
  follow,
  isObject,
  type Json,
  type JsonObject,
  pointerTo,
  referenceTarget,
  type ValueType,
  valueAt,
  valueTypeOf,
  valueTypes,
} from "../openapi/document.ts";
import { isAnnotation } from "./keywords.ts";
import type { Spec } from "./spec.ts";

/** Who writes the value: `sent` by callers, `received` from the service. */
export type Side = "sent" | "received";

/** A value and its place in a document. */
export interface Place {
  readonly spec: Spec;
  readonly pointer: string;
  readonly value: Json | undefined;
}

/** One schema object. Its own keywords apply; references are separate parts. */
export interface Part extends Place {
  readonly value: JsonObject;
}

export interface Union {
  readonly keyword: "anyOf" | "oneOf";
  readonly branches: readonly Place[];
}

export interface Facts {
  /** The pointer for reports, and the pointer that it refers to in the end. */
  readonly origin: string;
  readonly target: string;
  /** True if no value is valid. */
  readonly never: boolean;
  readonly parts: readonly Part[];
  readonly unions: readonly Union[];
  /** Schemas for which the value is known to be invalid. */
  readonly excluded: readonly Place[];
  /** The only type that is looked at, where a proof goes type by type. */
  readonly only: ValueType | undefined;
}

export function place(spec: Spec, pointer: string): Place {
  return { spec, pointer, value: valueAt(spec.document, pointer) };
}

export function below(parent: Place, ...tokens: (string | number)[]): Place {
  const pointer = pointerTo(parent.pointer, ...tokens);
  return { spec: parent.spec, pointer, value: valueAt(parent.value, pointerTo("", ...tokens)) };
}

/** Follows `$ref`. Not for schemas, because their `$ref` may have siblings. */
export function resolved(from: Place): Place {
  const target = referenceTarget(from.value);
  return target === undefined ? from : { spec: from.spec, ...follow(from.spec.document, target) };
}

function admitsAll(schema: Json | undefined): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).every(isAnnotation));
}

export function factsOf(...places: readonly Place[]): Facts {
  const parts: Part[] = [];
  const unions: Union[] = [];
  const seen = new Set<string>();
  let never = false;
  let target = places[0]?.pointer ?? "";
  const add = (at: Place): void => {
    if (at.value === false || (isObject(at.value) && admitsAll(at.value.not))) never = true;
    if (!isObject(at.value) || seen.has(at.pointer)) return;
    seen.add(at.pointer);
    const part: Part = { ...at, value: at.value };
    parts.push(part);
    const referred = referredBy(part);
    if (referred !== undefined) {
      const isBare = Object.keys(at.value).every((keyword) => keyword === "$ref" || isAnnotation(keyword));
      if (at.pointer === target && isBare) target = referred.pointer;
      add(referred);
    }
    for (const branch of listOf(part, "allOf")) add(branch);
    for (const keyword of ["anyOf", "oneOf"] as const) {
      const branches = listOf(part, keyword);
      if (branches.length > 0) unions.push({ keyword, branches });
    }
  };
  for (const each of places) add(each);
  return { origin: places[0]?.pointer ?? "", target, never, parts, unions, excluded: [], only: undefined };
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
    only: first.only ?? second.only,
  };
}

function distinctPlaces<P extends Place>(places: readonly P[]): P[] {
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
    };
  });
}

function referredBy(part: Part): Place | undefined {
  const target = referenceTarget(part.value);
  return target === undefined ? undefined : place(part.spec, target);
}

export function listOf(part: Part, keyword: string): Place[] {
  const list = part.value[keyword];
  return Array.isArray(list) ? list.map((_, index) => below(part, keyword, index)) : [];
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
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
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
  const keyword = side === "sent" ? "readOnly" : "writeOnly";
  return facts.parts.some(({ value }) => value[keyword] === true);
}

export interface Property {
  readonly facts: Facts;
  /** Named in `properties`, or matched by `patternProperties`. */
  readonly declared: boolean;
}

export function propertyOf(facts: Facts, name: string, side: Side): Property {
  const places: Place[] = [];
  let declared = false;
  for (const part of facts.parts) {
    const here = declaredIn(part, name);
    declared ||= here.length > 0;
    if (here.length > 0) places.push(...here);
    else if (part.value.additionalProperties !== undefined) places.push(below(part, "additionalProperties"));
    else if (part.value.unevaluatedProperties !== undefined && isEvaluable(part) && !evaluates(part, name))
      places.push(below(part, "unevaluatedProperties"));
  }
  // Reports use the first place, so it is the one that names the property.
  const named = places.filter(({ pointer }) => pointer.includes("/properties/"));
  const own = factsOf(...named, ...places.filter((each) => !named.includes(each)));
  const found = places.length > 0 ? own : { ...own, origin: facts.origin, target: facts.origin };
  return { facts: { ...found, never: found.never || isHidden(found, side) }, declared };
}

function declaredIn(part: Part, name: string): Place[] {
  const { properties } = part.value;
  const named =
    isObject(properties) && Object.hasOwn(properties, name) ? [below(part, "properties", name)] : [];
  const matched = entriesOf(part.value.patternProperties)
    .filter(([pattern]) => matches(pattern, name) === true)
    .map(([pattern]) => below(part, "patternProperties", pattern));
  return [...named, ...matched];
}

/** True if no union or condition decides which properties are evaluated. */
export function isEvaluable(part: Part): boolean {
  const group = factsOf(part);
  return (
    group.unions.length === 0 &&
    group.parts.every(
      ({ value }) =>
        value.if === undefined && value.dependentSchemas === undefined && value.$dynamicRef === undefined,
    )
  );
}

function evaluates(part: Part, name: string): boolean {
  return factsOf(part).parts.some(
    (each) => each.value.additionalProperties !== undefined || declaredIn(each, name).length > 0,
  );
}

/** What applies to properties that are neither named nor matched by a pattern. */
export function otherProperties(facts: Facts): Facts {
  const places = facts.parts.flatMap((part) => {
    if (part.value.additionalProperties !== undefined) return [below(part, "additionalProperties")];
    if (part.value.unevaluatedProperties === undefined || !isEvaluable(part)) return [];
    const covered = factsOf(part).parts.some(({ value }) => value.additionalProperties !== undefined);
    return covered ? [] : [below(part, "unevaluatedProperties")];
  });
  const own = factsOf(...places);
  return places.length > 0 ? own : { ...own, origin: facts.origin, target: facts.origin };
}

export function propertyNames(facts: Facts): Set<string> {
  return new Set(facts.parts.flatMap(({ value }) => entriesOf(value.properties).map(([name]) => name)));
}

/** Includes `dependentRequired`, and leaves out properties that this side never writes. */
export function requiredNames(facts: Facts, side: Side): Set<string> {
  const names = new Set(facts.parts.flatMap(({ value }) => textsOf(value.required)));
  for (const name of names) {
    for (const { value } of facts.parts) {
      const dependent = isObject(value.dependentRequired) ? value.dependentRequired[name] : undefined;
      for (const entailed of textsOf(dependent)) names.add(entailed);
    }
  }
  return new Set([...names].filter((name) => !isHidden(propertyOf(facts, name, side).facts, side)));
}

/** An index beyond all `prefixItems` stands for all remaining items. */
export function elementOf(facts: Facts, index: number): Facts {
  const places = facts.parts.flatMap((part) => {
    const prefix = listOf(part, "prefixItems");
    const own = prefix[index];
    if (own !== undefined) return [own];
    if (part.value.items !== undefined) return [below(part, "items")];
    const isPlain =
      isEvaluable(part) && factsOf(part).parts.every(({ value }) => value.contains === undefined);
    const covered = factsOf(part).parts.some(
      (each) => each.value.items !== undefined || listOf(each, "prefixItems").length > index,
    );
    return part.value.unevaluatedItems !== undefined && isPlain && !covered
      ? [below(part, "unevaluatedItems")]
      : [];
  });
  const own = factsOf(...places);
  return places.length > 0 ? own : { ...own, origin: facts.origin, target: facts.origin };
}

export function prefixLength(facts: Facts): number {
  return Math.max(0, ...facts.parts.map((part) => listOf(part, "prefixItems").length));
}

export interface Range {
  readonly least: number;
  readonly most: number;
}

function rangeOf({ parts }: Facts, least: string, most: string): Range {
  return {
    least: Math.max(0, ...parts.map(({ value }) => numberOf(value[least]) ?? 0)),
    most: Math.min(Infinity, ...parts.map(({ value }) => numberOf(value[most]) ?? Infinity)),
  };
}

export function lengthOf(facts: Facts): Range {
  return rangeOf(facts, "minLength", "maxLength");
}

export function itemCount(facts: Facts): Range {
  const { least, most } = rangeOf(facts, "minItems", "maxItems");
  const contained = facts.parts.map(({ value }) =>
    value.contains === undefined ? 0 : (numberOf(value.minContains) ?? 1),
  );
  const prefix = prefixLength(facts);
  let end = most;
  for (let index = 0; index <= prefix; index += 1)
    if (elementOf(facts, index).never) end = Math.min(end, index);
  return { least: Math.max(least, ...contained), most: end };
}

export function propertyCount(facts: Facts, side: Side): Range {
  const { least, most } = rangeOf(facts, "minProperties", "maxProperties");
  const isClosed =
    otherProperties(facts).never && facts.parts.every(({ value }) => value.patternProperties === undefined);
  const known = [...propertyNames(facts)].filter((name) => !propertyOf(facts, name, side).facts.never);
  return {
    least: Math.max(least, requiredNames(facts, side).size),
    most: isClosed ? Math.min(most, known.length) : most,
  };
}

/** OpenAPI format registry. */
const formatBounds: { readonly [format: string]: Range } = {
  int8: { least: -(2 ** 7), most: 2 ** 7 - 1 },
  uint8: { least: 0, most: 2 ** 8 - 1 },
  int16: { least: -(2 ** 15), most: 2 ** 15 - 1 },
  uint16: { least: 0, most: 2 ** 16 - 1 },
  int32: { least: -(2 ** 31), most: 2 ** 31 - 1 },
  uint32: { least: 0, most: 2 ** 32 - 1 },
  int64: { least: -(2 ** 63), most: 2 ** 63 },
  uint64: { least: 0, most: 2 ** 64 },
};

export interface Bound {
  readonly value: number;
  readonly exclusive: boolean;
}

/** By the keyword that sets each bound. */
export function boundsOf(schema: JsonObject): { lower: [string, Bound][]; upper: [string, Bound][] } {
  const lower: [string, Bound][] = [];
  const upper: [string, Bound][] = [];
  const put = (list: [string, Bound][], keyword: string, value: number | undefined): void => {
    if (value !== undefined) list.push([keyword, { value, exclusive: keyword.startsWith("exclusive") }]);
  };
  put(lower, "minimum", numberOf(schema.minimum));
  put(lower, "exclusiveMinimum", numberOf(schema.exclusiveMinimum));
  put(upper, "maximum", numberOf(schema.maximum));
  put(upper, "exclusiveMaximum", numberOf(schema.exclusiveMaximum));
  const format = typeof schema.format === "string" ? schema.format : "";
  const bounds = Object.hasOwn(formatBounds, format) ? formatBounds[format] : undefined;
  put(lower, "format", bounds?.least);
  put(upper, "format", bounds?.most);
  return { lower, upper };
}

export function isBoundFormat(format: string): boolean {
  return Object.hasOwn(formatBounds, format);
}

/** The strictest bounds of all parts. */
export function numberRange(facts: Facts): { lower: Bound; upper: Bound } {
  const integral = isIntegral(facts);
  let lower: Bound = { value: -Infinity, exclusive: false };
  let upper: Bound = { value: Infinity, exclusive: false };
  for (const { value } of facts.parts) {
    const bounds = boundsOf(value);
    for (const [, bound] of bounds.lower) {
      const tight = integral ? atLeast(bound) : bound;
      if (tight.value > lower.value || (tight.value === lower.value && tight.exclusive)) lower = tight;
    }
    for (const [, bound] of bounds.upper) {
      const tight = integral ? atMost(bound) : bound;
      if (tight.value < upper.value || (tight.value === upper.value && tight.exclusive)) upper = tight;
    }
  }
  return { lower, upper };
}

function atLeast({ value, exclusive }: Bound): Bound {
  return { value: exclusive ? Math.floor(value) + 1 : Math.ceil(value), exclusive: false };
}

function atMost({ value, exclusive }: Bound): Bound {
  return { value: exclusive ? Math.ceil(value) - 1 : Math.floor(value), exclusive: false };
}
