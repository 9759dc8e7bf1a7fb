/** Code for `const` and `enum` (JSON Schema validation, 6.1). */
import { literal, type ValuePath } from "../code.ts";
import type { Scope } from "../module.ts";
import { isScalar, type Schema } from "../schema.ts";
import { valuesMessage } from "./messages.ts";

/** The code compares up to this number of scalars one by one. For more, it uses a set. */
const comparable = 8;

export function constTest(scope: Scope, values: readonly unknown[], value: string): string {
  return equality(scope, values, value, false);
}

function equality(scope: Scope, values: readonly unknown[], value: string, negated: boolean): string {
  const not = negated ? "!" : "";
  const scalars = values.filter(isScalar);
  const structures = values.filter((each) => !isScalar(each));
  const tests: string[] = [];
  if (scalars.length > comparable) {
    const set = scope.module.constant("values", `new Set([${scalars.map(literal).join(", ")}])`);
    tests.push(`${not}${set}.has(${value})`);
  } else tests.push(...scalars.map((each) => `${value} ${negated ? "!==" : "==="} ${literal(each)}`));
  for (const each of structures) {
    const constant = scope.module.constant("value", literal(each));
    tests.push(`${not}${scope.module.helper("equal")}(${value}, ${constant})`);
  }
  return tests.join(negated ? " && " : " || ") || String(negated);
}

export function constKeywords(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  for (const values of [schema.const ? [schema.const.value] : undefined, schema.enum])
    if (values) scope.problemWhen(equality(scope, values, value, true), place, valuesMessage(values));
}
