/**
 * Schemas as the conformance checks see them: references and `allOf` resolved into parts, unions kept apart. It reads
 * the document instead of generated code, as a second opinion.
 */
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  listOf,
  referenceTarget,
  valueAt,
  valueTypeOf,
} from "../openapi/document.ts";
import { isHidden, viewOf } from "../openapi/schema-view.ts";

type Mark = "readOnly" | "writeOnly";

export interface PropertyNode {
  readonly schema: Json;
  readonly isRequired: boolean;
  /** The mark that forbids the property: `readOnly` in requests, `writeOnly` in responses. */
  readonly barredBy: Mark | undefined;
}

export interface Branch {
  /** The name of the schema that the branch refers to, else its number; `then` or `else`. */
  readonly label: string;
  readonly schema: Json;
  /** The condition of `then` and `else`. */
  readonly when?: Json;
}

export interface Union {
  readonly keyword: "oneOf" | "anyOf" | "if";
  readonly branches: readonly Branch[];
}

/** A schema. All parts apply. */
export interface SchemaNode {
  /** Without references, `allOf` and unions. */
  readonly parts: readonly JsonObject[];
  /** The schema, and what it consists of by references and `allOf`, as the document has them. */
  readonly sources: readonly JsonObject[];
  readonly unions: readonly Union[];
  readonly properties: ReadonlyMap<string, PropertyNode>;
  /** As JSON pointers. */
  readonly references: readonly string[];
  /** True if no value is valid. */
  readonly isNever: boolean;
  /** Reads another schema of the same document. */
  readonly nodeOf: NodeOf;
}

/** Returns the same node for the same schema. */
export type NodeOf = (schema: Json) => SchemaNode;

/** @param document OpenAPI 3.1, with local references only */
export function nodesOf(document: unknown, direction: "request" | "response" = "request"): NodeOf {
  const barring = direction === "request" ? "readOnly" : "writeOnly";
  const known = new WeakMap<JsonObject, SchemaNode>();
  const nodeOf: NodeOf = (schema) => {
    const found = isObject(schema) ? known.get(schema) : undefined;
    if (found !== undefined) return found;
    const gathered: Gathered = { parts: [], sources: [], unions: [], references: [], isNever: false };
    gather(document, schema, gathered);
    const node = { ...gathered, properties: propertiesOf(document, gathered.parts, barring), nodeOf };
    if (isObject(schema)) known.set(schema, node);
    return node;
  };
  return nodeOf;
}

interface Gathered {
  readonly parts: JsonObject[];
  readonly sources: JsonObject[];
  readonly unions: Union[];
  readonly references: string[];
  isNever: boolean;
}

function gather(document: unknown, schema: Json, into: Gathered): void {
  if (schema === false) into.isNever = true;
  if (!isObject(schema)) return;
  const { $ref, allOf, oneOf, anyOf, if: condition, then = true, else: otherwise = true, ...part } = schema;
  const target = referenceTarget(schema);
  if (target !== undefined && !into.references.includes(target)) {
    into.references.push(target);
    gather(document, valueAt(document, target) ?? true, into);
  }
  for (const each of listOf(allOf)) gather(document, each, into);
  for (const [keyword, branches] of [["oneOf", oneOf] as const, ["anyOf", anyOf] as const])
    if (Array.isArray(branches))
      into.unions.push({
        keyword,
        branches: branches.map((each, index) => ({ label: labelOf(each, index), schema: each })),
      });
  if (condition !== undefined && (then !== true || otherwise !== true))
    into.unions.push({
      keyword: "if",
      branches: [
        { label: "then", schema: then, when: condition },
        { label: "else", schema: otherwise, when: { not: condition } },
      ],
    });
  into.parts.push(part);
  into.sources.push(schema);
}

function labelOf(branch: Json, index: number): string {
  const reference = isObject(branch) && typeof branch.$ref === "string" ? branch.$ref : undefined;
  return reference?.split("/").at(-1) ?? String(index + 1);
}

function propertiesOf(
  document: unknown,
  parts: readonly JsonObject[],
  barring: Mark,
): Map<string, PropertyNode> {
  const required = new Set(parts.flatMap((part) => listOf(part.required)).map(String));
  const declared = parts.flatMap((part) => entriesOf(part.properties).map(([name]) => name));
  return new Map(
    [...new Set([...declared, ...required])].map((name) => {
      const schema = schemaOfProperty({ parts }, name) ?? true;
      const direction = barring === "readOnly" ? "request" : "response";
      const barredBy = isHidden(viewOf(document, schema), direction) ? barring : undefined;
      return [name, { schema, isRequired: required.has(name) && barredBy === undefined, barredBy }];
    }),
  );
}

/** What all parts say about a property; undefined if none says anything. */
export function schemaOfProperty({ parts }: Pick<SchemaNode, "parts">, name: string): Json | undefined {
  return combined(
    parts.flatMap(({ properties, patternProperties, additionalProperties }) => {
      const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name] as Json] : [];
      const matching = entriesOf(patternProperties).filter(([pattern]) =>
        new RegExp(pattern, "u").test(name),
      );
      const known = [...own, ...matching.map(([, schema]) => schema)];
      return known.length > 0 || additionalProperties === undefined ? known : [additionalProperties];
    }),
  );
}

/** What all parts say about an item; undefined if none says anything. */
export function schemaOfItem({ parts }: SchemaNode, index: number): Json | undefined {
  return combined(
    parts.flatMap(({ prefixItems, items }) => {
      const schema = listOf(prefixItems)[index] ?? items;
      return schema === undefined ? [] : [schema];
    }),
  );
}

/** Undefined if there is no `type`. An integer is a number too. */
export function typesOf({ parts }: SchemaNode): readonly string[] | undefined {
  const lists = parts.flatMap(({ type }) =>
    typeof type === "string" ? [[type]] : Array.isArray(type) ? [type.map(String)] : [],
  );
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

/** How often a union may be in a branch of a union. */
const maxUnions = 8;

/** The schema once for each branch of its unions, so that no alternative has a union. */
export function alternativesOf(node: SchemaNode, depth = 0): SchemaNode[] {
  const [union, ...others] = node.unions;
  if (union === undefined || depth === maxUnions) return [node];
  const rest = { allOf: [...node.parts, ...others.map(unionSchema)] };
  return union.branches.flatMap((branch) =>
    alternativesOf(node.nodeOf({ allOf: [branch.schema, rest] }), depth + 1),
  );
}

export function unionSchema({ keyword, branches }: Union): JsonObject {
  if (keyword !== "if") return { [keyword]: branches.map(({ schema }) => schema) };
  const applied = Object.fromEntries(branches.map(({ label, schema }) => [label, schema]));
  return { if: branches[0]?.when ?? true, ...applied };
}

/** The first alternative that allows a type. */
export function alternativeOf(node: SchemaNode, type: string): SchemaNode | undefined {
  return alternativesOf(node).find((each) => typesAllowed(each)?.includes(type));
}

/** The types of a schema without unions: by `type`, else by its values, else by the keywords for objects and arrays. */
export function typesAllowed(node: SchemaNode): readonly string[] | undefined {
  const values = node.parts.flatMap((part) => [
    ...(part.const === undefined ? [] : [part.const]),
    ...listOf(part.enum),
  ]);
  if (values.length > 0)
    return values.map((value) => (Number.isInteger(value) ? "integer" : valueTypeOf(value)));
  if (typesOf(node) !== undefined) return typesOf(node);
  if (node.properties.size > 0) return ["object"];
  return node.parts.some(({ items }) => items !== undefined) ? ["array"] : undefined;
}

export function itemsOf({ parts }: SchemaNode): Json | undefined {
  return combined(parts.flatMap(({ items }) => (items === undefined ? [] : [items])));
}

/** The schema of other properties: undefined if there is none, `false` if they are forbidden. */
export function othersOf({ parts }: SchemaNode): Json | undefined {
  return combined(
    parts.flatMap(({ additionalProperties }) =>
      additionalProperties === undefined ? [] : [additionalProperties],
    ),
  );
}

function combined(schemas: readonly Json[]): Json | undefined {
  const [first, ...more] = schemas;
  if (more.length === 0) return first;
  return schemas.includes(false) ? false : { allOf: [...schemas] };
}
