/**
 * Schemas for the evaluator: a SchemaView whose unions include conditions, and which has one schema for each
 * property.
 */
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  referenceTarget,
  valueTypeOf,
} from "../document.ts";
import { matches, type Verdict } from "./keyword-checks.ts";
import {
  type Direction,
  hidingKeyword,
  isHidden,
  propertiesOf,
  requiredNames,
  type SchemaView,
  viewOf,
} from "./schema-view.ts";

export interface PropertyNode {
  readonly schema: Json;
  readonly isRequired: boolean;
  /** The keyword that forbids the property: `readOnly` in requests, `writeOnly` in responses. */
  readonly barredBy: (typeof hidingKeyword)[Direction] | undefined;
}

export interface Branch {
  /** The name of the schema that the branch refers to, else the branch's number. For conditions, `then` or `else`. */
  readonly label: string;
  readonly schema: Json;
  /** The condition of `then` and `else`. */
  readonly when?: Json;
}

export interface Union {
  readonly keyword: "oneOf" | "anyOf" | "if";
  readonly branches: readonly Branch[];
  /** Only the union, without the other keywords of the schema that contains it. */
  readonly schema: JsonObject;
}

/** A schema. A valid value is valid against all its parts. */
export interface SchemaNode extends Pick<SchemaView, "references" | "isNever"> {
  /** The parts, from which references, `allOf` and unions are removed. */
  readonly parts: readonly JsonObject[];
  /** The parts as the document has them. */
  readonly sources: readonly JsonObject[];
  readonly unions: readonly Union[];
  readonly properties: ReadonlyMap<string, PropertyNode>;
  /** Reads another schema of the same document. */
  readonly nodeOf: NodeOf;
  readonly hasFormat: HasFormat;
}

/** Returns the same node for the same schema. */
export type NodeOf = (schema: Json) => SchemaNode;

/** Whether a value is valid for a format. Also true for values to which the format does not apply. */
export type HasFormat = (format: string, value: Json) => Verdict;

/**
 * @param document OpenAPI 3.1, with local references only
 * @param adapted returns the replacement for each part
 */
export function nodesOf(
  document: unknown,
  direction: Direction,
  hasFormat: HasFormat,
  adapted = (part: JsonObject) => part,
): NodeOf {
  const known = new WeakMap<JsonObject, SchemaNode>();
  const nodeOf: NodeOf = (schema) => {
    const found = isObject(schema) ? known.get(schema) : undefined;
    if (found !== undefined) return found;
    const view = viewOf(document, schema);
    const { references, isNever } = view;
    const sources = view.parts.map(({ value }) => adapted(value));
    const parts = sources.map(({ $ref, allOf, oneOf, anyOf, if: _, then, else: __, ...part }) => part);
    const required = requiredNames(view);
    const properties = new Map(
      [...new Set([...propertiesOf(view).keys(), ...required])].map((name): [string, PropertyNode] => {
        const property = schemaOfProperty({ parts }, name) ?? true;
        const isBarred = isHidden(viewOf(document, property), direction);
        const barredBy = isBarred ? hidingKeyword[direction] : undefined;
        return [name, { schema: property, isRequired: required.has(name) && !isBarred, barredBy }];
      }),
    );
    const unions = [...view.unions.map(unionOf), ...sources.flatMap(conditionsIn)];
    const node = { parts, sources, unions, properties, references, isNever, nodeOf, hasFormat };
    if (isObject(schema)) known.set(schema, node);
    return node;
  };
  return nodeOf;
}

function unionOf({ keyword, branches: places }: SchemaView["unions"][number]): Union {
  const branches = places.map(
    ({ value = true }, index): Branch => ({
      label: referenceTarget(value)?.split("/").at(-1) ?? String(index + 1),
      schema: value,
    }),
  );
  return { keyword, branches, schema: { [keyword]: branches.map(({ schema }) => schema) } };
}

function conditionsIn({ if: when, then = true, else: otherwise = true }: JsonObject): Union[] {
  if (when === undefined || (then === true && otherwise === true)) return [];
  const branches = [
    { label: "then", schema: then, when },
    { label: "else", schema: otherwise, when: { not: when } },
  ];
  return [{ keyword: "if", branches, schema: { if: when, then, else: otherwise } }];
}

/** The schemas of all parts for a property, combined. Undefined if no part has one. */
export function schemaOfProperty({ parts }: Pick<SchemaNode, "parts">, name: string): Json | undefined {
  return combined(
    parts.flatMap(({ properties, patternProperties, additionalProperties }) => {
      const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name] as Json] : [];
      const matching = entriesOf(patternProperties).filter(([pattern]) => matches(pattern, name) !== false);
      const known = [...own, ...matching.map(([, schema]) => schema)];
      return known.length > 0 || additionalProperties === undefined ? known : [additionalProperties];
    }),
  );
}

/** The schemas of all parts for an item, combined. Undefined if no part has one. */
export function schemaOfItem({ parts }: SchemaNode, index: number): Json | undefined {
  return combined(
    parts.flatMap(({ prefixItems, items }) => {
      const schema = listOf(prefixItems)[index] ?? items;
      return schema === undefined ? [] : [schema];
    }),
  );
}

/** The types that all parts allow, or undefined if there is no `type`. */
export function typesOf({ parts }: SchemaNode): readonly string[] | undefined {
  const lists = valuesOfKeyword({ parts }, "type").map((type) => [type].flat().map(String));
  return lists.reduce<string[] | undefined>(
    (common, list) => (common === undefined ? list : common.flatMap((type) => narrowed(type, list))),
    undefined,
  );
}

function narrowed(type: string, list: readonly string[]): string[] {
  if (list.includes(type)) return [type];
  if (type === "number" && list.includes("integer")) return ["integer"];
  return type === "integer" && list.includes("number") ? ["integer"] : [];
}

/** The greatest depth of unions inside unions. */
const maxUnions = 8;
/** The greatest number of combinations. */
const maxAlternatives = 500;

/**
 * Returns a copy of the schema for each combination of union branches, up to a limit. The copies have no unions, unless
 * the unions are nested too deep.
 */
export function alternativesOf(root: SchemaNode): SchemaNode[] {
  const alternatives: SchemaNode[] = [];
  const add = (node: SchemaNode, depth: number): void => {
    if (alternatives.length === maxAlternatives) return;
    if (node.unions.length === 0 || depth === maxUnions) alternatives.push(node);
    else for (const branch of branchNodes(node)) add(branch.node, depth + 1);
  };
  add(root, 0);
  return alternatives;
}

interface BranchNode {
  readonly label: string;
  readonly node: SchemaNode;
}

const knownBranches = new WeakMap<SchemaNode, readonly BranchNode[]>();

/** A copy of the schema for each branch of its first union. The branch replaces the union. */
export function branchNodes(node: SchemaNode): readonly BranchNode[] {
  const { parts, unions, nodeOf } = node;
  const found = knownBranches.get(node);
  if (found !== undefined) return found;
  const [union, ...others] = unions;
  const rest = [...parts, ...others.map(({ schema }) => schema)];
  const branches = (union?.branches ?? []).map(({ label, schema, when = true }) => ({
    label,
    node: nodeOf({ allOf: [when, schema, ...rest] }),
  }));
  knownBranches.set(node, branches);
  return branches;
}

/** The first alternative that allows a type. */
export function alternativeOf(node: SchemaNode, type: string): SchemaNode | undefined {
  return alternativesOf(node).find((each) => typesAllowed(each)?.includes(type));
}

/**
 * The types of a schema without unions: the types of its values, else `type`, else the types of its properties or
 * items.
 */
export function typesAllowed(node: SchemaNode): readonly string[] | undefined {
  const values = [...valuesOfKeyword(node, "const"), ...valuesOfKeyword(node, "enum").flatMap(listOf)];
  if (values.length > 0)
    return values.map((value) => (Number.isInteger(value) ? "integer" : valueTypeOf(value)));
  if (typesOf(node) !== undefined) return typesOf(node);
  if (node.properties.size > 0) return ["object"];
  return itemsOf(node) === undefined ? undefined : ["array"];
}

export function itemsOf(node: SchemaNode): Json | undefined {
  return combined(valuesOfKeyword(node, "items"));
}

/** The schema of undeclared properties: undefined if there is none, `false` if they are forbidden. */
export function othersOf(node: SchemaNode): Json | undefined {
  return combined(valuesOfKeyword(node, "additionalProperties"));
}

/** The values of a keyword, one for each part that has the keyword. */
export function valuesOfKeyword({ parts }: Pick<SchemaNode, "parts">, keyword: string): Json[] {
  return parts.flatMap(({ [keyword]: value }) => (value === undefined ? [] : [value]));
}

/** Returns the same schema for the same list, so that a recursive schema has a finite number of nodes. */
function combined(schemas: readonly Json[]): Json | undefined {
  const [first, ...more] = new Set(schemas);
  if (first === undefined || more.length === 0) return first;
  if (schemas.includes(false)) return false;
  return more.reduce(pairOf, first);
}

const knownPairs = new WeakMap<JsonObject, WeakMap<JsonObject, JsonObject>>();

function pairOf(first: Json, second: Json): Json {
  const pair = { allOf: [first, second] };
  if (!isObject(first) || !isObject(second)) return pair;
  const pairs = knownPairs.get(first) ?? new WeakMap<JsonObject, JsonObject>();
  knownPairs.set(first, pairs);
  const known = pairs.get(second) ?? pair;
  pairs.set(second, known);
  return known;
}
