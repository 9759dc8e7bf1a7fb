/** Finds the property that distinguishes the branches of a oneOf or anyOf. */
import { tokensOf } from "../openapi/document.ts";
import { acceptedTypes } from "./analysis.ts";
import { type Discriminator, isScalar, type Scalar, type Schema } from "./schema.ts";

export interface Tag {
  name: string;
  /** For each branch, the values of the property that select it. */
  values: (readonly Scalar[])[];
  /** True if the schemas themselves fix the values. A discriminator alone must not decide validity. */
  exact: boolean;
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

/** The keys of the mapping, or else the name of the schema (OpenAPI 3.1, 4.8.25). */
function discriminatorTag(
  { propertyName, mapping }: Discriminator,
  branches: readonly Schema[],
): Tag | undefined {
  const values = branches.map((branch) => {
    if (!branch.ref) return [];
    const { pointer } = branch.ref;
    const mapped = [...mapping].filter(([, target]) => target === pointer).map(([tag]) => tag);
    return mapped.length > 0 ? mapped : tokensOf(pointer).slice(-1);
  });
  return disjoint(values) ? { name: propertyName, values, exact: false } : undefined;
}

function requires(schema: Schema, name: string): boolean {
  if (schema.required?.includes(name)) return true;
  return [schema.ref, ...(schema.allOf ?? [])].some((part) => part !== undefined && requires(part, name));
}

/** Properties with a fixed set of scalars. */
function pinnedProperties(schema: Schema): Map<string, readonly Scalar[]> {
  const pinned = new Map<string, readonly Scalar[]>();
  for (const [name, property] of schema.properties ?? []) {
    const values = pinnedValues(property);
    if (values) pinned.set(name, values);
  }
  for (const part of [schema.ref, ...(schema.allOf ?? [])])
    for (const [name, values] of part ? pinnedProperties(part) : [])
      if (!pinned.has(name)) pinned.set(name, values);
  return pinned;
}

function pinnedValues(schema: Schema): readonly Scalar[] | undefined {
  const values = schema.const ? [schema.const.value] : schema.enum;
  if (values) return values.every(isScalar) ? values : undefined;
  for (const part of [schema.ref, ...(schema.allOf ?? [])]) {
    const found = part && pinnedValues(part);
    if (found) return found;
  }
  return undefined;
}
