/** Expressions that choose branches by their tag, for values that have already been found valid. */
import { constTest } from "./constants.ts";
import type { Scope } from "./module.ts";
import type { Schema } from "./schema.ts";
import { findTag } from "./tags.ts";
import { acceptTest, typeTest } from "./type-tests.ts";

/** One expression per branch: by its tag if the branches have one, else by its schema. */
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

/** One expression per branch, or undefined when the branches have no exact tag. May write a declaration before. */
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
