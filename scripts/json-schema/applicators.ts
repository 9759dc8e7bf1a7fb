/** Code for `not` and `if`/`then`/`else` (JSON Schema core, 10.2.1.4 and 10.2.2). */
import { below, type ValuePath } from "./code.ts";
import { notMessage } from "./messages.ts";
import type { Scope } from "./module.ts";
import { assertions, type Schema } from "./schema.ts";
import { acceptTest } from "./type-tests.ts";

export function conditionKeywords(scope: Scope, schema: Schema, value: string, place: ValuePath): void {
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
