/** Finds gaps of `not`, of `if` with `then` and `else`, and of `$dynamicRef`. */
import { isDeepStrictEqual } from "node:util";
import { placeBelow, type SchemaPart } from "../../openapi/schema-view.ts";
import { both, type Facts, factsOf } from "../facts.ts";
import { areDisjoint } from "./disjoint.ts";
import { type Gap, gapAt, type Proof } from "./gaps.ts";

export function logicGaps(proof: Proof, facts: Facts, part: SchemaPart): Gap[] {
  const gaps: Gap[] = [];
  const isUnchanged = (keyword: string): boolean =>
    facts.parts.some(
      (own) =>
        own.value[keyword] !== undefined && proof.isSame(placeBelow(own, keyword), placeBelow(part, keyword)),
    );
  if (part.value.not !== undefined) {
    const negated = placeBelow(part, "not");
    const isImplied =
      isUnchanged("not") ||
      facts.parts.some(
        (own) => own.value.not !== undefined && proof.isWithinReversed(negated, placeBelow(own, "not")),
      ) ||
      areDisjoint(proof.side, facts, factsOf(negated));
    if (!isImplied) gaps.push(gapAt(facts, part, "not", { isCertain: false }));
  }
  if (part.value.if !== undefined) gaps.push(...conditionGaps(proof, facts, part));
  if (part.value.$dynamicRef !== undefined) {
    const isImplied = facts.parts.some(({ value }) => value.$dynamicRef === part.value.$dynamicRef);
    if (!isImplied) gaps.push(gapAt(facts, part, "$dynamicRef", { isCertain: false }));
  }
  if (
    part.value.xml !== undefined &&
    !facts.parts.some(({ value }) => isDeepStrictEqual(value.xml, part.value.xml))
  )
    gaps.push(gapAt(facts, part, "xml", { isCertain: false }));
  return gaps;
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
