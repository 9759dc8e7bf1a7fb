/** Finds gaps of `not` and `$dynamicRef`. */
import { placeBelow, type SchemaPart } from "../../openapi/schema/schema-view.ts";
import { dynamicTargets } from "../dynamic-references.ts";
import { type Facts, factsOf, keywordsOf } from "../facts.ts";
import { areDisjoint } from "./disjoint.ts";
import { type Gap, gapAt, opaqueGaps, type Proof } from "./gaps.ts";

export function logicGaps(proof: Proof, facts: Facts, part: SchemaPart): Gap[] {
  const gaps: Gap[] = [];
  if (part.value.not !== undefined) {
    const negated = placeBelow(part, "not");
    const known = facts.parts.flatMap((own) => (own.value.not === undefined ? [] : [placeBelow(own, "not")]));
    // A `not` inside `not` counts as a part.
    const isDouble = keywordsOf(negated.value).join() === "not";
    const isImplied =
      isDouble ||
      known.some((own) => proof.isSame(own, negated) || proof.isWithinReversed(negated, own)) ||
      areDisjoint(proof.side, facts, factsOf(negated));
    if (!isImplied) gaps.push(gapAt(facts, part, "not", { isCertain: false }));
  }
  if (part.value.$dynamicRef !== undefined) gaps.push(...dynamicGaps(proof, facts, part));
  return [...gaps, ...opaqueGaps(facts, part, ["xml"])];
}

/** Every schema that the reference may mean must allow what it allowed before. */
function dynamicGaps(proof: Proof, facts: Facts, part: SchemaPart): Gap[] {
  const own = facts.parts.find(({ value }) => value.$dynamicRef === part.value.$dynamicRef);
  const wanted = dynamicTargets(part);
  const known = own === undefined ? [] : dynamicTargets(own);
  const isKept =
    wanted.length === known.length && wanted.every((each, i) => each.pointer === known[i]?.pointer);
  if (!isKept) return [gapAt(facts, part, "$dynamicRef", { isCertain: false })];
  return wanted.flatMap((each, index) => proof.within(factsOf(known[index] ?? each), each));
}
