/**
 * A schema after reading: every keyword checked for its form, every `$ref` a direct link (so the graph may be cyclic),
 * everything without meaning for a validator left out.
 */
export const jsonTypes = ["null", "boolean", "integer", "number", "string", "array", "object"] as const;
export type JsonType = (typeof jsonTypes)[number];
export type Scalar = string | number | boolean | null;

export type Rule =
  | "unknown-keyword"
  | "unsupported-keyword"
  | "malformed-keyword"
  | "invalid-pattern"
  | "unknown-format"
  | "format-of-another-type"
  | "reference"
  | "reference-circle"
  | "costly-unevaluated"
  | "default-contradicts";

/** A place where the contract says something no generated function can hold a value to. */
export interface Unenforceable {
  /** The kind of fault, by which it can be waived. */
  rule: Rule;
  /** Where the keyword stands in the document (RFC 6901). */
  pointer: string;
  /** Names the keyword, what it means, and the remedy. */
  message: string;
}

export interface Discriminator {
  propertyName: string;
  /** Tag value to the pointer of its schema. */
  mapping: Map<string, string>;
}

/** Names follow JSON Schema 2020-12; a field is present exactly when its keyword is and means something. */
export interface Schema {
  pointer: string;
  /** A boolean schema, or one that says the same. */
  verdict?: boolean;
  /** Not an assertion: who alone may write the value. It tells why a schema admits nothing. */
  access?: "read-only" | "write-only";
  ref?: Schema;
  /** True when `ref` comes of a `$dynamicRef`. */
  dynamicRef?: true;
  type?: readonly JsonType[];
  enum?: readonly unknown[];
  const?: { value: unknown };
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: true;
  items?: Schema;
  prefixItems?: Schema[];
  contains?: Schema;
  minContains?: number;
  maxContains?: number;
  unevaluatedItems?: Schema;
  properties?: Map<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  patternProperties?: Map<string, Schema>;
  propertyNames?: Schema;
  minProperties?: number;
  maxProperties?: number;
  dependentRequired?: Map<string, string[]>;
  dependentSchemas?: Map<string, Schema>;
  unevaluatedProperties?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  if?: Schema;
  then?: Schema;
  else?: Schema;
  /** Not an assertion: what an absent value becomes. */
  default?: { value: unknown };
  /** Not an assertion: which property tells branches apart (OpenAPI 3.1, 4.8.25). */
  discriminator?: Discriminator;
  /** True when a reference inside leads back to a schema on the way to it, so the depth of values has no bound. */
  recursive?: boolean;
}

const annotations = new Set(["pointer", "access", "dynamicRef", "default", "discriminator", "recursive"]);

/** The keywords that say something about the value, without annotations. */
export function assertions(schema: Schema): string[] {
  return Object.keys(schema).filter((key) => !annotations.has(key));
}

/**
 * Whether a schema admits integers beyond ±(2^53 - 1). JSON.parse makes another integer of some of these (RFC 7493,
 * section 2.2), and nobody can tell afterwards.
 */
export function admitsInexactIntegers({
  type,
  format,
  minimum,
  maximum,
  enum: values,
  const: one,
}: Schema): boolean {
  if (!type?.includes("integer") || type.includes("number")) return false;
  // Each of these has its own limits.
  if (format === "int32" || format === "int64" || values !== undefined || one !== undefined) return false;
  return !Number.isSafeInteger(minimum) || !Number.isSafeInteger(maximum);
}

/** Schemas that judge the same value as this one does, not a part of it. */
export function inPlace(schema: Schema): Schema[] {
  const { ref, not, dependentSchemas } = schema;
  const all = [ref, ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  all.push(not, schema.if, schema.then, schema.else, ...(dependentSchemas?.values() ?? []));
  return all.filter((part) => part !== undefined);
}

/** Schemas that judge properties, items or property names of the value. */
export function parts(schema: Schema): Schema[] {
  const all = [schema.items, ...(schema.prefixItems ?? []), schema.contains, schema.unevaluatedItems];
  all.push(...(schema.properties?.values() ?? []), schema.additionalProperties);
  all.push(...(schema.patternProperties?.values() ?? []), schema.propertyNames, schema.unevaluatedProperties);
  return all.filter((part) => part !== undefined);
}

/** Schemas that say what a valid value holds, not only whether it is valid. */
export function described(schema: Schema): Schema[] {
  const conditions = new Set([schema.not, schema.if, schema.contains, schema.propertyNames]);
  return [...inPlace(schema), ...parts(schema)].filter((part) => !conditions.has(part));
}

export function isWithheld(schema: Schema): boolean {
  return schema.verdict === false && schema.access === "write-only";
}

/** Every schema reachable from the given ones, each once, in a stable order. */
export function reachable(roots: Iterable<Schema>): Set<Schema> {
  const found = new Set(roots);
  // A Set's iterator also visits what is added while it runs.
  for (const schema of found) for (const next of [...inPlace(schema), ...parts(schema)]) found.add(next);
  return found;
}

export function isScalar(value: unknown): value is Scalar {
  return (
    value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"
  );
}
