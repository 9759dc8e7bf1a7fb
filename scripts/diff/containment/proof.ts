/** The proof as the files for each kind of keyword see it. */
import type { Facts, Part, Place } from "../facts.ts";
import { type Gap, gapAt, type Question } from "./gaps.ts";

export interface Proof {
  readonly question: Question;
  isSame(inner: Place, outer: Place): boolean;
  within(facts: Facts, outer: Place, splits?: number): readonly Gap[];
  placeGaps(inner: Place, outer: Place): readonly Gap[];
  /** The same with the documents exchanged. */
  isWithinReversed(inner: Place, outer: Place): boolean;
}

/** For keywords that depend on all others: kept only if the whole schema is. */
export function wholeGaps(proof: Proof, facts: Facts, part: Part, keyword: string): Gap[] {
  const isKept = facts.parts.some((own) => proof.isSame(own, part));
  return isKept ? [] : [gapAt(facts, part, keyword, { isCertain: false })];
}
