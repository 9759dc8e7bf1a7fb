import { tokensOf } from "../openapi/document.ts";
import { acceptedTypes, haveDistinctTypes } from "./analysis.ts";
import { constTest } from "./emit/constants.ts";
import { acceptTest, typesTest, typeTest } from "./emit/type-tests.ts";
import type { Scope } from "./module.ts";
import { composition, type Discriminator, isScalar, type Scalar, type Schema } from "./schema.ts";

/** The property that distinguishes the branches of a union, with its values in each branch. */
export interface Tag {
  name: string;
  values: (readonly Scalar[])[];
  /**
   * True if the schemas themselves require the values. A discriminator alone must not decide whether a value is valid.
   */
  exact: boolean;
  /** The branch of values that no branch has. */
  otherwise?: Schema | undefined;
}

export function findTag(schema: Schema, branches: readonly Schema[]): Tag | undefined {
  const objects = (each: Schema) => [...acceptedTypes(each)].every((type) => type === "object");
  if (
    branches.length < 2 ||
    !(objects({ pointer: "", ...(schema.type && { type: schema.type }) }) || branches.every(objects))
  )
    return undefined;
  const [first] = branches;
  const said = schema.discriminator?.propertyName;
  const candidates = new Set([
    ...(said === undefined ? [] : [said]),
    ...(first ? pinnedProperties(first).keys() : []),
  ]);
  for (const name of candidates) {
    const values = branches.map((branch) =>
      requires(branch, name) ? [...new Set(pinnedProperties(branch).get(name) ?? [])] : [],
    );
    if (disjoint(values)) return { name, values, exact: true };
  }
  return schema.discriminator && discriminatorTag(schema.discriminator, branches);
}

function disjoint(values: readonly (readonly Scalar[])[]): boolean {
  const all = values.flat();
  return values.every((each) => each.length > 0) && new Set(all).size === all.length;
}

/** A branch's values are the keys of the mapping, or else the name of its schema (OpenAPI 3.1, 4.8.25). */
function discriminatorTag(
  { propertyName, mapping, otherwise }: Discriminator,
  branches: readonly Schema[],
): Tag | undefined {
  const values = branches.map((branch) => {
    if (!branch.ref) return [];
    const { pointer } = branch.ref;
    const mapped = [...mapping].filter(([, target]) => target === pointer).map(([tag]) => tag);
    return mapped.length > 0 ? mapped : tokensOf(pointer).slice(-1);
  });
  if (!disjoint(values)) return undefined;
  const rest = otherwise && branches.find(({ ref }) => ref?.pointer === otherwise);
  return { name: propertyName, values, exact: false, ...(rest && { otherwise: rest }) };
}

function requires(schema: Schema, name: string): boolean {
  return composition(schema).some(({ required }) => required?.includes(name));
}

function pinnedProperties(schema: Schema): Map<string, readonly Scalar[]> {
  const pinned = new Map<string, readonly Scalar[]>();
  for (const { properties } of composition(schema))
    for (const [name, property] of properties ?? []) {
      const values = pinnedValues(property);
      if (values && !pinned.has(name)) pinned.set(name, values);
    }
  return pinned;
}

function pinnedValues(schema: Schema): readonly Scalar[] | undefined {
  const pinning = composition(schema).find((part) => part.const ?? part.enum);
  const values = pinning?.const ? [pinning.const.value] : pinning?.enum;
  return values?.every(isScalar) ? values : undefined;
}

/** Returns an expression for each branch: a test of what distinguishes them, their tag or type, else of the whole schema. */
export function branchTests(
  scope: Scope,
  schema: Schema,
  branches: readonly Schema[],
  value: string,
): string[] {
  const test = (branch: Schema): string =>
    haveDistinctTypes(branches)
      ? typesTest([...acceptedTypes(branch)], value) || "false"
      : acceptTest(scope, branch, value);
  return tagTests(scope, schema, branches, value) ?? branches.map(test);
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
