/** Code for number keywords (JSON Schema validation, 6.2) and the numeric formats of the OpenAPI format registry. */
import type { ValuePath } from "./code.ts";
import { formats } from "./formats.ts";
import type { Scope } from "./module.ts";
import { admitsInexactIntegers, type Schema } from "./schema.ts";

export function numberKeywords(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const bound = (limit: number | undefined, wrong: string, said: string) => {
    if (limit !== undefined)
      scope.problemWhen(`${value} ${wrong} ${limit}`, place, `must be ${said} ${limit}`);
  };
  bound(minimum, "<", "at least");
  bound(maximum, ">", "at most");
  bound(exclusiveMinimum, "<=", "greater than");
  bound(exclusiveMaximum, ">=", "less than");
  if (multipleOf !== undefined)
    scope.problemWhen(notMultiple(scope, value, multipleOf), place, `must be a multiple of ${multipleOf}`);
  numericFormat(scope, schema, value, place);
  if (admitsInexactIntegers(schema))
    scope.problemWhen(`!Number.isSafeInteger(${value})`, place, `must be ${formats.int64?.noun}`);
}

/** For decimal divisors, the decimal digits are compared, because binary remainders are inexact. */
function notMultiple(scope: Scope, value: string, divisor: number): string {
  if (Number.isInteger(divisor)) return `${value} % ${divisor} !== 0`;
  const [mantissa = "", exponent = "0"] = String(divisor).split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  const places = fraction.length - Number(exponent);
  return `!${scope.module.helper("isMultiple")}(${value}, ${BigInt(whole + fraction)}n, ${places})`;
}

const numericTests: Record<string, (value: string) => string> = {
  int8: integerWithin(-128, 127),
  uint8: integerWithin(0, 255),
  int16: integerWithin(-32_768, 32_767),
  uint16: integerWithin(0, 65_535),
  int32: integerWithin(-2_147_483_648, 2_147_483_647),
  uint32: integerWithin(0, 4_294_967_295),
  int64: (value) => `!Number.isSafeInteger(${value})`,
  uint64: (value) => `!Number.isSafeInteger(${value}) || ${value} < 0`,
  "double-int": (value) => `!Number.isSafeInteger(${value})`,
  // The limit is the largest 32-bit float, with the digits that other languages print.
  float: (value) => `Math.abs(${value}) > 3.4028235e38`,
};

function integerWithin(least: number, most: number): (value: string) => string {
  return (value) => `!Number.isInteger(${value}) || ${value} < ${least} || ${value} > ${most}`;
}

function numericFormat(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  if (schema.format === undefined) return;
  const isWrong = numericTests[schema.format];
  if (isWrong) scope.problemWhen(isWrong(value), place, `must be ${formats[schema.format]?.noun}`);
}
