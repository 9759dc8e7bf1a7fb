import type { Scope } from "./module.ts";
import { namedTest } from "./objects.ts";
import type { Schema } from "./schema.ts";
import { patternTest } from "./strings.ts";
import { coversKey } from "./unevaluated.ts";

/** Calls `apply` for each schema that applies to a key that `properties` does not list. */
export function otherParts(
  scope: Scope,
  schema: Schema,
  value: string,
  key: string,
  apply: (part: Schema, hold: string) => void,
): void {
  const hold = scope.variable("part");
  const rest = schema.additionalProperties ?? schema.unevaluatedProperties;
  scope.when(`Object.hasOwn(${value}, ${key})`, () =>
    scope.lines.prelude(`const ${hold} = ${value}[${key}];`, () => {
      for (const [pattern, part] of schema.patternProperties ?? [])
        scope.when(patternTest(scope, pattern, key), () => apply(part, hold));
      if (!rest || rest.verdict === false) return;
      const named = schema.additionalProperties
        ? namedTest(scope, schema, key) || "false"
        : coversKey(scope, schema, value, key);
      scope.when(`!(${named})`, () => apply(rest, hold));
    }),
  );
}
