/** The part of the proof that the files for each kind of keyword use. */
import type { SchemaPart, SchemaPlace } from "../../openapi/schema-view.ts";
import type { Facts } from "../facts.ts";
import { type Gap, gapAt, type Question } from "./gaps.ts";

export interface Proof {
  readonly question: Question;
  isSame(inner: SchemaPlace, outer: SchemaPlace): boolean;
  within(facts: Facts, outer: SchemaPlace, splits?: number): readonly Gap[];
  /** Like `within`, but with exchanged documents. */
  isWithinReversed(inner: SchemaPlace, outer: SchemaPlace): boolean;
}

/** For keywords that depend on all others. There is no gap only if the whole schema is the same. */
export function wholeGaps(proof: Proof, facts: Facts, part: SchemaPart, keyword: string): Gap[] {
  const isKept = facts.parts.some((own) => proof.isSame(own, part));
  return isKept ? [] : [gapAt(facts, part, keyword, { isCertain: false })];
}
