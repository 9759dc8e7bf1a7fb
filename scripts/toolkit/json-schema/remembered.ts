/**
 * Finds recursive schemas that test a part of a value more than once. Each level of a hostile value would double the work,
 * so that the generated code remembers results.
 */
import { cycleHeads, leadingTo } from "./analysis.ts";
import { allWithin, inPlace, parts, reachable, type Schema } from "./schema.ts";
import { findTag } from "./tags.ts";

export function markRemembered(roots: readonly Schema[]): void {
  const inCycles = reachable(cycleHeads(roots, allWithin).keys());
  const repeating = [...inCycles].filter((schema) => schema.recursive && repeats(schema));
  const below = reachable(repeating);
  // A function gets the memory from its caller.
  for (const schema of leadingTo(below, reachable(roots), allWithin))
    if (schema.recursive) schema.remembered = true;
}

/** True if several subschemas may test the same part. */
function repeats(schema: Schema): boolean {
  // Without an exact tag, a branch is tested first, and its problems are reported later.
  for (const branches of [schema.anyOf, schema.oneOf])
    if (branches && branches.length > 1 && branches.some(isRecursive) && !findTag(schema, branches)?.exact)
      return true;
  const { properties, patternProperties, items, prefixItems = [], unevaluatedItems, contains } = schema;
  const itemSchemas = [items, unevaluatedItems, ...prefixItems];
  const patterns = [...(patternProperties?.values() ?? [])].filter(isRecursive).length;
  const named = [...(properties?.values() ?? [])].some(isRecursive);
  if (patterns > 1 || (patterns > 0 && named)) return true;
  if ((contains?.recursive || schema.uniqueItems) && itemSchemas.some((item) => item?.recursive)) return true;
  return inPlace(schema).filter(isRecursive).length + Number(parts(schema).some(isRecursive)) > 1;
}

function isRecursive(schema: Schema): boolean {
  return schema.recursive === true;
}
