/** A schema after it was read: keywords are valid, and `$ref`s are object references, so the graph may be cyclic. */
import { type Applicator, applicatorsTo, isCondition } from "../openapi/schema/keywords.ts";

export const jsonTypes = ["null", "boolean", "integer", "number", "string", "array", "object"] as const;
export type JsonType = (typeof jsonTypes)[number];
export type Scalar = string | number | boolean | null;

export type SchemaRule =
  | "unknown-keyword"
  | "unsupported-keyword"
  | "malformed-keyword"
  | "invalid-pattern"
  | "slow-pattern"
  | "unknown-format"
  | "unenforced-format"
  | "format-of-another-type"
  | "reference"
  | "reference-circle"
  | "costly-unevaluated"
  | "impossible"
  | "undeclared-required"
  | "default-contradicts";

/** A place of the document that the generated code cannot enforce. */
export interface Unenforceable {
  /** The name of the rule in waivers. */
  rule: SchemaRule;
  pointer: string;
  /** The keyword, the problem and the fix. */
  message: string;
  /** True if the problem is only reported, and does not stop the generator. */
  isNote?: boolean | undefined;
}

export interface Discriminator {
  propertyName: string;
  /** Maps discriminator values to the pointers of their schemas. */
  mapping: Map<string, string>;
  /** The pointer of the schema for all other values. */
  otherwise?: string;
}

/** Fields have the names of JSON Schema 2020-12. A field is present only if its keyword has an effect. */
export interface Schema {
  pointer: string;
  verdict?: boolean;
  /** Who may write the value. Messages use it to explain why the value is not allowed. */
  access?: "read-only" | "write-only";
  ref?: Schema;
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
  default?: { value: unknown };
  /** The property that distinguishes branches. It is only an annotation (OpenAPI 3.1, 4.8.25). */
  discriminator?: Discriminator;
  /** True if values may be nested without limit. */
  recursive?: boolean;
  /** True if a value may be tested several times, so that the generated code remembers results. Set with `recursive`. */
  remembered?: boolean;
}

const annotations = new Set(["pointer", "access", "default", "discriminator", "recursive", "remembered"]);

export function assertions(schema: Schema): string[] {
  return Object.keys(schema).filter((key) => !annotations.has(key));
}

/** True if integers beyond ±(2^53 - 1) are valid. JSON.parse rounds some of them (RFC 7493, section 2.2). */
export function admitsInexactIntegers({
  type,
  format,
  minimum,
  maximum,
  enum: values,
  const: one,
}: Schema): boolean {
  if (!type?.includes("integer") || type.includes("number")) return false;
  // Integer formats have their own limits. `enum` and `const` list all values.
  if (/^(?:u?int\d+|double-int)$/.test(format ?? "") || values !== undefined || one !== undefined)
    return false;
  return !Number.isSafeInteger(minimum) || !Number.isSafeInteger(maximum);
}

const ofValue = applicatorsTo("value");
const ofParts = applicatorsTo("items", "properties", "names");
const ofValidValue = [...ofValue, ...ofParts].filter((keyword) => !isCondition(keyword));

/** The subschemas that apply to the same value. */
export function inPlace(schema: Schema): Schema[] {
  return within(schema, ofValue, [schema.ref]);
}

/** The schema and all schemas that it includes by `$ref` and `allOf`. */
export function composition(schema: Schema): Schema[] {
  const found = new Set<Schema>();
  const add = (part: Schema | undefined): void => {
    if (part === undefined || found.has(part)) return;
    found.add(part);
    for (const each of [part.ref, ...(part.allOf ?? [])]) add(each);
  };
  add(schema);
  return [...found];
}

/** The subschemas that apply to properties, items or property names. */
export function parts(schema: Schema): Schema[] {
  return within(schema, ofParts);
}

export function allWithin(schema: Schema): Schema[] {
  return [...inPlace(schema), ...parts(schema)];
}

/** The subschemas that describe a valid value. Conditions are excluded. */
export function described(schema: Schema): Schema[] {
  return within(schema, ofValidValue, [schema.ref]);
}

function within(
  schema: Schema,
  keywords: readonly Applicator[],
  found: (Schema | undefined)[] = [],
): Schema[] {
  for (const keyword of keywords) {
    const held = schema[keyword];
    if (Array.isArray(held) || held instanceof Map) found.push(...held.values());
    else found.push(held);
  }
  return found.filter((part) => part !== undefined);
}

export function isWithheld(schema: Schema): boolean {
  return schema.verdict === false && schema.access === "write-only";
}

/** All schemas that can be reached from the roots, each once, in a stable order. */
export function reachable(roots: Iterable<Schema>, next = allWithin): Set<Schema> {
  const found = new Set(roots);
  for (const schema of found) for (const each of next(schema)) found.add(each);
  return found;
}

/** Recursive schemas come last, because they take the most time. */
export function cheapFirst(schemas: readonly Schema[]): Schema[] {
  return [...schemas.filter(({ recursive }) => !recursive), ...schemas.filter(({ recursive }) => recursive)];
}

export function isScalar(value: unknown): value is Scalar {
  return (
    value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"
  );
}
