/** Why a value of one schema may be refused by another, and where. */
import type { Facts, Place, Side } from "../facts.ts";

/** Why the second schema may refuse a value of the first. */
export interface Gap {
  /** Where the first schema stands, at the depth of the gap. */
  readonly inner: string;
  /** Where the second schema stands, and its keyword that may refuse. */
  readonly outer: string;
  readonly keyword: string;
  /** The property, value or kind of value that it is about. */
  readonly subject: string | undefined;
  /** False where it is not known that a value is refused, only not shown that none is. */
  readonly isCertain: boolean;
  /**
   * `addition`: the second schema names a property of which the first, an open object, says nothing. Nobody is refused
   * who sends only what was named. `removal`: the reverse.
   */
  readonly kind: "refusal" | "addition" | "removal";
}

export interface Question {
  readonly side: Side;
  /** True where the first schema is the older one. */
  readonly isForward: boolean;
}

/** A refusal, unless `more` says otherwise. @param outer where the keyword stands that may refuse */
export function gapAt(facts: Facts, outer: Place, keyword: string, more: Partial<Gap> = {}): Gap {
  return {
    inner: facts.target,
    outer: outer.pointer,
    keyword,
    subject: undefined,
    isCertain: true,
    kind: "refusal",
    ...more,
  };
}

/** True where nothing in the list refuses a value. */
export function holds(gaps: readonly Gap[]): boolean {
  return gaps.every(({ kind }) => kind === "addition");
}

/** Each gap once, in order. */
export function distinct(gaps: readonly Gap[]): Gap[] {
  return [...new Map(gaps.map((gap) => [JSON.stringify(gap), gap])).values()];
}
