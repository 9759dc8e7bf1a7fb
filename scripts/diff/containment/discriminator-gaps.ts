/** Finds tags (discriminator values) that no longer select the schema that they selected before. */
import { entriesOf, isObject, localPointer, pointerTo, referenceTarget } from "../../openapi/document.ts";
import { placeAt, type SchemaPart, type SchemaPlace } from "../../openapi/schema-view.ts";
import { type Facts, factsOf, finiteValues } from "../facts.ts";
import { propertyOf, requiredNames } from "../members.ts";
import { type Gap, gapAt, type Proof } from "./gaps.ts";

export function discriminatorGaps(proof: Proof, facts: Facts, part: SchemaPart): Gap[] {
  const { discriminator } = part.value;
  if (!isObject(discriminator)) return [];
  if (isSelecting(proof, part, String(discriminator.propertyName))) return [];
  const own = facts.parts.find(({ value }) => isObject(value.discriminator));
  const before = own?.value.discriminator;
  if (own === undefined || !isObject(before) || before.propertyName !== discriminator.propertyName)
    return [gapAt(facts, part, "discriminator", { isCertain: false })];
  if (discriminator.mapping === undefined) return [];
  return entriesOf(before.mapping)
    .filter(([tag]) => !isTagKept(proof, own, part, tag))
    .map(([tag]) => gapAt(facts, part, "discriminator", { subject: tag, isCertain: false }));
}

function isTagKept(proof: Proof, own: SchemaPart, part: SchemaPart, tag: string): boolean {
  const [was, is] = [taggedBy(own, tag), taggedBy(part, tag)];
  return is !== undefined && (was?.pointer === is.pointer || (was !== undefined && proof.isSame(was, is)));
}

/** True if each branch requires the tag, and accepts only the tag values that select this branch. */
function isSelecting(proof: Proof, part: SchemaPart, name: string): boolean {
  const { side } = proof;
  const union = factsOf(part).unions.find(({ branches }) =>
    branches.every((branch) => referenceTarget(branch.value) !== undefined),
  );
  if (union === undefined) return false;
  return union.branches.every((branch) => {
    const facts = factsOf(branch);
    const values = finiteValues(propertyOf(facts, name, side).facts);
    return (
      requiredNames(facts, side).has(name) &&
      values?.every((value) => {
        const selected = typeof value === "string" ? taggedBy(part, value) : undefined;
        return selected?.pointer === facts.target;
      })
    );
  });
}

/** Returns the schema that the mapping has for the tag, or else the component with the tag's name. */
function taggedBy({ document, value }: SchemaPart, tag: string): SchemaPlace | undefined {
  const mapping = isObject(value.discriminator) ? value.discriminator.mapping : undefined;
  const said = isObject(mapping) && Object.hasOwn(mapping, tag) ? mapping[tag] : tag;
  const pointer = localPointer(String(said)) ?? pointerTo("/components/schemas", String(said));
  const selected = placeAt(document, pointer);
  return selected.value === undefined ? undefined : selected;
}
