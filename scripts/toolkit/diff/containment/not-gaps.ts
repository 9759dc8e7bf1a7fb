import { placeBelow, type SchemaPart } from "../../openapi/schema/schema-view.ts";
import { type Facts, factsOf, keywordsOf } from "../facts.ts";
import { areDisjoint } from "./disjoint.ts";
import { type Gap, gapAt, type Proof } from "./gaps.ts";

export function notGaps(proof: Proof, facts: Facts, part: SchemaPart): Gap[] {
  if (part.value.not === undefined) return [];
  const negated = placeBelow(part, "not");
  const known = facts.parts.flatMap((own) => (own.value.not === undefined ? [] : [placeBelow(own, "not")]));
  // A `not` inside `not` counts as a part.
  const isDouble = keywordsOf(negated.value).join() === "not";
  const isImplied =
    isDouble ||
    known.some((own) => proof.isSame(own, negated) || proof.isWithinReversed(negated, own)) ||
    areDisjoint(proof.side, facts, factsOf(negated));
  return isImplied ? [] : [gapAt(facts, part, "not", { isCertain: false })];
}
