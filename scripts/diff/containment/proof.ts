/** What showing that one schema contains another lends to the keywords: the same, for the schemas within. */
import type { Facts, Part, Place } from "../facts.ts";
import { type Gap, gapAt, type Question } from "./gaps.ts";

export interface Proof {
  readonly question: Question;
  /** True where the two say the same. */
  isSame(inner: Place, outer: Place): boolean;
  /** The gaps between what is known of values and a schema. */
  within(facts: Facts, outer: Place, splits?: number): readonly Gap[];
  /** The gaps between two schemas. */
  placeGaps(inner: Place, outer: Place): readonly Gap[];
  /** Whether there are none where the first schema is of the document that the second ones are of, and the reverse. */
  isWithinReversed(inner: Place, outer: Place): boolean;
}

/** For keywords that look at all others: kept only where the whole schema is. */
export function wholeGaps(proof: Proof, facts: Facts, part: Part, keyword: string): Gap[] {
  const isKept = facts.parts.some((own) => proof.isSame(own, part));
  return isKept ? [] : [gapAt(facts, part, keyword, { isCertain: false })];
}
