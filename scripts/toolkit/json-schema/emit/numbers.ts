/** Code for number keywords (JSON Schema validation, 6.2) and the numeric formats of the OpenAPI format registry. */
import { formatRange } from "../../openapi/schema/format-ranges.ts";
import type { ValuePath } from "../code.ts";
import { formats } from "../formats.ts";
import type { Scope } from "../module.ts";
import { admitsInexactIntegers, type Schema } from "../schema.ts";

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

function numericFormat(scope: Scope, { format }: Schema, value: string, place: ValuePath): void {
  const wrong = format === undefined ? undefined : wrongNumber(format, value);
  if (wrong !== undefined) scope.problemWhen(wrong, place, `must be ${formats[format ?? ""]?.noun}`);
}

function wrongNumber(format: string, value: string): string | undefined {
  if (format === "int64" || format === "double-int") return `!Number.isSafeInteger(${value})`;
  if (format === "uint64") return `!Number.isSafeInteger(${value}) || ${value} < 0`;
  // The limit is the largest 32-bit float, with the digits that other languages print.
  if (format === "float") return `Math.abs(${value}) > 3.4028235e38`;
  const range = formatRange(format);
  return range && `!Number.isInteger(${value}) || ${value} < ${range.least} || ${value} > ${range.most}`;
}
