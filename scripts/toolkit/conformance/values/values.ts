/** Makes values from schemas: valid values, values that contain a given place, and values with one invalid place. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { isObject, type Json, pointerTo, valueAt, valueTypeOf } from "../../openapi/document.ts";
import { evaluate, isOnlyAt, isValid, messageOf, violationsIn } from "../../openapi/schema/evaluate.ts";
import { branchNodes, itemsOf, othersOf, type SchemaNode } from "../../openapi/schema/schema-node.ts";
import { bounded, type JsonArbitrary, later, sample } from "./arbitraries.ts";
import type { Constraint, Step } from "./constraints.ts";
import {
  boundOf,
  keywordsIn,
  otherName,
  otherNames,
  rightValues,
  schemasBy,
  wrongValues,
} from "./keywords.ts";
import {
  canBeMade,
  containedItems,
  countOf,
  fillersOf,
  firstItems,
  itemNode,
  leastSizeOf,
  listedValues,
  mostSize,
  namedProperties,
  othersNode,
  patternedProperties,
  sizeAs,
  typesToMake,
} from "./least-size.ts";
import { numbers, texts } from "./scalars.ts";

/** How often a reference may be followed inside of its own target. */
const maxRecursion = 1;
/** The maximum number of items or unlisted properties above the minimum. */
const mostExtra = 3;
/** Optional parts are made until a value contains about this number of values. */
const usualSize = 4000;

/** How far a value may grow. Only the smallest values are made in a room with a size below 1. */
interface Room {
  readonly size: number;
  /** The references that were followed. */
  readonly within: readonly string[];
}

/**
 * Makes values that are probably valid. The caller checks combinations of keywords. Undefined if no value can be made.
 *
 * @param steps the path to a place that must be present
 * @param size optional parts are made until a value contains about this number of values
 */
export function valuesOf(
  node: SchemaNode,
  steps: readonly Step[] = [],
  size = usualSize,
): JsonArbitrary | undefined {
  const values = made(node, steps, { size, within: [] });
  return values && bounded(values);
}

function made(node: SchemaNode, steps: readonly Step[], room: Room): JsonArbitrary | undefined {
  if (!canBeMade(node)) return undefined;
  // The path to the place must be made even if it leads through the same schema again.
  const size = steps.length === 0 && isRepeated(node, room) ? 0 : room.size;
  const inside = { size, within: [...room.within, ...node.references] };
  if (node.unions.length > 0) {
    const [step] = steps;
    const chosen = branchNodes(node).filter(({ label }) => step?.kind !== "branch" || step.label === label);
    // If the steps end with a branch, the branch only needs to be chosen.
    const below = step?.kind === "branch" ? steps.slice(1) : steps;
    const branches = fitting(chosen, inside);
    // The suite evaluates a value against every branch, so nested unions multiply the time.
    const each = { ...inside, size: size / branches.length };
    return oneOf(branches.map((branch) => valuesIn(branch.node, below, each)));
  }
  const listed = listedValues(node);
  if (listed !== undefined) return listed.length === 0 ? undefined : fc.constantFrom(...listed);
  const [step] = steps;
  const types =
    step === undefined
      ? typesToMake(node).filter((type) => sizeAs(type, node) <= mostSize)
      : [step.kind === "item" ? "array" : "object"];
  return oneOf(types.map((type) => makers[type]?.(node, steps, inside)));
}

/** Arbitraries for a part of a value. They are made when they are needed, unless a place must be present in them. */
function valuesIn(node: SchemaNode, steps: readonly Step[], room: Room): JsonArbitrary | undefined {
  if (steps.length > 0 || !canBeMade(node)) return made(node, steps, room);
  return later(() => made(node, steps, room) ?? fc.constant(null));
}

function isRepeated({ references }: SchemaNode, { within }: Room): boolean {
  return references.some((each) => within.filter((other) => other === each).length > maxRecursion);
}

/** True if an optional part may be made. */
function fits(node: SchemaNode, room: Room): boolean {
  return room.size >= 1 && leastSizeOf(node) <= room.size && !isRepeated(node, room);
}

/** The branches that fit into the room, else those with the smallest values. */
function fitting<Branch extends { readonly node: SchemaNode }>(
  branches: readonly Branch[],
  room: Room,
): readonly Branch[] {
  const fit = branches.filter(({ node }) => fits(node, room));
  const least = Math.min(...branches.map(({ node }) => leastSizeOf(node)));
  return fit.length > 0 ? fit : branches.filter(({ node }) => leastSizeOf(node) === least);
}

function oneOf(arbitraries: readonly (JsonArbitrary | undefined)[]): JsonArbitrary | undefined {
  const some = arbitraries.filter((each) => each !== undefined);
  return some.length === 0 ? undefined : fc.oneof(...some);
}

const makers: {
  readonly [type: string]: (
    node: SchemaNode,
    steps: readonly Step[],
    room: Room,
  ) => JsonArbitrary | undefined;
} = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: ({ parts }) => numbers(parts, true),
  number: ({ parts }) => numbers(parts, false),
  string: ({ parts }) => texts(parts),
  array: lists,
  object: objects,
};

/** The room of each of several parts. */
function shared({ size, within }: Room, parts: number): Room {
  return { size: (size - 1) / Math.max(1, parts), within };
}

function lists(node: SchemaNode, [step, ...steps]: readonly Step[], room: Room): JsonArbitrary | undefined {
  const { nodeOf, parts } = node;
  const isAimed = step?.kind === "item";
  const [prefix, contained] = [firstItems(node), containedItems(node)];
  const index = isAimed ? (step.index ?? prefix.length) : -1;
  const minLength = Math.max(boundOf(parts, "minItems", 0), index + 1);
  // A list may have no items except those of `prefixItems`.
  const isPrefixOnly = prefix.length > index && prefix.length >= minLength && !canBeMade(itemNode(node));
  const items = isPrefixOnly ? nodeOf(true) : itemNode(node);
  const isUnique = parts.some(({ uniqueItems }) => uniqueItems === true);
  // Otherwise, other items would be tried again and again.
  const different = isUnique ? countOf(items) : Infinity;
  const most = Math.min(boundOf(parts, "maxItems", Infinity), minLength + mostExtra, different);
  if (minLength > most) return undefined;
  const each = shared(room, most);
  const mayGrow = !isPrefixOnly && fits(items, each);
  const leading = [...prefix, ...contained];
  const isEmptyOnly = !canBeMade(items) || !leading.every(canBeMade) || (room.size < 1 && minLength === 0);
  if (!isAimed && minLength === 0 && (isEmptyOnly || !mayGrow)) return fc.constant([]);
  const aimed = isAimed ? made(prefix[index] ?? nodeOf(itemsOf(node) ?? true), steps, each) : undefined;
  const item = valuesIn(items, [], each);
  const first = leading.map((one) => valuesIn(one, [], each)).filter((one) => one !== undefined);
  if (item === undefined || first.length < leading.length || (isAimed && aimed === undefined))
    return undefined;
  const lengths = { minLength, maxLength: mayGrow ? most : minLength };
  const all = isUnique
    ? fc.uniqueArray(item, { ...lengths, comparator: isDeepStrictEqual })
    : fc.array(item, lengths);
  return fc
    .tuple(
      fc.tuple(
        ...(aimed === undefined ? first : first.toSpliced(index, index < prefix.length ? 1 : 0, aimed)),
      ),
      all,
    )
    .map(([one, many]): Json => [...one, ...many.slice(one.length)]);
}

function objects(node: SchemaNode, [step, ...steps]: readonly Step[], room: Room): JsonArbitrary | undefined {
  const entries: [string, JsonArbitrary][] = [];
  const requiredKeys: string[] = [];
  const others = othersOf(node);
  const fillers = fillersOf(node);
  const each = shared(room, node.properties.size + fillers.others);
  for (const [name, { schema, isRequired, barredBy }] of namedProperties(node)) {
    if (barredBy !== undefined) continue;
    const property = node.nodeOf(schema);
    const isAimed = (step?.kind === "property" || step?.kind === "other") && step.name === name;
    const isNeeded = isRequired || isAimed || fillers.names.includes(name);
    if (!isNeeded && !fits(property, each)) continue;
    const value = valuesIn(property, isAimed ? steps : [], each);
    if (value !== undefined) entries.push([name, value]);
    if (!isNeeded) continue;
    if (value === undefined) return undefined;
    requiredKeys.push(name);
  }
  const filling = fillers.others === 0 ? undefined : valuesIn(othersNode(node), [], each);
  if (filling !== undefined) {
    const names = otherNames(fillers.others);
    entries.push(...names.map((name): [string, JsonArbitrary] => [name, filling]));
    requiredKeys.push(...names);
  }
  const named = fc.record(Object.fromEntries(entries), { requiredKeys, noNullPrototype: true });
  if (!isObject(others)) return named;
  const isAimed = step?.kind === "other" && step.name === undefined;
  const otherNode = node.nodeOf(others);
  if (!isAimed && !fits(otherNode, each)) return named;
  const other = valuesIn(otherNode, isAimed ? steps : [], each);
  if (other === undefined) return isAimed ? undefined : named;
  const unnamed = fc.dictionary(fc.constantFrom(otherName, "another"), other, { noNullPrototype: true });
  return fc.tuple(named, unnamed, other).map(([known, more, one]) => ({
    ...known,
    ...more,
    ...(isAimed && { [otherName]: one }),
  }));
}

/** A value with a single invalid place. For the verdicts `valid` and `absent`, a valid value. */
interface Made {
  readonly value: Json;
  /** The JSON pointer (RFC 6901) of the invalid place. */
  readonly pointer: string;
  /** What is wrong there. */
  readonly message: string;
}

interface MakeOptions {
  readonly seed: number;
  readonly count: number;
  /** Valid values of the schema. They are used as long as they have, or can get, the place of the constraint. */
  readonly examples?: readonly Json[];
  /** Makes valid values follow the rules that the schema cannot express. */
  readonly settle?: (value: Json) => Json;
  /** The value that a server reads if `value` is sent. Undefined if the value cannot be sent. */
  readonly readBack?: (value: Json) => Json | undefined;
}

/**
 * Makes up to `count` values that have the constraint's verdict at its place and no other violation. If a keyword
 * implies another one, such as a format its pattern, no value violates only the latter. Then both are violated.
 * For the verdict `valid`, the first value is the one from which the others are made.
 */
export function valuesFor(
  root: SchemaNode,
  constraint: Constraint,
  { seed, count, examples = [], settle = (value) => value, readBack = (value) => value }: MakeOptions,
): Made[] {
  const { steps, verdict } = constraint;
  const isRight = verdict === "valid" || verdict === "absent";
  const isMissing = verdict === "required" || verdict === "absent";
  const there = isMissing || verdict === "readOnly" ? steps.slice(0, -1) : steps;
  const bases = valuesOf(root, there);
  if (bases === undefined) return [];
  const tokens = steps.flatMap(tokenOf);
  const made = new Map<string, Made>();
  const both = new Map<string, Made>();
  const others = isMissing
    ? []
    : sample(valuesOf(constraint.node) ?? fc.constant(null), { seed, numRuns: 8 });
  let used = 0;
  // The examples may have another tag than the branch of the steps.
  const extensible = verdict === "tag" ? [] : examples;
  for (const base of basesFrom(bases, extensible, there.flatMap(tokenOf), seed)) {
    for (const edited of editsOf(settle(base), tokens, constraint, others, seed)) {
      const value = isRight && isValid(root, edited) ? settle(edited) : edited;
      const read = readBack(value);
      const visits = read === undefined ? [] : evaluate(root, read);
      if (!isOnlyAt(visits, constraint)) {
        if (verdict === "valid" && edited === base) break;
        continue;
      }
      const [violation, ...others] = violationsIn(visits);
      const pointer = violation?.pointer ?? pointerTo("", ...tokens);
      const message = violation ? messageOf(violation) : "";
      (others.length === 0 ? made : both).set(JSON.stringify(value), { value, pointer, message });
      if (made.size >= count) return [...made.values()];
    }
    if (made.size > 0) used += 1;
    if (used >= (verdict === "valid" ? 1 : mostBases)) break;
  }
  return [...(made.size > 0 ? made : both).values()].slice(0, count);
}

/** The number of different values in which a place gets all its invalid values. */
const mostBases = 2;
/** The number of properties of similar objects that are sent to an object. */
const mostForeign = 4;
/** The number of values to try: first a few, then more. */
const tries = [3, 60];

/** Each example, with the place added if it is missing, and random values. */
function* basesFrom(
  values: fc.Arbitrary<Json>,
  examples: readonly Json[],
  tokens: readonly string[],
  seed: number,
): Generator<Json> {
  for (const numRuns of tries)
    for (const sampled of sample(values, { seed: seed + numRuns, numRuns })) {
      for (const example of examples) yield extended(example, sampled, tokens);
      yield sampled;
    }
}

/** Adds a place to a value, with what another value has there. */
function extended(value: Json, source: Json, [token, ...tokens]: readonly string[]): Json {
  const [held, other] = [value, source].map(
    (each) => token !== undefined && valueAt(each, pointerTo("", token)),
  );
  if (token === undefined || other === undefined) return value;
  // An invalid item needs a valid one next to it, because a service may check only the first or the last one.
  const isShort = tokens.length > 0 && Array.isArray(held) && held.length < Math.max(2, Number(tokens[0]));
  if (held === undefined || isShort) return edited(value, [token], other);
  return edited(value, [token], extended(held, other, tokens));
}

function tokenOf(step: Step): string[] {
  if (step.kind === "branch") return [];
  if (step.kind === "property") return [step.name];
  return [step.kind === "item" ? String(step.index ?? 0) : (step.name ?? otherName)];
}

/** The same place in the last items of the lists. */
function atLast(value: Json | undefined, [token, ...tokens]: readonly string[]): string[] {
  if (token === undefined) return [];
  const last = Array.isArray(value) ? String(value.length - 1) : token;
  const held = value && valueAt(value, pointerTo("", last));
  return [last, ...(held === undefined ? tokens : atLast(held, tokens))];
}

/** Replaces the value at a place, or removes it if the replacement is undefined. */
export function edited(
  value: Json,
  [token, ...tokens]: readonly string[],
  replacement: Json | undefined,
): Json {
  if (token === undefined) return replacement === undefined ? value : replacement;
  if (Array.isArray(value))
    return value.toSpliced(Number(token), 1, edited(value[Number(token)] ?? null, tokens, replacement));
  if (!isObject(value)) return value;
  const { [token]: now = null, ...others } = value;
  if (tokens.length === 0 && replacement === undefined) return others;
  return { ...others, [token]: edited(now, tokens, replacement) };
}

/**
 * Changes the value in ways that may cause the verdict.
 *
 * @param others valid values of the place
 */
function* editsOf(
  base: Json,
  tokens: readonly string[],
  { node, verdict, foreign = new Map() }: Constraint,
  others: readonly Json[],
  seed: number,
): Generator<Json> {
  const held = valueAt(base, pointerTo("", ...tokens)) ?? null;
  const different = differentOf([held, ...others]);
  if (verdict === "valid") {
    yield base;
    for (const value of [...rightValues(node.parts, different), ...others.slice(0, 3)])
      yield edited(base, tokens, value);
    for (const { name } of keywordsIn(node.parts))
      for (const value of samplesBy("edge", node, name, 1, seed)) yield edited(base, tokens, value);
  } else if (verdict === "required" || verdict === "absent") yield edited(base, tokens, undefined);
  else {
    const isReadOnly = verdict === "readOnly";
    const wrong = isReadOnly ? [] : wrongValues(node.parts, verdict, different);
    for (const [index, value] of wrong.entries())
      yield edited(base, index % 2 === 0 ? tokens : atLast(base, tokens), value);
    const unknown = [
      ...[...foreign].filter(([name]) => !node.properties.has(name)).slice(0, mostForeign),
      ...[...patternedProperties(node)].flatMap(([name, { schema }]) =>
        [`${name}-1`, `-1${name}`, `${name}${name}`].map((near) => [near, schema] as const),
      ),
    ];
    const isUnknown = verdict === "additionalProperties" || verdict === "unevaluatedProperties";
    for (const [name, schema] of isUnknown && isObject(held) ? unknown : []) {
      const [value = null] = sample(valuesOf(node.nodeOf(schema)) ?? fc.constant(null), { seed, numRuns: 1 });
      yield edited(base, [...tokens, name], value);
    }
    const opposite = isReadOnly ? others.slice(0, 1) : samplesBy("opposite", node, verdict, 8, seed);
    for (const value of opposite) yield edited(base, tokens, value);
  }
}

/** The first value of each type, and the longest list. `null` is last, because little can be made from it. */
function differentOf(values: readonly Json[]): Json[] {
  const [longest] = values.filter(Array.isArray).toSorted((left, right) => right.length - left.length);
  const first = [...Map.groupBy(values, valueTypeOf).values()].flatMap(([value = null]) => [value]);
  const all = longest === undefined || first.includes(longest) ? first : [...first, longest];
  return all.toSorted((left, right) => Number(left === null) - Number(right === null));
}

/** Makes values of the schema, in which the keyword is replaced by its opposite or its edge. */
function samplesBy(
  side: "opposite" | "edge",
  { parts, unions, nodeOf }: SchemaNode,
  keyword: string,
  numRuns: number,
  seed: number,
): Json[] {
  const schemas = schemasBy(side, parts, keyword);
  if (schemas.length === 0 || schemas.includes(false)) return [];
  const kept = side === "edge" ? parts : parts.map(({ [keyword]: _, ...part }) => part);
  const node = nodeOf({ allOf: [...kept, ...schemas, ...unions.map(({ schema }) => schema)] });
  return sample(valuesOf(node) ?? fc.constant(null), { seed, numRuns });
}
