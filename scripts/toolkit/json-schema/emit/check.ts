import { below, type ValuePath } from "../code.ts";
import type { Scope } from "../module.ts";
import { assertions, cheapFirst, jsonTypes, type Schema } from "../schema.ts";
import { arrayKeywords } from "./arrays.ts";
import { constKeywords } from "./constants.ts";
import { notMessage, typeMessage } from "./messages.ts";
import { numberKeywords } from "./numbers.ts";
import { objectKeywords } from "./objects.ts";
import { stringKeywords } from "./strings.ts";
import { acceptTest, typesTest, typeTest } from "./type-tests.ts";
import { unevaluatedItems, unevaluatedProperties } from "./unevaluated.ts";
import { unionKeywords } from "./unions.ts";

export function emitSchema(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  if (schema.verdict === true) return;
  if (schema.verdict === false) {
    scope.problem(
      place,
      schema.access === undefined ? "is not allowed" : `is ${schema.access}; leave it out`,
    );
    return;
  }
  const keywords = () => emitKeywords(scope, schema, value, place);
  const { type } = schema;
  if (!type || type.length === jsonTypes.length) {
    keywords();
    return;
  }
  // If the type is wrong, no other problem of the value is reported.
  scope.when(typesTest(type, value, true), () => scope.problem(place, typeMessage(type)), keywords);
}

/** The target of a reference becomes a function call. Any other schema is written inline. */
export function emitInline(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  if (scope.module.isShared(schema)) emitCall(scope, schema, value, place);
  else emitSchema(scope, schema, value, place);
}

function emitCall(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  if (scope.mode === "test") {
    scope.problemWhen(`!${scope.call("matches", schema, value)}`, place, "");
    return;
  }
  const call = scope.call("check", schema, value, "problems");
  if (place.length === 0) {
    scope.lines.line(`${call};`);
    return;
  }
  const before = scope.variable("before");
  scope.lines.line(`const ${before} = problems.length;`);
  scope.lines.line(`${call};`);
  const prefix = scope.module.helper("prefix");
  scope.lines.line(
    `if (problems.length > ${before}) ${prefix}(problems, ${before}, ${scope.placeOf(place)});`,
  );
}

function emitKeywords(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  const parts = schema.allOf ?? [];
  const isLate = scope.mode === "test" && schema.ref?.recursive === true;
  if (schema.ref && !isLate) emitInline(scope, schema.ref, value, place);
  constKeywords(scope, schema, value, place);
  for (const [type, write] of [
    ["number", numberKeywords],
    ["string", stringKeywords],
    ["array", arrayKeywords],
    ["object", objectKeywords],
  ] as const) {
    const types = schema.type?.map((name) => (name === "integer" ? "number" : name));
    if (types && !types.includes(type)) continue;
    if (types?.every((name) => name === type)) write(scope, schema, value, place);
    else scope.when(typeTest(type, value), () => write(scope, schema, value, place));
  }
  for (const part of scope.mode === "test" ? cheapFirst(parts) : parts) emitInline(scope, part, value, place);
  if (schema.ref && isLate) emitInline(scope, schema.ref, value, place);
  unionKeywords(scope, schema, value, place);
  conditionKeywords(scope, schema, value, place);
  unevaluatedItems(scope, schema, value, place);
  unevaluatedProperties(scope, schema, value, place);
}

/** Code for `not` and `if`/`then`/`else` (JSON Schema core, 10.2.1.4 and 10.2.2). */
function conditionKeywords(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
  if (schema.not) notKeyword(scope, schema.not, value, place);
  const { then: consequence, else: alternative } = schema;
  if (!schema.if || (!consequence && !alternative)) return;
  const accepted = acceptTest(scope, schema.if, value);
  const check = (branch: Schema | undefined) => () => {
    if (branch) scope.schema(branch, value, place);
  };
  if (!consequence) {
    scope.when(`!${accepted}`, check(alternative));
    return;
  }
  scope.when(accepted, check(consequence), check(alternative));
}

function notKeyword(scope: Scope, excluded: Schema, value: string, place: ValuePath): void {
  const [name, ...others] = excluded.required ?? [];
  const one =
    name !== undefined &&
    others.length === 0 &&
    assertions(excluded).every((key) => key === "required" || key === "type");
  const accepted = acceptTest(scope, excluded, value);
  if (one) scope.problemWhen(accepted, below(place, name), "is not allowed");
  else scope.problemWhen(accepted, place, notMessage(excluded));
}
