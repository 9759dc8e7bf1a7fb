import { constTest } from "./constants.ts";
import type { Scope } from "./module.ts";
import type { Schema } from "./schema.ts";
import { findTag } from "./tags.ts";
import { acceptTest, typeTest } from "./type-tests.ts";

/** Returns an expression for each branch: a test of the tag if the branches have one, else of the whole schema. */
export function branchTests(
  scope: Scope,
  schema: Schema,
  branches: readonly Schema[],
  value: string,
): string[] {
  return (
    tagTests(scope, schema, branches, value) ?? branches.map((branch) => acceptTest(scope, branch, value))
  );
}

/** Returns undefined if the branches have no exact tag. */
export function tagTests(
  scope: Scope,
  schema: Schema,
  branches: readonly Schema[],
  value: string,
): string[] | undefined {
  const tag = findTag(schema, branches);
  if (!tag?.exact) return undefined;
  const hold = scope.variable(tag.name);
  scope.lines.line(
    `const ${hold} = ${typeTest("object", value)} ? ${scope.property(value, tag.name)} : undefined;`,
  );
  return tag.values.map((values) => constTest(scope, values, hold));
}
