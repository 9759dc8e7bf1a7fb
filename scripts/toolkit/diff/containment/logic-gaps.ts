/** Finds gaps of `not`, of `if` with `then` and `else`, and of `$dynamicRef`. */
import { placeBelow, type SchemaPart } from "../../openapi/schema/schema-view.ts";
import { both, type Facts, factsOf } from "../facts.ts";
import { areDisjoint } from "./disjoint.ts";
import { type Gap, gapAt, opaqueGaps, type Proof } from "./gaps.ts";

export function logicGaps(proof: Proof, facts: Facts, part: SchemaPart): Gap[] {
  const gaps: Gap[] = [];
  if (part.value.not !== undefined) {
    const negated = placeBelow(part, "not");
    const known = facts.parts.flatMap((own) => (own.value.not === undefined ? [] : [placeBelow(own, "not")]));
    const isImplied =
      known.some((own) => proof.isSame(own, negated) || proof.isWithinReversed(negated, own)) ||
      areDisjoint(proof.side, facts, factsOf(negated));
    if (!isImplied) gaps.push(gapAt(facts, part, "not", { isCertain: false }));
  }
  if (part.value.if !== undefined) gaps.push(...conditionGaps(proof, facts, part));
  return [...gaps, ...opaqueGaps(facts, part, ["$dynamicRef", "xml"])];
}

function conditionGaps(proof: Proof, facts: Facts, part: SchemaPart): Gap[] {
  return (["then", "else"] as const).flatMap((keyword) => {
    if (part.value[keyword] === undefined) return [];
    const wanted = placeBelow(part, keyword);
    const isWithin = (own: Facts): boolean => proof.within(own, wanted, 1).length === 0;
    // For `then`, every value that is valid for the `if` of `part` must be valid for that of `own`. For `else`, the
    // other way round.
    const same = facts.parts.find((own) => {
      if (own.value.if === undefined) return false;
      const [there, here] = [placeBelow(own, "if"), placeBelow(part, "if")];
      if (proof.isSame(there, here)) return true;
      return keyword === "then"
        ? proof.isWithinReversed(here, there)
        : proof.within(factsOf(there), here).length === 0;
    });
    const known = same?.value[keyword] === undefined ? undefined : factsOf(placeBelow(same, keyword));
    if (isWithin(known === undefined ? facts : both(facts, known))) return [];
    if (keyword === "then" && isWithin(both(facts, factsOf(placeBelow(part, "if"))))) return [];
    return [gapAt(facts, part, keyword, { isCertain: false })];
  });
}
