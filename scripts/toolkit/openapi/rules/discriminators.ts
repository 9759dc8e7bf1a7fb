import { entriesOf, followed, isObject, type Json, type JsonObject, listOf, pointerTo } from "../document.ts";
import type { Requirement } from "./requirement.ts";

/** The targets of a discriminator that are not among the schemas next to it. */
export const unlistedTargets: Requirement["wrong"] = ({ discriminator, oneOf, anyOf }, { document }) => {
  if (!isObject(discriminator) || (oneOf ?? anyOf) === undefined) return [];
  const { mapping, defaultMapping } = discriminator;
  const targets = [
    ...entriesOf(mapping).map(([key, value]) => ({ place: pointerTo("/mapping", key), value })),
    { place: "/defaultMapping", value: defaultMapping },
  ];
  // A name that is no reference was not found, and is reported as such.
  return targets.flatMap(({ place, value }) =>
    typeof value === "string" && value.startsWith("#") && !lists(document, { oneOf, anyOf }, { $ref: value })
      ? [`/discriminator${place}`]
      : [],
  );
};

/** True if the schema has the part in its branches, or in those of a branch. */
function lists(
  document: JsonObject,
  schema: { readonly [keyword: string]: Json | undefined },
  part: Json,
  seen: readonly Json[] = [],
): boolean {
  const target = followed(document, part);
  return [schema.oneOf, schema.anyOf, schema.allOf].flatMap(listOf).some((branch) => {
    const value = followed(document, branch);
    if (value === target) return true;
    return isObject(value) && !seen.includes(value) && lists(document, value, part, [...seen, value]);
  });
}
