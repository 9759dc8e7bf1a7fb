/**
 * Proves that every value of one schema is valid for another. It reports a gap for each keyword without a proof, so that
 * no breaking change is missed.
 */
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type ValueType, valueAt } from "../../openapi/document.ts";
import {
  type Direction,
  placeBelow,
  type SchemaPart,
  type SchemaPlace,
  type SchemaUnion,
} from "../../openapi/schema/schema-view.ts";
import {
  both,
  type Condition,
  type Facts,
  factsOf,
  finiteValues,
  isExtensible,
  kindsOf,
  splitOf,
  typesOf,
} from "../facts.ts";
import { Sameness } from "../sameness.ts";
import type { Unchanged } from "../unchanged.ts";
import { admits, rejectingKeyword } from "./admits.ts";
import { listGaps } from "./array-gaps.ts";
import { areDisjoint } from "./disjoint.ts";
import { distinct, type Gap, gapAt, holds, opaqueGaps, type Proof } from "./gaps.ts";
import { propertyOf } from "./members.ts";
import { notGaps } from "./not-gaps.ts";
import { objectGaps } from "./object-gaps.ts";
import { enumGaps, numberGaps, stringGaps } from "./scalar-gaps.ts";
import { type TextForm, textGaps } from "./text-gaps.ts";

const maxSplits = 5;
const maxNesting = 2;
/** Limits the work for one pair of schemas. Beyond this limit, nothing is proven. */
const maxWork = 20_000;
const maxDepth = 150;

export class Containment implements Proof {
  readonly side: Direction;
  readonly isForward: boolean;
  readonly #sameness: Sameness;
  /** The depth of proofs about excluded values. */
  readonly #nesting: number;
  readonly #known = new Map<string, readonly Gap[]>();
  readonly #open = new Map<string, number>();
  /** The depth of the outermost unfinished pair on which the conclusion depends. */
  #dependsOn = Infinity;
  #work = 0;

  readonly #unchanged: Unchanged;
  readonly #text: TextForm | undefined;
  /** The number of objects around the current value, if its values are sent as text. Objects inside them are JSON. */
  #objects = 0;
  #reversed: Containment | undefined;

  constructor(
    side: Direction,
    isForward: boolean,
    unchanged: Unchanged,
    { text, nesting = 0 }: { readonly text?: TextForm | undefined; readonly nesting?: number } = {},
  ) {
    this.side = side;
    this.isForward = isForward;
    this.#unchanged = unchanged;
    this.#sameness = new Sameness(unchanged);
    this.#text = text;
    this.#nesting = nesting;
  }

  /** Returns an empty list if every value of the first schema is valid for the second. */
  gaps(inner: SchemaPlace, outer: SchemaPlace): readonly Gap[] {
    this.#work = 0;
    return this.within(factsOf(inner), outer);
  }

  get #isText(): boolean {
    return this.#text !== undefined && this.#objects < 2;
  }

  isSame(inner: SchemaPlace, outer: SchemaPlace): boolean {
    return this.#sameness.of(inner, outer);
  }

  /**
   * Like `gaps`, but with exchanged documents: `inner` belongs to the second schema's document, `outer` to the first
   * one's.
   */
  #reversedGaps(inner: SchemaPlace, outer: SchemaPlace): readonly Gap[] | undefined {
    if (this.#nesting >= maxNesting) return undefined;
    this.#reversed ??= new Containment(this.side, !this.isForward, this.#unchanged, {
      text: this.#text,
      nesting: this.#nesting + 1,
    });
    return this.#reversed.gaps(inner, outer);
  }

  isWithinReversed(inner: SchemaPlace, outer: SchemaPlace): boolean {
    return this.#reversedGaps(inner, outer)?.length === 0;
  }

  within(facts: Facts, outer: SchemaPlace, splits = maxSplits): readonly Gap[] {
    if (facts.isNever) return [];
    const [first] = facts.parts;
    if (first !== undefined && isOnePlace(facts, first) && this.isSame(first, outer)) return [];
    const key = `${keyOf(facts)} in ${factsOf(outer).target} ${splits} ${this.#isText}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const depth = this.#open.get(key);
    if (depth !== undefined) {
      // A recursive schema is assumed to be contained until a gap is found elsewhere in it.
      this.#dependsOn = Math.min(this.#dependsOn, depth);
      return [];
    }
    const before = this.#dependsOn;
    this.#dependsOn = Infinity;
    const own = this.#open.size;
    this.#open.set(key, own);
    const gaps = this.#gaps(facts, outer, splits);
    this.#open.delete(key);
    const isSettled = this.#dependsOn >= own;
    if (isSettled || !holds(gaps)) this.#known.set(key, gaps);
    this.#dependsOn = Math.min(before, isSettled ? Infinity : this.#dependsOn);
    return gaps;
  }

  #gaps(facts: Facts, outer: SchemaPlace, splits: number): readonly Gap[] {
    this.#work += 1;
    if (this.#work > maxWork || this.#open.size > maxDepth)
      return [gapAt(facts, outer, "", { isCertain: false })];
    const kinds = kindsOf(facts);
    if (kinds.length === 0) return [];
    const wanted = factsOf(outer);
    if (wanted.isNever) return [gapAt(facts, outer, "", { subject: "anything" })];
    const gaps = kinds.flatMap((kind) => this.#kindGaps({ ...facts, only: kind }, outer, wanted, splits));
    return distinct(gaps);
  }

  #kindGaps(facts: Facts, outer: SchemaPlace, wanted: Facts, splits: number): readonly Gap[] {
    const text =
      this.#isText && this.#text !== undefined ? textGaps(this, facts, outer, this.#text) : undefined;
    if (text !== undefined) return text;
    const values = finiteValues(facts);
    if (values !== undefined) return this.#valueGaps(facts, outer, wanted, values);
    const gaps = wanted.parts.flatMap((part) => this.#partGaps(facts, part, wanted));
    const [union] = facts.unions;
    if (union === undefined || splits === 0) {
      gaps.push(...wanted.unions.flatMap((each) => this.#unionGaps(facts, outer, wanted, each, splits)));
      return gaps;
    }
    // One alternative of the first schema is rarely within several of the second, so each is compared alone.
    if (wanted.unions.length === 0 && holds(gaps)) return gaps;
    const isOne = union.branches.some((branch) => this.isSame(branch, outer));
    return distinct(
      splitOf(facts, union).flatMap((branch) => {
        if (kindsOf(branch).length === 0) return [];
        const own = this.#kindGaps(branch, outer, wanted, splits - 1);
        return isOne && !holds(own) ? [alternativeGap(branch, outer, union.keyword, isRejection(own))] : own;
      }),
    );
  }

  #valueGaps(facts: Facts, outer: SchemaPlace, wanted: Facts, values: readonly Json[]): Gap[] {
    const { side } = this;
    const own = values.filter(
      (value) =>
        facts.parts.every((part) => admits(part, value, side) !== false) &&
        facts.unions.every((union) => union.branches.some((branch) => admits(branch, value, side) !== false)),
    );
    return own.flatMap((value) => {
      const verdict = admits(outer, value, side);
      if (verdict === true) return [];
      if (verdict === undefined && this.#isOfSameFormat(facts, wanted)) return [];
      const [rejecting] = wanted.parts.flatMap((at) => {
        const keyword = rejectingKeyword(at, value, side);
        return keyword === undefined ? [] : [{ at, keyword }];
      });
      const { at, keyword } = rejecting ?? { at: outer, keyword: wanted.unions[0]?.keyword ?? "" };
      const kind = keyword === "enum" && this.#isTolerated(at) ? "addition" : "rejection";
      return [
        gapAt(facts, at, keyword, { subject: JSON.stringify(value), isCertain: verdict === false, kind }),
      ];
    });
  }

  /** True if callers must expect other values, because the older document says so. */
  #isTolerated({ document, value }: SchemaPlace): boolean {
    return this.side === "response" && !this.isForward && isExtensible(document, value);
  }

  /** True if both schemas have the same `format`. The values of an `enum` next to it had this format before. */
  #isOfSameFormat(facts: Facts, wanted: Facts): boolean {
    const formats = wanted.parts.map(({ value }) => value.format).filter((format) => format !== undefined);
    return (
      formats.every((format) => facts.parts.some(({ value }) => value.format === format)) &&
      wanted.unions.length === 0 &&
      wanted.parts.every(
        ({ value }) =>
          value.not === undefined && value.if === undefined && value.contentEncoding === undefined,
      ) &&
      kindsOf(facts).every((kind) => kind === "string")
    );
  }

  #partGaps(facts: Facts, part: SchemaPart, wanted: Facts): Gap[] {
    const kind = facts.only;
    if (kind === undefined || "isAssumed" in part) return [];
    const types = typesOf(part.value);
    if (types !== undefined && !types.includes(kind)) return [gapAt(facts, part, "type", { subject: kind })];
    if (part.value.enum !== undefined) return enumGaps(facts, part);
    if (part.value.const !== undefined) return [gapAt(facts, part, "const", { subject: kind })];
    return [
      ...notGaps(this, facts, part),
      ...opaqueGaps(facts, part, ["xml"]),
      ...this.#ofKind(kind, facts, part, wanted),
    ];
  }

  #ofKind(kind: ValueType, facts: Facts, part: SchemaPart, wanted: Facts): Gap[] {
    if (kind === "number") return numberGaps(facts, part);
    if (kind === "string") return stringGaps(facts, part);
    if (kind === "array") return listGaps(this, facts, part);
    if (kind !== "object") return [];
    this.#objects += 1;
    const gaps = objectGaps(this, facts, part, wanted);
    this.#objects -= 1;
    return gaps;
  }

  #unionGaps(
    facts: Facts,
    outer: SchemaPlace,
    wanted: Facts,
    union: Condition,
    splits: number,
  ): readonly Gap[] {
    const gapsOf = (branch: SchemaPlace): readonly Gap[] => this.within(facts, branch, Math.min(splits, 1));
    if (union.condition !== undefined)
      return this.#conditionGaps(facts, union.condition, union.branches, gapsOf);
    const isLikely = (branch: SchemaPlace): boolean =>
      branch.pointer === facts.target || factsOf(branch).target === facts.target;
    const fits = [...union.branches.filter(isLikely), ...union.branches.filter((each) => !isLikely(each))];
    let overlap = false;
    for (const branch of fits) {
      const gaps = gapsOf(branch);
      if (!holds(gaps)) continue;
      if (union.keyword === "anyOf") return gaps;
      overlap = true;
      if (union.branches.every((other) => other === branch || this.#isExcluded(facts, other))) return gaps;
    }
    // A value of several alternatives has the one that the discriminator selects.
    if (overlap && wanted.parts.some(({ value }) => isObject(value.discriminator))) return [];
    if (overlap) return [gapAt(facts, outer, "oneOf", { kind: "overlap", isCertain: false })];
    const counterpart = this.#counterpartOf(facts, union);
    if (counterpart !== undefined) return gapsOf(counterpart);
    const isCertain = union.branches.every((branch) => isRejection(gapsOf(branch)));
    if (facts.siblings.length > 0) return [alternativeGap(facts, outer, union.keyword, isCertain)];
    return [
      gapAt(facts, outer, union.keyword, {
        subject: nameOf(facts),
        isCertain: isCertain && facts.unions.length === 0,
      }),
    ];
  }

  #conditionGaps(
    facts: Facts,
    { keyword, part, when }: NonNullable<Condition["condition"]>,
    branches: readonly SchemaPlace[],
    gapsOf: (branch: SchemaPlace) => readonly Gap[],
  ): readonly Gap[] {
    // The proof of the object's keywords covers dependencies.
    if (when === undefined || branches.some((branch) => gapsOf(branch).length === 0)) return [];
    const consequence = placeBelow(part, keyword);
    if (this.within(both(facts, factsOf(when)), consequence, 1).length === 0) return [];
    return [gapAt(facts, part, keyword, { isCertain: false })];
  }

  /** The branch of the union that corresponds to the schema. Its gaps explain more than those of the whole union. */
  #counterpartOf(facts: Facts, union: SchemaUnion): SchemaPlace | undefined {
    const name = componentOf(facts);
    const named = union.branches.find(
      (branch) => name !== undefined && componentOf(factsOf(branch)) === name,
    );
    if (named !== undefined) return named;
    const changed = union.branches.filter(
      (branch) =>
        kindsOf({ ...factsOf(branch), only: facts.only }).length > 0 &&
        !facts.siblings.some((sibling) => this.isSame(sibling, branch)),
    );
    if (facts.siblings.length === 0) return changed.length === 1 ? changed[0] : undefined;
    const isLike = (a: Facts, b: SchemaPlace): boolean => !areDisjoint(this.side, a, factsOf(b));
    const [like, ...others] = changed.filter((branch) => isLike(facts, branch));
    if (like === undefined || others.length > 0) return undefined;
    const rivals = facts.siblings.filter(
      (sibling) =>
        sibling.pointer !== facts.origin &&
        !union.branches.some((branch) => this.isSame(sibling, branch)) &&
        isLike(factsOf(like), sibling),
    );
    return rivals.length === 0 ? like : undefined;
  }

  #isExcluded(facts: Facts, branch: SchemaPlace): boolean {
    if (areDisjoint(this.side, facts, factsOf(branch))) return true;
    if (facts.excluded.length === 0) return false;
    // The documents are exchanged here, because the branch is part of the second schema, and `each` of the first.
    return facts.excluded.some((each) =>
      this.#reversedGaps(branch, each)?.every((gap) => this.#isHarmless(gap, facts, each)),
    );
  }

  /** True if the gap is only a property that was added to both schemas. It adds no value that is valid for both. */
  #isHarmless({ kind, outer, subject }: Gap, facts: Facts, excluded: SchemaPlace): boolean {
    const whole = factsOf(excluded);
    if (kind !== "addition" || subject === undefined || !whole.parts.some(({ pointer }) => pointer === outer))
      return false;
    const own = propertyOf(facts, subject, this.side);
    const theirs = propertyOf(whole, subject, this.side);
    return (
      !own.declared || own.facts.target === theirs.facts.target || haveSameParts(own.facts, theirs.facts)
    );
  }
}

function alternativeGap(facts: Facts, outer: SchemaPlace, keyword: string, isRejected: boolean): Gap {
  const { origin: inner, only } = facts;
  const name = componentOf(facts);
  const schema = valueAt(facts.parts[0]?.document, inner);
  const subject = name === undefined ? JSON.stringify(schema) : `\`${name}\``;
  const isCertain = isRejected && facts.unions.length === 0;
  // Callers do not see null as an alternative, so the report only says whether null is allowed.
  if (only === "null") return gapAt(facts, outer, keyword, { subject: only, isCertain });
  return { inner, outer: outer.pointer, isUnstated: false, keyword, subject, isCertain, kind: "alternative" };
}

/** True if it is certain that some value is rejected. */
function isRejection(gaps: readonly Gap[]): boolean {
  return gaps.some(({ isCertain, kind }) => isCertain && kind !== "addition" && kind !== "removal");
}

function isOnePlace(facts: Facts, first: SchemaPart): boolean {
  const own = factsOf(first);
  return (
    facts.only === undefined &&
    facts.excluded.length === 0 &&
    own.parts.length === facts.parts.length &&
    own.unions.length === facts.unions.length
  );
}

function haveSameParts(a: Facts, b: Facts): boolean {
  return (
    a.unions.length + b.unions.length === 0 &&
    isDeepStrictEqual(
      a.parts.map(({ value }) => value),
      b.parts.map(({ value }) => value),
    )
  );
}

function keyOf({ parts, unions, excluded, only, target }: Facts): string {
  const pointers = (places: readonly SchemaPlace[]): string => places.map(({ pointer }) => pointer).join(" ");
  const cases = unions.map(({ branches }) => branches[0]?.pointer).join(" ");
  return `${target} ${only}: ${pointers(parts)} | ${cases} | ${pointers(excluded)}`;
}

function nameOf(facts: Facts): string | undefined {
  return componentOf(facts) ?? facts.only;
}

function componentOf({ target }: Facts): string | undefined {
  return /^\/components\/schemas\/([^/]+)$/.exec(target)?.[1];
}
