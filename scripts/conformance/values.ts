/** Makes values from schemas: valid values, values that contain a given place, and values with one invalid place. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { isObject, type Json, listOf, pointerTo, valueAt } from "../openapi/document.ts";
import { evaluate, isOnlyAt, messageOf, ownViolations, violationsIn } from "../openapi/evaluate.ts";
import {
  branchNodes,
  itemsOf,
  othersOf,
  type SchemaNode,
  schemaOfItem,
  typesAllowed,
  valuesOfKeyword,
} from "../openapi/schema-node.ts";
import type { Constraint, Step } from "./constraints.ts";
import { boundOf, formats, keywordsIn, oppositesOf, otherName, wrongValues } from "./keywords.ts";

/** How often a reference may be followed inside of its own target. */
const maxRecursion = 1;
/** The maximum number of items or unlisted properties above the minimum. */
const mostExtra = 3;
/** The maximum number of characters above the minimum. */
const mostExtraCharacters = 12;

type JsonArbitrary = fc.Arbitrary<Json>;

/**
 * Makes values that are probably valid. The caller checks combinations of keywords. Undefined if no value can be made.
 *
 * @param steps the path to a place that must be present
 */
export function valuesOf(
  node: SchemaNode,
  steps: readonly Step[] = [],
  within: readonly string[] = [],
): JsonArbitrary | undefined {
  if (
    node.isNever ||
    node.references.some((each) => within.filter((other) => other === each).length > maxRecursion)
  )
    return undefined;
  const inside = [...within, ...node.references];
  if (node.unions.length > 0) {
    const [step] = steps;
    const chosen = branchNodes(node).filter(({ label }) => step?.kind !== "branch" || step.label === label);
    // If the steps end with a branch, the branch only needs to be chosen.
    const below = step?.kind === "branch" ? steps.slice(1) : steps;
    return oneOf(chosen.map((branch) => valuesOf(branch.node, below, inside)));
  }
  const listed = listedValues(node);
  if (listed !== undefined) return listed.length === 0 ? undefined : fc.constantFrom(...listed);
  return oneOf(typesToMake(node, steps).map((type) => makers[type]?.(node, steps, inside)));
}

function oneOf(arbitraries: readonly (JsonArbitrary | undefined)[]): JsonArbitrary | undefined {
  const made = arbitraries.filter((each) => each !== undefined);
  return made.length === 0 ? undefined : fc.oneof(...made);
}

/** The values of `const` and `enum`. */
function listedValues(node: SchemaNode): Json[] | undefined {
  const lists = [...valuesOfKeyword(node, "const").map((only) => [only]), ...valuesOfKeyword(node, "enum")];
  return lists.find(Array.isArray)?.filter((value) => ownViolations(node, value).length === 0);
}

/** The types of `type`. Without `type`, the types to which the keywords apply. */
function typesToMake(node: SchemaNode, [step]: readonly Step[]): readonly string[] {
  if (step !== undefined) return [step.kind === "item" ? "array" : "object"];
  const spoken = keywordsIn(node.parts).flatMap(({ type }) => (type === "any" ? [] : [type]));
  return typesAllowed(node) ?? (spoken.length > 0 ? [...new Set(spoken)] : ["string", "integer", "boolean"]);
}

const makers: {
  readonly [type: string]: (
    node: SchemaNode,
    steps: readonly Step[],
    within: readonly string[],
  ) => JsonArbitrary | undefined;
} = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: (node) => numbers(node, true),
  number: (node) => numbers(node, false),
  string: texts,
  array: lists,
  object: objects,
};

function numbers({ parts }: SchemaNode, isWhole: boolean): JsonArbitrary | undefined {
  const above = boundOf(parts, "exclusiveMinimum", -Infinity);
  const below = boundOf(parts, "exclusiveMaximum", Infinity);
  const least = Math.max(boundOf(parts, "minimum", -1e15), above);
  const most = Math.min(boundOf(parts, "maximum", 1e15), below);
  const step = boundOf(parts, "multipleOf", isWhole ? 1 : 0);
  if (step > 0) {
    const [from, to] = [Math.ceil(least / step), Math.floor(most / step)];
    const [min, max] = [from * step > above ? from : from + 1, to * step < below ? to : to - 1];
    return min > max ? undefined : fc.integer({ min, max }).map((count) => count * step);
  }
  const [minExcluded, maxExcluded] = [least === above, most === below];
  if (least > most || (least === most && (minExcluded || maxExcluded))) return undefined;
  // Adding 0 turns -0, which JSON cannot represent, into 0.
  return fc
    .double({ min: least, max: most, minExcluded, maxExcluded, noNaN: true })
    .map((value) => value + 0);
}

function texts({ parts }: SchemaNode): JsonArbitrary | undefined {
  const minLength = boundOf(parts, "minLength", 0);
  const maxLength = Math.min(boundOf(parts, "maxLength", Infinity), minLength + mostExtraCharacters);
  if (minLength > maxLength) return undefined;
  const pattern = parts.find((part) => typeof part.pattern === "string")?.pattern;
  const format = parts.find((part) => typeof part.format === "string")?.format;
  const [, sent] = formats[String(format)] ?? [];
  if (pattern !== undefined) {
    try {
      const form = new RegExp(String(pattern), "u");
      // Few strings that match a pattern have a format, so the strings of the format are tried first.
      const formatted = sent && fc.stringMatching(sent);
      if (formatted && fc.sample(formatted, { seed: 1, numRuns: 20 }).some((text) => form.test(text)))
        return formatted;
      const longest = boundOf(parts, "maxLength", Infinity);
      // If the pattern has no anchors, the matched part alone may be short enough.
      const shortened = (text: string) =>
        [...text].length > longest ? (form.exec(text)?.[0] ?? text) : text;
      return fc.stringMatching(form).map(shortened);
    } catch {
      return undefined;
    }
  }
  if (sent !== undefined) return fc.stringMatching(sent);
  return fc.oneof(
    fc.string({ minLength, maxLength, unit: "grapheme-ascii" }),
    fc.string({ minLength, maxLength, unit: character }),
  );
}

/** Any character except surrogates. fast-check's own arbitrary for characters takes a second to load. */
const character = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));

function lists(
  node: SchemaNode,
  [step, ...steps]: readonly Step[],
  within: readonly string[],
): JsonArbitrary | undefined {
  const { nodeOf, parts } = node;
  const isAimed = step?.kind === "item";
  const minLength = Math.max(boundOf(parts, "minItems", 0), isAimed ? 1 : 0);
  const maxLength = Math.min(boundOf(parts, "maxItems", Infinity), minLength + mostExtra);
  const schema = itemsOf(node);
  const item = valuesOf(nodeOf(schema ?? { type: "string" }), [], within);
  const leading = [
    ...(isAimed ? [valuesOf(nodeOf(schema ?? true), steps, within)] : []),
    ...parts.flatMap(({ prefixItems }) =>
      listOf(prefixItems).map((_, index) => valuesOf(nodeOf(schemaOfItem(node, index) ?? true), [], within)),
    ),
    ...parts.flatMap(({ contains, minContains = 1 }) =>
      Array.from({ length: contains === undefined ? 0 : Number(minContains) }, () =>
        valuesOf(nodeOf({ allOf: [contains ?? true, schema ?? true] }), [], within),
      ),
    ),
  ];
  const first = leading.filter((each) => each !== undefined);
  if (item === undefined || first.length < leading.length)
    return minLength === 0 && !isAimed ? fc.constant([]) : undefined;
  if (minLength > maxLength) return undefined;
  const all = parts.some(({ uniqueItems }) => uniqueItems === true)
    ? fc.uniqueArray(item, { minLength, maxLength, comparator: isDeepStrictEqual })
    : fc.array(item, { minLength, maxLength });
  return fc.tuple(fc.tuple(...first), all).map(([one, many]): Json => [...one, ...many.slice(one.length)]);
}

function objects(
  node: SchemaNode,
  [step, ...steps]: readonly Step[],
  within: readonly string[],
): JsonArbitrary | undefined {
  const entries: [string, JsonArbitrary][] = [];
  const requiredKeys: string[] = [];
  for (const [name, { schema, isRequired, barredBy }] of node.properties) {
    if (barredBy !== undefined) continue;
    const isAimed = step?.kind === "property" && step.name === name;
    const value = valuesOf(node.nodeOf(schema), isAimed ? steps : [], within);
    if (value !== undefined) entries.push([name, value]);
    if (!isRequired && !isAimed) continue;
    if (value === undefined) return undefined;
    requiredKeys.push(name);
  }
  const named = fc.record(Object.fromEntries(entries), { requiredKeys, noNullPrototype: true });
  const others = othersOf(node);
  if (!isObject(others)) return named;
  const isAimed = step?.kind === "other";
  const other = valuesOf(node.nodeOf(others), isAimed ? steps : [], within);
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
  /** Makes valid values follow the rules that the schema cannot express. */
  readonly settle?: (value: Json) => Json;
  /** The value that a server reads if `value` is sent. Undefined if the value cannot be sent. */
  readonly readBack?: (value: Json) => Json | undefined;
}

/**
 * Makes up to `count` values that have the constraint's verdict at its place and no other violation. If a keyword
 * implies another one, such as a format its pattern, no value violates only the latter. Then both are violated.
 */
export function valuesFor(
  root: SchemaNode,
  constraint: Constraint,
  { seed, count, settle = (value) => value, readBack = (value) => value }: MakeOptions,
): Made[] {
  const { steps, verdict } = constraint;
  const isWithout = verdict === "readOnly" || verdict === "required" || verdict === "absent";
  const bases = valuesOf(root, isWithout ? steps.slice(0, -1) : steps);
  if (bases === undefined) return [];
  const tokens = steps.flatMap(tokenOf);
  const made = new Map<string, Made>();
  const both = new Map<string, Made>();
  for (const base of samples(bases.map(settle), seed))
    for (const value of editsOf(base, tokens, constraint, seed)) {
      const read = readBack(value);
      const visits = read === undefined ? [] : evaluate(root, read);
      if (!isOnlyAt(visits, constraint)) continue;
      const [violation, ...others] = violationsIn(visits);
      const pointer = violation?.pointer ?? pointerTo("", ...tokens);
      const message = violation ? messageOf(violation) : "";
      (others.length === 0 ? made : both).set(JSON.stringify(value), { value, pointer, message });
      if (made.size >= count) return [...made.values()];
    }
  return [...(made.size > 0 ? made : both).values()].slice(0, count);
}

/** The number of values to try: first a few, then more. */
const tries = [3, 60];

function* samples(values: fc.Arbitrary<Json>, seed: number): Generator<Json> {
  for (const numRuns of tries) yield* fc.sample(values, { seed: seed + numRuns, numRuns });
}

function tokenOf(step: Step): string[] {
  if (step.kind === "branch") return [];
  if (step.kind === "property") return [step.name];
  return [step.kind === "item" ? "0" : otherName];
}

/** Replaces the value at a place, or removes it if the replacement is undefined. */
function edited(value: Json, [token, ...tokens]: readonly string[], replacement: Json | undefined): Json {
  if (token === undefined) return replacement === undefined ? value : replacement;
  if (Array.isArray(value))
    return value.with(Number(token), edited(value[Number(token)] ?? null, tokens, replacement));
  if (!isObject(value)) return value;
  const { [token]: now = null, ...others } = value;
  if (tokens.length === 0 && replacement === undefined) return others;
  return { ...others, [token]: edited(now, tokens, replacement) };
}

/** Changes the value in ways that may cause the verdict. */
function* editsOf(
  base: Json,
  tokens: readonly string[],
  { node, verdict }: Constraint,
  seed: number,
): Generator<Json> {
  if (verdict === "valid") yield base;
  else if (verdict === "required" || verdict === "absent") yield edited(base, tokens, undefined);
  else {
    const isReadOnly = verdict === "readOnly";
    const held = valueAt(base, pointerTo("", ...tokens)) ?? null;
    const wrong = isReadOnly ? [] : wrongValues(node.parts, verdict, held);
    for (const replacement of wrong) yield edited(base, tokens, replacement);
    const opposite = isReadOnly ? node : oppositeNode(node, verdict);
    const values = opposite && (valuesOf(opposite) ?? fc.constant(null));
    const numRuns = isReadOnly ? 1 : 20;
    for (const replacement of values ? fc.sample(values, { seed, numRuns }) : [])
      yield edited(base, tokens, replacement);
  }
}

/** Replaces the keyword in the schema by its opposite. */
function oppositeNode({ parts, unions, nodeOf }: SchemaNode, keyword: string): SchemaNode | undefined {
  const opposites = oppositesOf(parts, keyword);
  if (opposites.length === 0) return undefined;
  const others = parts.map(({ [keyword]: _, ...part }) => part);
  return nodeOf({ allOf: [...others, ...opposites, ...unions.map(({ schema }) => schema)] });
}
