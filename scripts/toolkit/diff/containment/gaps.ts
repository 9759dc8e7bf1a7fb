/** A gap: why and where a schema may reject a value of another schema. */
import { isDeepStrictEqual } from "node:util";
import type { Direction, SchemaPart, SchemaPlace } from "../../openapi/schema/schema-view.ts";
import type { Facts } from "../facts.ts";

export interface Gap {
  /** The pointer to the part of the first schema that the gap is about. */
  readonly inner: string;
  /** The pointer to that part of the second schema. */
  readonly outer: string;
  /** True if the first schema has no such part. Then `inner` points to the place around it. */
  readonly isUnstated: boolean;
  readonly keyword: string;
  /** The property, value or type that the gap is about. */
  readonly subject: string | undefined;
  /** False if no rejected value is known. */
  readonly isCertain: boolean;
  /**
   * `addition`: the second schema declares a property that the first one, an open object, does not declare. Callers that
   * send only declared properties are not rejected. `removal`: the reverse. `alternative`: no branch of the second union
   * allows all values of a branch of the first. `overlap`: a value may match two branches of `oneOf`. `closed`: the
   * second schema allows no property with this name.
   */
  readonly kind: "rejection" | "addition" | "removal" | "alternative" | "overlap" | "closed";
}

/** The subject of gaps about the tags that select `defaultMapping`. */
export const otherTags = "";

/** The functions of the proof that the files for each kind of keyword call. */
export interface Proof {
  readonly side: Direction;
  readonly isForward: boolean;
  isSame(inner: SchemaPlace, outer: SchemaPlace): boolean;
  within(facts: Facts, outer: SchemaPlace, splits?: number): readonly Gap[];
  /** Like `within`, but with exchanged documents. */
  isWithinReversed(inner: SchemaPlace, outer: SchemaPlace): boolean;
}

export function gapAt(facts: Facts, outer: SchemaPlace, keyword: string, more: Partial<Gap> = {}): Gap {
  const own = facts.parts.find((part) => Object.hasOwn(part.value, keyword) && !("isAssumed" in part));
  return {
    inner: own?.pointer ?? facts.target,
    outer: outer.pointer,
    isUnstated: facts.parts.length === 0,
    keyword,
    subject: undefined,
    isCertain: true,
    kind: "rejection",
    ...more,
  };
}

/** For keywords that depend on all others. There is no gap only if the whole schema is the same. */
export function wholeGaps(proof: Proof, facts: Facts, part: SchemaPart, keyword: string): Gap[] {
  const isKept = facts.parts.some((own) => proof.isSame(own, part));
  return isKept ? [] : [gapAt(facts, part, keyword, { isCertain: false })];
}

/** For keywords that are not analysed. There is no gap only if the value is the same. */
export function opaqueGaps(facts: Facts, part: SchemaPart, keywords: readonly string[]): Gap[] {
  return keywords.flatMap((keyword) => {
    const wanted = part.value[keyword];
    const isKept = facts.parts.some(({ value }) => isDeepStrictEqual(value[keyword], wanted));
    return wanted === undefined || isKept ? [] : [gapAt(facts, part, keyword, { isCertain: false })];
  });
}

export function holds(gaps: readonly Gap[]): boolean {
  return gaps.every(({ kind }) => kind === "addition");
}

export function distinct(gaps: readonly Gap[]): readonly Gap[] {
  if (gaps.length < 2) return gaps;
  return [...new Map(gaps.map((gap) => [JSON.stringify(gap), gap])).values()];
}
