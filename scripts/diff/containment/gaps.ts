/** A gap: why and where a schema may reject a value of another schema. */
import type { Direction, SchemaPlace } from "../../openapi/schema-view.ts";
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

export interface Question {
  readonly side: Direction;
  readonly isForward: boolean;
}

export function gapAt(facts: Facts, outer: SchemaPlace, keyword: string, more: Partial<Gap> = {}): Gap {
  const own = facts.parts.find(
    ({ value, pointer }) => Object.hasOwn(value, keyword) && !pointer.includes(" "),
  );
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

export function holds(gaps: readonly Gap[]): boolean {
  return gaps.every(({ kind }) => kind === "addition");
}

export function distinct(gaps: readonly Gap[]): Gap[] {
  return [...new Map(gaps.map((gap) => [JSON.stringify(gap), gap])).values()];
}
