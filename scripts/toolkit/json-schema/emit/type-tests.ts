import type { Scope } from "../module.ts";
import {
  admitsInexactIntegers,
  assertions,
  isScalar,
  type JsonType,
  jsonTypes,
  type Schema,
} from "../schema.ts";
import { constTest } from "./constants.ts";

/** NaN and infinities are not JSON numbers (RFC 8259, section 6). */
const tests: Record<JsonType, (value: string) => string> = {
  null: (value) => `${value} === null`,
  boolean: (value) => `typeof ${value} === "boolean"`,
  integer: (value) => `Number.isInteger(${value})`,
  number: (value) => `Number.isFinite(${value})`,
  string: (value) => `typeof ${value} === "string"`,
  array: (value) => `Array.isArray(${value})`,
  object: (value) => `typeof ${value} === "object" && ${value} !== null && !Array.isArray(${value})`,
};

const negatedTests: Partial<Record<JsonType, (value: string) => string>> = {
  null: (value) => `${value} !== null`,
  boolean: (value) => `typeof ${value} !== "boolean"`,
  string: (value) => `typeof ${value} !== "string"`,
  object: (value) => `typeof ${value} !== "object" || ${value} === null || Array.isArray(${value})`,
};

export function typeTest(type: JsonType, value: string): string {
  return tests[type](value);
}

export function typesTest(types: readonly JsonType[], value: string, negated = false): string {
  const needed = types.filter((type) => !(type === "integer" && types.includes("number")));
  const each = needed.map((type) => {
    const test = negated ? (negatedTests[type]?.(value) ?? `!${tests[type](value)}`) : tests[type](value);
    return type === "object" && needed.length > 1 ? `(${test})` : test;
  });
  return each.join(negated ? " && " : " || ");
}

/** Applies `then` or `else`, if one of them is among the schemas. */
export function applyCondition(
  scope: Scope,
  { if: condition, then: consequence, else: alternative }: Schema,
  value: string,
  schemas: ReadonlySet<Schema>,
  apply: (part: Schema | undefined) => void,
): void {
  if (!condition || ![consequence, alternative].some((part) => part && schemas.has(part))) return;
  scope.when(
    acceptTest(scope, condition, value),
    () => apply(consequence),
    () => apply(alternative),
  );
}

/** Returns an expression that can be negated and combined with others. */
export function acceptTest(scope: Scope, schema: Schema, value: string): string {
  if (schema.verdict !== undefined) return String(schema.verdict);
  const named = assertions(schema);
  if (named.length === 0) return "true";
  if (named.length === 1) {
    if (schema.ref) return acceptTest(scope, schema.ref, value);
    if (schema.type && !admitsInexactIntegers(schema))
      return schema.type.length === jsonTypes.length ? "true" : `(${typesTest(schema.type, value)})`;
    if (schema.const && isScalar(schema.const.value))
      return `(${constTest(scope, [schema.const.value], value)})`;
    if (schema.enum) return `(${constTest(scope, schema.enum, value)})`;
  }
  return scope.call("matches", schema, value);
}
