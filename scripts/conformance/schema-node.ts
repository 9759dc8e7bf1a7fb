/**
 * Schemas as the conformance checks see them: references and `allOf` resolved into parts, unions kept apart. It reads
 * the document instead of generated code, as a second opinion.
 */
import {
  entriesOf,
  isObject,
  type Json,
  type JsonObject,
  referenceTarget,
  valueAt,
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
  /** The name of the schema that the branch refers to, else its number. */
  readonly label: string;
  readonly schema: Json;
}

/** A schema. All parts apply. */
export interface SchemaNode {
  /** Without references, `allOf` and unions. */
  readonly parts: readonly JsonObject[];
  readonly unions: readonly { readonly keyword: "oneOf" | "anyOf"; readonly branches: readonly Branch[] }[];
  readonly properties: ReadonlyMap<string, PropertyNode>;
  /** As JSON pointers. */
  readonly references: readonly string[];
  /** True if no value is valid. */
  readonly isNever: boolean;
  /** Reads another schema of the same document. */
  readonly nodeOf: NodeOf;
}

/** Keywords that are neither generated nor checked. */
const unjudgedKeywords = [
  ...["not", "if", "then", "else", "dependentRequired", "dependentSchemas", "unevaluatedProperties"],
  ...["unevaluatedItems", "contains", "prefixItems", "propertyNames", "patternProperties", "$dynamicRef"],
  ...["contentEncoding", "contentMediaType", "contentSchema"],
];

export function unjudgedIn({ parts }: SchemaNode): string[] {
  return unjudgedKeywords.filter((keyword) => parts.some((part) => part[keyword] !== undefined));
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
    const gathered: Gathered = { parts: [], unions: [], references: [], isNever: false };
    gather(document, schema, gathered);
    const node = { ...gathered, properties: propertiesOf(document, gathered.parts, barring), nodeOf };
    if (isObject(schema)) known.set(schema, node);
    return node;
  };
  return nodeOf;
}

interface Gathered {
  readonly parts: JsonObject[];
  readonly unions: { keyword: "oneOf" | "anyOf"; branches: Branch[] }[];
  readonly references: string[];
  isNever: boolean;
}

function gather(document: unknown, schema: Json, into: Gathered): void {
  if (schema === false) into.isNever = true;
  if (!isObject(schema)) return;
  const { $ref, allOf, oneOf, anyOf, ...part } = schema;
  const target = referenceTarget(schema);
  if (target !== undefined && !into.references.includes(target)) {
    into.references.push(target);
    gather(document, valueAt(document, target) ?? true, into);
  }
  if (Array.isArray(allOf)) for (const each of allOf) gather(document, each, into);
  for (const [keyword, branches] of [["oneOf", oneOf] as const, ["anyOf", anyOf] as const])
    if (Array.isArray(branches))
      into.unions.push({
        keyword,
        branches: branches.map((each, index) => ({ label: labelOf(each, index), schema: each })),
      });
  into.parts.push(part);
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
  const required = new Set(parts.flatMap(({ required: names }) => (Array.isArray(names) ? names : [])));
  const schemas = new Map<string, Json[]>();
  for (const part of parts)
    for (const [name, schema] of entriesOf(part.properties))
      schemas.set(name, [...(schemas.get(name) ?? []), schema]);
  for (const name of required) if (typeof name === "string" && !schemas.has(name)) schemas.set(name, [true]);
  return new Map(
    [...schemas].map(([name, all]) => {
      const [only = true, ...more] = all;
      const direction = barring === "readOnly" ? "request" : "response";
      const isBarred = all.some((each) => isHidden(viewOf(document, each), direction));
      const barredBy = isBarred ? barring : undefined;
      return [
        name,
        {
          schema: more.length === 0 ? only : { allOf: all },
          isRequired: required.has(name) && barredBy === undefined,
          barredBy,
        },
      ];
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
