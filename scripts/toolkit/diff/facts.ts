/** What a schema says about a value, and what a proof additionally knows about this value. */
import { isDeepStrictEqual } from "node:util";
import {
  entriesOf,
  follow,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  referenceTarget,
  type ValueType,
  valueAt,
  valueTypeOf,
  valueTypes,
} from "../openapi/document.ts";
import { isAnnotation } from "../openapi/schema/keywords.ts";
import {
  placeAt,
  placeBelow,
  type SchemaPart,
  type SchemaPlace,
  type SchemaUnion,
  type SchemaView,
  viewOfAll,
} from "../openapi/schema/schema-view.ts";

/** What a proof assumes about the value. No document contains this part. */
export interface AssumedPart extends SchemaPart {
  readonly isAssumed: true;
}

/** A condition, as the union that has the same meaning. `if A then B` is `anyOf: [not A, B]`. */
export interface Condition extends SchemaUnion {
  readonly condition?: {
    readonly keyword: "then" | "else" | "dependentRequired";
    readonly part: SchemaPart;
    /** The schema of the values to which the keyword applies. */
    readonly when?: SchemaPlace;
  };
}

export interface Facts extends SchemaView {
  readonly unions: readonly Condition[];
  /** The pointer for reports. */
  readonly origin: string;
  /** The same place after all references are followed. */
  readonly target: string;
  /** Schemas for which the value is known to be invalid. */
  readonly excluded: readonly SchemaPlace[];
  /** All branches of the union, if these are the facts of one branch. */
  readonly siblings: readonly SchemaPlace[];
  /** The type of values that the proof considers at present. Undefined for all types. */
  readonly only: ValueType | undefined;
}

/** Follows `$ref`. Must not be used for schemas, because their `$ref` may have siblings. */
export function resolved(from: SchemaPlace): SchemaPlace {
  const target = referenceTarget(from.value);
  return target === undefined ? from : { ...from, ...follow(from.document, target) };
}

/** Follows a `$ref` if there are only annotations next to it. */
export function withoutReference(place: SchemaPlace): SchemaPlace {
  const seen = new Set<string>();
  let at = place;
  for (;;) {
    const target = referenceTarget(at.value);
    if (target === undefined || seen.has(at.pointer) || keywordsOf(at.value).length > 1) return at;
    seen.add(at.pointer);
    at = placeAt(at.document, target);
  }
}

export function keywordsOf(schema: Json | undefined): string[] {
  return entriesOf(schema).flatMap(([keyword]) => (isAnnotation(keyword) ? [] : [keyword]));
}

export function factsOf(...places: readonly SchemaPlace[]): Facts {
  const [first] = places;
  const [origin, target] = first === undefined ? ["", ""] : [first.pointer, withoutReference(first).pointer];
  return {
    ...conditional(viewOfAll(...places)),
    origin,
    target,
    excluded: [],
    siblings: [],
    only: undefined,
  };
}

/** Adds what `not`, conditions and dependencies mean, as parts and unions. */
function conditional(view: SchemaView): Pick<Facts, keyof SchemaView> {
  const isPlain = ({ value }: SchemaPart): boolean =>
    value.not === undefined && value.if === undefined && value.dependentRequired === undefined;
  if (view.parts.every(isPlain)) return view;
  const implied = viewOfAll(...view.parts.flatMap(impliedByNot));
  return {
    ...view,
    isNever: view.isNever || implied.isNever,
    parts: [...view.parts, ...implied.parts],
    unions: [...view.unions, ...implied.unions, ...view.parts.flatMap(conditionsOf)],
  };
}

/** A `not` inside `not` has no effect. An object without a required property does not have the property. */
function impliedByNot(part: SchemaPart): (SchemaPlace | AssumedPart)[] {
  const negated = placeBelow(part, "not");
  const [keyword, ...others] = keywordsOf(negated.value);
  if (others.length > 0) return [];
  if (keyword === "not") return [placeBelow(negated, "not")];
  const [name, ...more] = keyword === "required" ? textsOf(valueAt(negated.value, "/required")) : [];
  if (name === undefined || more.length > 0) return [];
  return [without(negated, name)];
}

function conditionsOf(part: SchemaPart): Condition[] {
  const conditions = entriesOf(part.value.dependentRequired).map(([name, required]): Condition => {
    const holder = placeBelow(part, "dependentRequired", name);
    return {
      keyword: "anyOf",
      condition: { keyword: "dependentRequired", part },
      branches: [without(holder, name), synthetic(holder, "required", () => ({ required }))],
    };
  });
  if (part.value.if === undefined) return conditions;
  const when = placeBelow(part, "if");
  const otherwise = synthetic(when, "not", (value) => ({ not: value }));
  for (const [keyword, test, negated] of [
    ["then", when, otherwise],
    ["else", otherwise, when],
  ] as const)
    if (part.value[keyword] !== undefined)
      conditions.push({
        keyword: "anyOf",
        condition: { keyword, part, when: test },
        branches: [negated, placeBelow(part, keyword)],
      });
  return conditions;
}

function without(at: SchemaPlace, name: string): AssumedPart {
  return { ...synthetic(at, "absent", () => ({ properties: { [name]: false } })), isAssumed: true };
}

const synthesized = new WeakMap<object, Map<string, JsonObject>>();

/** A schema that no document has. It is the same object for the same place, because results are kept for objects. */
function synthetic(at: SchemaPlace, name: string, make: (value: Json) => JsonObject): SchemaPart {
  const key = Object(at.value);
  const known = synthesized.get(key) ?? new Map<string, JsonObject>();
  synthesized.set(key, known);
  const value = known.get(name) ?? make(at.value ?? true);
  known.set(name, value);
  return { document: at.document, pointer: `${at.pointer} ${name}`, value };
}

/** Joins two sets of facts about the same value. Reports use the origin of the first. */
export function both(first: Facts, second: Facts): Facts {
  return {
    ...first,
    isNever: first.isNever || second.isNever,
    parts: distinctPlaces([...first.parts, ...second.parts]),
    unions: [...first.unions, ...second.unions],
    excluded: distinctPlaces([...first.excluded, ...second.excluded]),
    only: first.only ?? second.only,
  };
}

function distinctPlaces<P extends SchemaPlace>(places: readonly P[]): P[] {
  return [...new Map(places.map((each) => [each.pointer, each])).values()];
}

/** Returns the facts of each branch of one union. Each result also contains all other facts. */
export function splitOf(facts: Facts, union: Condition): Facts[] {
  const rest = { ...facts, unions: facts.unions.filter((other) => other !== union) };
  return union.branches.map((branch, index) => {
    const own = factsOf(branch);
    const excluded = union.keyword === "oneOf" ? union.branches.filter((_, other) => other !== index) : [];
    // A caller does not see the branches of a condition.
    if (union.condition !== undefined) return both(rest, own);
    return {
      ...both(rest, { ...own, excluded }),
      origin: own.origin,
      target: own.target,
      siblings: union.branches,
    };
  });
}

/** The types that valid values can have. */
export function kindsOf(facts: Facts): ValueType[] {
  if (facts.isNever) return [];
  const values = finiteValues(facts);
  return valueTypes.filter(
    (kind) => allowsType(facts, kind) && (values?.some((value) => valueTypeOf(value) === kind) ?? true),
  );
}

function allowsType({ parts, only }: Facts, kind: ValueType): boolean {
  return (only ?? kind) === kind && parts.every(({ value }) => typesOf(value)?.includes(kind) ?? true);
}

/** The types that `type` allows. `integer` becomes `number`. */
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
  const [first, ...others] = facts.parts.flatMap(({ value }) => [
    ...(Array.isArray(value.enum) ? [value.enum] : []),
    ...(value.const === undefined ? [] : [[value.const]]),
  ]);
  const ofType = facts.only === "null" ? [null] : facts.only === "boolean" ? [true, false] : undefined;
  return (first ?? ofType)?.filter(
    (item) =>
      allowsType(facts, valueTypeOf(item)) &&
      others.every((list) => list.some((other) => isDeepStrictEqual(item, other))),
  );
}

/** True if callers must tolerate values that `enum` does not list. The document may say this for all its schemas. */
export function isExtensible(document: unknown, schema: Json | undefined): boolean {
  const keyword = "x-extensible-enum";
  const of = (holder: unknown): boolean => (isObject(holder) ? (holder[keyword] ?? false) : false) !== false;
  return of(schema) || of(document);
}

export function textsOf(list: Json | undefined): string[] {
  return listOf(list).filter((item) => typeof item === "string");
}

export function numberOf(value: Json | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
