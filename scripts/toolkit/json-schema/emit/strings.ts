/** Code for string keywords (JSON Schema validation, 6.3) and string formats (7.3), which are validated. */
import type { ValuePath } from "../code.ts";
import { formats } from "../formats.ts";
import type { Scope } from "../module.ts";
import type { Schema } from "../schema.ts";
import { sizeMessage } from "./messages.ts";

export function stringKeywords(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  const { minLength, maxLength, pattern, format } = schema;
  // Lengths are in code points. A code point has at most two UTF-16 units.
  if (minLength === 1)
    scope.problemWhen(`${value}.length === 0`, place, sizeMessage("least", 1, "characters"));
  else if (minLength !== undefined && minLength > 0) {
    const count = `${scope.module.helper("codePoints")}(${value})`;
    const short = `${value}.length < ${minLength} || (${value}.length < ${2 * minLength} && ${count} < ${minLength})`;
    scope.problemWhen(short, place, sizeMessage("least", minLength, "characters"));
  }
  if (maxLength !== undefined) {
    const count = `${scope.module.helper("codePoints")}(${value})`;
    const long = `${value}.length > ${maxLength} && ${count} > ${maxLength}`;
    scope.problemWhen(long, place, sizeMessage("most", maxLength, "characters"));
  }
  if (pattern !== undefined) {
    // Strings that are too long are not matched, because the time of a pattern grows with the length.
    const short = maxLength === undefined ? "" : `${value}.length <= ${2 * maxLength} && `;
    const test = `${short}!${patternTest(scope, pattern, value)}`;
    scope.problemWhen(test, place, `must match the pattern ${pattern}`);
  }
  const known = format === undefined ? undefined : formats[format];
  if (known?.helper)
    scope.problemWhen(`!${scope.module.helper(known.helper)}(${value})`, place, `must be ${known.noun}`);
}

/** Patterns are not anchored (JSON Schema validation, 6.3.3). */
export function patternTest(scope: Scope, pattern: string, text: string): string {
  // `source` is escaped, so it can be written between slashes (ECMA-262, EscapeRegExpPattern).
  const { source } = new RegExp(pattern, "u");
  return `${scope.module.constant("pattern", `/${source}/u`)}.test(${text})`;
}
