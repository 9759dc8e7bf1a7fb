/** The size of the smallest value that can be made from a schema. It decides where a value must not grow further. */
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  pointerTo,
} from "../../openapi/document.ts";
import { ownViolations } from "../../openapi/schema/evaluate.ts";
import { isAnnotation } from "../../openapi/schema/keywords.ts";
import {
  branchNodes,
  itemsOf,
  othersOf,
  type PropertyNode,
  type SchemaNode,
  schemaOfItem,
  schemaOfProperty,
  typesAllowed,
  valuesOfKeyword,
} from "../../openapi/schema/schema-node.ts";
import { sample } from "./arbitraries.ts";
import { boundOf, keywordsIn } from "./keywords.ts";
import { mostCharacters, numbers, texts } from "./scalars.ts";

/** No larger values are made. The size is the number of values in a value, including itself. */
export const mostSize = 5000;
/** The limits of a search in a schema: how many schemas are read, and how deep they are nested. */
const mostVisits = 10_000;
const mostDepth = 300;

/** Keeps the results for one schema after another. */
const known = new WeakMap<SchemaNode, number>();

/** Infinity if no value can be made. Then all valid values contain another one of the same schema, or there is none. */
export function leastSizeOf(root: SchemaNode): number {
  const found = known.get(root);
  if (found !== undefined) return found;
  const sizes = new Map<SchemaNode, number>();
  let visits = 0;
  let isStable = false;
  // A size is final if no schema below it waits for a schema around it.
  let isFinal = true;
  while (!isStable && visits < mostVisits && !known.has(root)) {
    isStable = true;
    const visited = new Set<SchemaNode>();
    const visit = (node: SchemaNode, depth: number): number => {
      const final = known.get(node);
      if (final !== undefined) return final;
      const before = sizes.get(node) ?? Infinity;
      const isOuterFinal = isFinal;
      isFinal = !visited.has(node) && depth <= mostDepth && visits <= mostVisits;
      if (!isFinal) return before;
      visited.add(node);
      visits += 1;
      const size = Math.min(
        before,
        sizeOf(node, (inner) => visit(inner, depth + 1)),
      );
      (isFinal ? known : sizes).set(node, size);
      isFinal &&= isOuterFinal;
      if (size < before) isStable = false;
      return size;
    };
    visit(root, 0);
  }
  for (const [node, size] of sizes) if (!known.has(node)) known.set(node, size);
  return known.get(root) ?? Infinity;
}

export function canBeMade(node: SchemaNode): boolean {
  return leastSizeOf(node) <= mostSize;
}

type SizeOf = (node: SchemaNode) => number;

function sizeOf(node: SchemaNode, inner: SizeOf): number {
  if (node.isNever) return Infinity;
  if (node.unions.length > 0) return Math.min(...branchNodes(node).map((branch) => inner(branch.node)));
  const listed = listedValues(node);
  if (listed !== undefined) return listed.length > 0 ? 1 : Infinity;
  return Math.min(...typesToMake(node).map((type) => sizeAs(type, node, inner)));
}

/** The values of `const` and `enum`. */
export function listedValues(node: SchemaNode): Json[] | undefined {
  const lists = [...valuesOfKeyword(node, "const").map((only) => [only]), ...valuesOfKeyword(node, "enum")];
  return lists.find(Array.isArray)?.filter((value) => ownViolations(node, value).length === 0);
}

/** The number of different values of a schema with few values, else Infinity. */
export function countOf(node: SchemaNode): number {
  if (node.unions.length > 0) return Infinity;
  const counts: { readonly [type: string]: number } = { boolean: 2, null: 1 };
  const ofTypes = typesToMake(node).reduce((sum, type) => sum + (counts[type] ?? Infinity), 0);
  return listedValues(node)?.length ?? ofTypes;
}

/** The types of `type`. Without `type`, the types to which the keywords apply. */
export function typesToMake(node: SchemaNode): readonly string[] {
  const allowed = typesAllowed(node);
  if (allowed !== undefined) return allowed;
  const spoken = keywordsIn(node.parts).flatMap(({ type }) => (type === "any" ? [] : [type]));
  return spoken.length > 0 ? [...new Set(spoken)] : ["string", "integer", "boolean"];
}

/** The size of the smallest value of a type, of a schema without unions. */
export function sizeAs(type: string, node: SchemaNode, inner: SizeOf = leastSizeOf): number {
  const { parts } = node;
  if (type === "integer" || type === "number")
    return numbers(parts, type === "integer") === undefined ? Infinity : 1;
  if (type === "string") return texts(parts) === undefined ? Infinity : 1;
  if (type === "array") return listSize(node, inner);
  return type === "object" ? objectSize(node, inner) : 1;
}

function objectSize(node: SchemaNode, inner: SizeOf): number {
  const { names, others } = fillersOf(node, inner);
  let size = 1;
  for (const [name, { schema, isRequired, barredBy }] of namedProperties(node))
    if ((isRequired && barredBy === undefined) || names.includes(name)) size += inner(node.nodeOf(schema));
  return others === 0 ? size : size + others * inner(othersNode(node));
}

/**
 * The properties that `minProperties` requires in addition to `required`: optional properties with the smallest values,
 * and a number of undeclared ones. A single optional property is not listed, because random values often have one.
 */
export function fillersOf(
  node: SchemaNode,
  inner: SizeOf = leastSizeOf,
): { readonly names: readonly string[]; readonly others: number } {
  const least = boundOf(node.parts, "minProperties", 0);
  const open =
    least === 0 ? [] : [...namedProperties(node)].filter(([, { barredBy }]) => barredBy === undefined);
  if (least === 0 || (least === 1 && open.length > 0)) return { names: [], others: 0 };
  const optional = open.filter(([, { isRequired }]) => !isRequired);
  const missing = Math.max(0, least - open.length + optional.length);
  const names = optional
    .map(([name, { schema }]) => ({ name, size: inner(node.nodeOf(schema)) }))
    .filter(({ size }) => size <= mostSize)
    .toSorted((one, other) => one.size - other.size)
    .slice(0, missing)
    .map(({ name }) => name);
  return { names, others: missing - names.length };
}

const knownPatterned = new WeakMap<SchemaNode, ReadonlyMap<string, PropertyNode>>();

/** A property for each pattern of `patternProperties` for which a name is found. */
export function patternedProperties(node: SchemaNode): ReadonlyMap<string, PropertyNode> {
  const known = knownPatterned.get(node);
  if (known !== undefined) return known;
  const patterns = valuesOfKeyword(node, "patternProperties").flatMap((each) => entriesOf(each));
  const made = new Map(
    patterns.flatMap(([pattern]) => {
      const names = texts([{ pattern }]);
      const [name] = names === undefined ? [] : sample(names, { seed: 1, numRuns: 1 });
      const schema = typeof name === "string" ? schemaOfProperty(node, name) : undefined;
      if (typeof name !== "string" || schema === undefined || node.properties.has(name)) return [];
      return [[name, { schema, isRequired: false, barredBy: undefined }] as const];
    }),
  );
  knownPatterned.set(node, made);
  return made;
}

/** The properties for which values are made under their own names. */
export function namedProperties(node: SchemaNode): ReadonlyMap<string, PropertyNode> {
  return new Map([...node.properties, ...patternedProperties(node)]);
}

/** The schema of undeclared properties. */
export function othersNode(node: SchemaNode): SchemaNode {
  return node.nodeOf(othersOf(node) ?? anyText);
}

function listSize(node: SchemaNode, inner: SizeOf): number {
  const minItems = boundOf(node.parts, "minItems", 0);
  if (minItems > boundOf(node.parts, "maxItems", Infinity)) return Infinity;
  const leading = leadingItems(node).reduce((sum, item) => sum + inner(item), 0);
  // A list may be empty if no item can be made.
  if (minItems === 0 && !(leading < Infinity)) return 1;
  const more = Math.max(0, minItems - leadingItems(node).length);
  const smallest = more === 0 ? 0 : more * inner(itemNode(node));
  return minItems === 0 ? 1 : 1 + leading + smallest;
}

export function itemNode(node: SchemaNode): SchemaNode {
  return node.nodeOf(itemsOf(node) ?? anyText);
}

const anyText = { type: "string" };

/** The items that `prefixItems` describes. */
export function firstItems(node: SchemaNode): SchemaNode[] {
  const length = Math.max(0, ...node.parts.map(({ prefixItems }) => listOf(prefixItems).length));
  return Array.from({ length }, (_, index) => node.nodeOf(schemaOfItem(node, index) ?? true));
}

/** The items that `contains` describes. */
export function containedItems(node: SchemaNode): SchemaNode[] {
  const { nodeOf, parts } = node;
  const items = itemsOf(node) ?? true;
  const contained = parts.flatMap(({ contains, minContains = 1 }) =>
    contains === undefined
      ? []
      : Array.from({ length: Math.min(Number(minContains), mostSize) }, () => ({ contains })),
  );
  return contained.map(({ contains }) => nodeOf({ allOf: [contains, items] }));
}

function leadingItems(node: SchemaNode): SchemaNode[] {
  return [...firstItems(node), ...containedItems(node)];
}

/** Says why no valid value was found, and where the schema is. */
export function noValueMessage(node: SchemaNode, location: string): string {
  const { place, why } = whyNone(node);
  return `no value was found that is valid for its schema (${location}${place && ` at ${place}`}): ${why}`;
}

/** The place in a value, and why no value can be made there. */
function whyNone(root: SchemaNode): { readonly place: string; readonly why: string } {
  const outer = new Set<SchemaNode | string>();
  let node = root;
  let place = "";
  while (!outer.has(node) && !node.references.some((reference) => outer.has(reference))) {
    for (const each of [node, ...node.references]) outer.add(each);
    const inner = [
      ...[...node.properties].flatMap(([name, { schema, isRequired, barredBy }]) =>
        isRequired && barredBy === undefined ? [{ token: name, node: node.nodeOf(schema) }] : [],
      ),
      ...(boundOf(node.parts, "minItems", 0) > 0 ? [{ token: "*", node: itemNode(node) }] : []),
    ].find((each) => leastSizeOf(each.node) > mostSize);
    if (inner === undefined) return { place, why: reasonOf(node) };
    node = inner.node;
    place = pointerTo(place, inner.token);
  }
  return { place, why: "every value contains another one of the same schema" };
}

function reasonOf(node: SchemaNode): string {
  if (node.isNever) return "no value is valid";
  const size = leastSizeOf(node);
  if (size <= mostSize) return "no value that was tried follows all its keywords";
  if (size < Infinity) return `the smallest value contains ${size} values, and at most ${mostSize} are made`;
  if (boundOf(node.parts, "minLength", 0) > mostCharacters)
    return `strings of at most ${mostCharacters} characters are made`;
  const keywords = Object.entries(Object.assign({}, ...node.parts) as JsonObject)
    .filter(([keyword, limit]) => !isAnnotation(keyword) && !isObject(limit))
    .map(([keyword, limit]) => `${keyword}: ${JSON.stringify(limit)}`)
    .join(", ");
  return `no value was found for { ${keywords.length > 200 ? `${keywords.slice(0, 200)}…` : keywords} }`;
}
