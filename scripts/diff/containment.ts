/**
 * Shows that every value that fits one schema fits another, keyword by keyword, or names the keywords for which that
 * cannot be shown. It never says yes without proof, so that what it lets pass breaks nobody.
 */
import { entriesOf, isObject, type Json, localPointer, pointerTo, valueAt } from "../generate/document.ts";
import { admits, isMultiple, looseFormats } from "./admits.ts";
import {
  below,
  both,
  boundsOf,
  elementOf,
  type Facts,
  factsOf,
  finiteValues,
  isBoundFormat,
  isEqual,
  isEvaluable,
  isHidden,
  isIntegral,
  itemCount,
  type Kind,
  kindsOf,
  lengthOf,
  listOf,
  matches,
  numberOf,
  numberRange,
  onlyIntegers,
  otherProperties,
  type Part,
  type Place,
  prefixLength,
  propertyCount,
  propertyNames,
  propertyOf,
  requiredNames,
  type Side,
  splitOf,
  textsOf,
  typesOf,
  type Union,
} from "./facts.ts";
import { isAnnotation } from "./keywords.ts";
import { patternsImply } from "./patterns.ts";
import { Sameness } from "./sameness.ts";

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

const maxSplits = 5;
const maxDisjointDepth = 5;
const maxNesting = 2;
/** Beyond this, nothing is shown: a schema that needs more is told apart by hand. */
const maxWork = 20_000;
const maxDepth = 150;
/** Formats of which every text is one of the other format too (RFC 3986, 3987, 5321, 6531, 1123, 5890). */
const widerFormats: { readonly [format: string]: readonly string[] } = {
  uri: ["uri-reference", "iri", "iri-reference"],
  "uri-reference": ["iri-reference"],
  iri: ["iri-reference"],
  email: ["idn-email"],
  hostname: ["idn-hostname"],
};
const opaqueKeywords = ["contentEncoding", "contentMediaType", "contentSchema"];

/** True where nothing in the list refuses a value. */
export function holds(gaps: readonly Gap[]): boolean {
  return gaps.every(({ kind }) => kind === "addition");
}

export class Containment {
  readonly #question: Question;
  readonly #sameness: Sameness;
  /** How many proofs about excluded values this one is part of. */
  readonly #nesting: number;
  readonly #known = new Map<string, readonly Gap[]>();
  readonly #open = new Map<string, number>();
  /** The outermost open pair that a conclusion leans on. */
  #leansOn = Infinity;
  #work = 0;

  constructor(question: Question, sameness = new Sameness(), nesting = 0) {
    this.#question = question;
    this.#sameness = sameness;
    this.#nesting = nesting;
  }

  /** The gaps between two schemas; none where all that fits the first fits the second. */
  gaps(inner: Place, outer: Place): readonly Gap[] {
    this.#work = 0;
    return this.#placeGaps(inner, outer);
  }

  #placeGaps(inner: Place, outer: Place): readonly Gap[] {
    return this.#sameness.of(inner, outer) ? [] : this.#within(factsOf(inner), outer);
  }

  /** The gaps where the first schema is of the document that the second ones are of, and the reverse. */
  #reversedGaps(inner: Place, outer: Place): readonly Gap[] | undefined {
    if (this.#nesting >= maxNesting) return undefined;
    const question = { side: this.#question.side, isForward: !this.#question.isForward };
    return new Containment(question, new Sameness(), this.#nesting + 1).gaps(inner, outer);
  }

  #isWithinReversed(inner: Place, outer: Place): boolean {
    return this.#reversedGaps(inner, outer)?.length === 0;
  }

  #within(facts: Facts, outer: Place, splits = maxSplits): readonly Gap[] {
    if (facts.never) return [];
    const [first] = facts.parts;
    if (first !== undefined && isOnePlace(facts, first) && this.#sameness.of(first, outer)) return [];
    const key = `${keyOf(facts)} in ${factsOf(outer).target} ${splits}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const depth = this.#open.get(key);
    if (depth !== undefined) {
      // Of schemas that hold themselves: contained unless a gap is found elsewhere in them.
      this.#leansOn = Math.min(this.#leansOn, depth);
      return [];
    }
    const before = this.#leansOn;
    this.#leansOn = Infinity;
    const own = this.#open.size;
    this.#open.set(key, own);
    const gaps = this.#gaps(facts, outer, splits);
    this.#open.delete(key);
    const isSettled = this.#leansOn >= own;
    if (isSettled || !holds(gaps)) this.#known.set(key, gaps);
    this.#leansOn = Math.min(before, isSettled ? Infinity : this.#leansOn);
    return gaps;
  }

  #gaps(facts: Facts, outer: Place, splits: number): readonly Gap[] {
    this.#work += 1;
    if (this.#work > maxWork || this.#open.size > maxDepth)
      return [this.#gap(facts, outer, "", { isCertain: false })];
    const kinds = kindsOf(facts);
    if (kinds.length === 0) return [];
    const wanted = factsOf(outer);
    if (wanted.never) return [this.#gap(facts, outer, "", { subject: "anything" })];
    const gaps = kinds.flatMap((kind) => this.#kindGaps({ ...facts, only: kind }, outer, wanted, splits));
    return distinct(gaps);
  }

  #kindGaps(facts: Facts, outer: Place, wanted: Facts, splits: number): readonly Gap[] {
    const values = finiteValues(facts);
    if (values !== undefined) return this.#valueGaps(facts, outer, wanted, values);
    const gaps = wanted.parts.flatMap((part) => this.#partGaps(facts, part, wanted));
    gaps.push(...wanted.unions.flatMap((union) => this.#unionGaps(facts, outer, union, splits)));
    if (holds(gaps)) return gaps;
    const [union] = facts.unions;
    if (union === undefined || splits === 0) return gaps;
    return distinct(
      splitOf(facts, union).flatMap((branch) =>
        kindsOf(branch).length === 0 ? [] : this.#kindGaps(branch, outer, wanted, splits - 1),
      ),
    );
  }

  #gap(facts: Facts, outer: Place, keyword: string, more: Partial<Gap> = {}): Gap {
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

  #valueGaps(facts: Facts, outer: Place, wanted: Facts, values: readonly Json[]): Gap[] {
    const { side } = this.#question;
    // What the other keywords or the unions of the first schema refuse is none of its values.
    const own = values.filter(
      (value) =>
        facts.parts.every((part) => admits(part, value, side) !== false) &&
        facts.unions.every((union) => union.branches.some((branch) => admits(branch, value, side) !== false)),
    );
    return own.flatMap((value) => {
      const verdict = admits(outer, value, side);
      if (verdict === true) return [];
      if (verdict === undefined && this.#isOfSameFormat(facts, wanted)) return [];
      const at = wanted.parts.find((part) => refuses(part, value, side)) ?? outer;
      const keyword = isObject(at.value) ? refusingKeyword(at.value, value) : "";
      const subject = JSON.stringify(value);
      return [this.#gap(facts, at, keyword, { subject, isCertain: verdict === false })];
    });
  }

  /** An `enum` beside a `format` that is kept: that its values are of the format was said before. */
  #isOfSameFormat(facts: Facts, wanted: Facts): boolean {
    const formats = wanted.parts.map(({ value }) => value.format).filter((format) => format !== undefined);
    return (
      formats.every((format) => facts.parts.some(({ value }) => value.format === format)) &&
      wanted.unions.length === 0 &&
      wanted.parts.every(
        ({ value }) =>
          value.not === undefined &&
          value.if === undefined &&
          value.$dynamicRef === undefined &&
          value.contentEncoding === undefined,
      ) &&
      kindsOf(facts).every((kind) => kind === "string")
    );
  }

  #partGaps(facts: Facts, part: Part, wanted: Facts): Gap[] {
    const kind = facts.only;
    if (kind === undefined) return [];
    const types = typesOf(part.value);
    if (types !== undefined && !types.includes(kind))
      return [this.#gap(facts, part, "type", { subject: kind })];
    if (part.value.enum !== undefined) return [this.#gap(facts, part, "enum", { subject: kind })];
    if (part.value.const !== undefined) return [this.#gap(facts, part, "const", { subject: kind })];
    return [...this.#logicGaps(facts, part), ...this.#ofKind(kind, facts, part, wanted)];
  }

  #ofKind(kind: Kind, facts: Facts, part: Part, wanted: Facts): Gap[] {
    if (kind === "number") return this.#numberGaps(facts, part);
    if (kind === "string") return this.#textGaps(facts, part);
    if (kind === "array") return this.#listGaps(facts, part);
    return kind === "object" ? this.#objectGaps(facts, part, wanted) : [];
  }

  #unionGaps(facts: Facts, outer: Place, union: Union, splits: number): readonly Gap[] {
    const tries = union.branches.map((branch) => this.#within(facts, branch, Math.min(splits, 1)));
    const additions = tries.find((gaps) => holds(gaps));
    if (union.keyword === "anyOf") {
      if (additions !== undefined) return additions;
    } else {
      for (const [index, gaps] of tries.entries()) {
        if (!holds(gaps)) continue;
        const others = union.branches.filter((_, other) => other !== index);
        if (others.every((other) => this.#isExcluded(facts, other))) return gaps;
      }
      if (additions !== undefined) return [this.#gap(facts, outer, "oneOf", { isCertain: false })];
    }
    // The reader of a report wants the counterpart's gap, where there is a counterpart.
    const names = union.branches.map((branch) => factsOf(branch).target.split("/").at(-1));
    const counterpart = tries[names.indexOf(facts.target.split("/").at(-1))];
    if (counterpart !== undefined && facts.target.startsWith("/components/schemas/")) return counterpart;
    const isSoleKind =
      facts.only !== undefined &&
      union.branches.filter((branch) => kindsOf({ ...factsOf(branch), only: facts.only }).length > 0)
        .length === 1;
    if (isSoleKind) {
      const index = union.branches.findIndex(
        (branch) => kindsOf({ ...factsOf(branch), only: facts.only }).length > 0,
      );
      return tries[index] ?? [];
    }
    const isCertain = tries.every((gaps) => gaps.some((gap) => gap.isCertain && gap.kind === "refusal"));
    return [
      this.#gap(facts, outer, union.keyword, {
        subject: nameOf(facts),
        isCertain: isCertain && facts.unions.length === 0,
      }),
    ];
  }

  #isExcluded(facts: Facts, branch: Place): boolean {
    if (this.#areDisjoint(facts, factsOf(branch), maxDisjointDepth)) return true;
    if (facts.excluded.length === 0) return false;
    // The roles change: the branch is of the second schema, what is excluded is of the first.
    return facts.excluded.some((each) =>
      this.#reversedGaps(branch, each)?.every((gap) => this.#isHarmless(gap, facts, each)),
    );
  }

  /** A property that was added alike to what is excluded and to what is looked at tells the two no further apart. */
  #isHarmless({ kind, outer, subject }: Gap, facts: Facts, excluded: Place): boolean {
    const whole = factsOf(excluded);
    if (kind !== "addition" || subject === undefined || !whole.parts.some(({ pointer }) => pointer === outer))
      return false;
    const own = propertyOf(facts, subject, this.#question.side);
    const theirs = propertyOf(whole, subject, this.#question.side);
    return (
      !own.declared || own.facts.target === theirs.facts.target || haveSameParts(own.facts, theirs.facts)
    );
  }

  #areDisjoint(a: Facts, b: Facts, depth: number): boolean {
    if (a.never || b.never) return true;
    if (depth === 0) return false;
    const kinds = kindsOf(a).filter((kind) => kindsOf(b).includes(kind));
    return kinds.every((kind) => {
      const left = { ...a, only: kind };
      const right = { ...b, only: kind };
      return (
        this.#valuesApart(left, right) ||
        this.#valuesApart(right, left) ||
        this.#rangesApart(left, right) ||
        (kind === "object" && this.#propertiesApart(left, right, depth - 1)) ||
        this.#casesApart(left, right, depth - 1) ||
        this.#casesApart(right, left, depth - 1)
      );
    });
  }

  #valuesApart(a: Facts, b: Facts): boolean {
    const { side } = this.#question;
    const values = finiteValues(a);
    if (values === undefined) return false;
    const listed = finiteValues(b);
    return values.every(
      (value) =>
        (listed !== undefined && !listed.some((each) => isEqual(each, value))) ||
        b.parts.some((part) => admits(part, value, side) === false),
    );
  }

  #rangesApart(a: Facts, b: Facts): boolean {
    if (a.only === "number") {
      const [left, right] = [numberRange(a), numberRange(b)];
      return left.upper.value < right.lower.value || right.upper.value < left.lower.value;
    }
    const range = a.only === "string" ? lengthOf : a.only === "array" ? itemCount : undefined;
    if (range === undefined) return false;
    const [left, right] = [range(a), range(b)];
    return left.most < right.least || right.most < left.least;
  }

  #propertiesApart(a: Facts, b: Facts, depth: number): boolean {
    const { side } = this.#question;
    const names = [...requiredNames(a, side), ...requiredNames(b, side)];
    return names.some((name) =>
      this.#areDisjoint(propertyOf(a, name, side).facts, propertyOf(b, name, side).facts, depth),
    );
  }

  #casesApart(a: Facts, b: Facts, depth: number): boolean {
    const [union] = a.unions;
    return union !== undefined && splitOf(a, union).every((each) => this.#areDisjoint(each, b, depth));
  }

  #logicGaps(facts: Facts, part: Part): Gap[] {
    const gaps: Gap[] = [];
    const kept = (keyword: string): boolean =>
      facts.parts.some(
        (own) =>
          own.value[keyword] !== undefined && this.#sameness.of(below(own, keyword), below(part, keyword)),
      );
    if (part.value.not !== undefined) {
      const refused = below(part, "not");
      const isKept =
        kept("not") ||
        facts.parts.some(
          (own) => own.value.not !== undefined && this.#isWithinReversed(refused, below(own, "not")),
        ) ||
        this.#areDisjoint(facts, factsOf(refused), maxDisjointDepth);
      if (!isKept) gaps.push(this.#gap(facts, part, "not", { isCertain: false }));
    }
    if (part.value.if !== undefined) gaps.push(...this.#conditionGaps(facts, part));
    if (part.value.$dynamicRef !== undefined) {
      const isKept = facts.parts.some(({ value }) => value.$dynamicRef === part.value.$dynamicRef);
      if (!isKept) gaps.push(this.#gap(facts, part, "$dynamicRef", { isCertain: false }));
    }
    if (part.value.xml !== undefined && !facts.parts.some(({ value }) => isEqual(value.xml, part.value.xml)))
      gaps.push(this.#gap(facts, part, "xml", { isCertain: false }));
    return gaps;
  }

  #conditionGaps(facts: Facts, part: Part): Gap[] {
    return (["then", "else"] as const).flatMap((keyword) => {
      if (part.value[keyword] === undefined) return [];
      const wanted = below(part, keyword);
      // Whenever the condition is met here, it is met there: for `else` the reverse.
      const same = facts.parts.find((own) => {
        if (own.value.if === undefined) return false;
        const [there, here] = [below(own, "if"), below(part, "if")];
        if (this.#sameness.of(there, here)) return true;
        return keyword === "then"
          ? this.#isWithinReversed(here, there)
          : this.#placeGaps(there, here).length === 0;
      });
      const known = same?.value[keyword] === undefined ? undefined : factsOf(below(same, keyword));
      if (this.#condition(known === undefined ? facts : both(facts, known), wanted)) return [];
      // With `if` itself known to hold in this case.
      if (keyword === "then" && this.#condition(both(facts, factsOf(below(part, "if"))), wanted)) return [];
      return [this.#gap(facts, part, keyword, { isCertain: false })];
    });
  }

  #condition(facts: Facts, wanted: Place): boolean {
    return this.#within(facts, wanted, 1).length === 0;
  }

  #numberGaps(facts: Facts, part: Part): Gap[] {
    const gaps: Gap[] = [];
    const integral = isIntegral(facts);
    if (onlyIntegers(part.value) && !integral)
      gaps.push(
        this.#gap(facts, part, part.value.multipleOf === undefined ? "type" : "multipleOf", {
          subject: "number",
        }),
      );
    const { lower, upper } = numberRange(facts);
    const bounds = boundsOf(part.value);
    for (const [keyword, { value, exclusive }] of bounds.lower) {
      const first = integral && !exclusive ? Math.ceil(value) : value;
      if (lower.value < first || (lower.value === value && exclusive && !lower.exclusive))
        gaps.push(this.#gap(facts, part, keyword));
    }
    for (const [keyword, { value, exclusive }] of bounds.upper) {
      const last = integral && !exclusive ? Math.floor(value) : value;
      if (upper.value > last || (upper.value === value && exclusive && !upper.exclusive))
        gaps.push(this.#gap(facts, part, keyword));
    }
    const step = numberOf(part.value.multipleOf);
    if (step !== undefined) {
      const steps = facts.parts
        .map(({ value }) => numberOf(value.multipleOf))
        .filter((own) => own !== undefined);
      if (integral) steps.push(1);
      if (!steps.some((own) => isMultiple(own, step))) gaps.push(this.#gap(facts, part, "multipleOf"));
    }
    return distinct([...gaps, ...this.#formatGaps(facts, part)]);
  }

  #formatGaps(facts: Facts, part: Part): Gap[] {
    const { format } = part.value;
    if (typeof format !== "string" || looseFormats.has(format) || isBoundFormat(format)) return [];
    const isKept = facts.parts.some(({ value: { format: own } }) => {
      if (typeof own !== "string") return false;
      const wider = Object.hasOwn(widerFormats, own) ? widerFormats[own] : undefined;
      return own === format || wider?.includes(format) === true;
    });
    return isKept ? [] : [this.#gap(facts, part, "format", { isCertain: false })];
  }

  #textGaps(facts: Facts, part: Part): Gap[] {
    const gaps = this.#formatGaps(facts, part);
    const { minLength, maxLength, pattern } = part.value;
    const length = lengthOf(facts);
    const patterns = facts.parts.map(({ value }) => value.pattern).filter((own) => typeof own === "string");
    const least = numberOf(minLength) ?? 0;
    const most = numberOf(maxLength) ?? Infinity;
    if (length.least < least && !impliesLength(patterns, least, Infinity))
      gaps.push(this.#gap(facts, part, "minLength"));
    if (length.most > most && !impliesLength(patterns, 0, most))
      gaps.push(this.#gap(facts, part, "maxLength"));
    if (typeof pattern === "string" && !patterns.includes(pattern)) {
      const verdict = patternsImply([...patterns, ...lengthPatterns(length.least, length.most)], pattern);
      if (verdict !== true) {
        const isCertain = verdict === false && facts.parts.every(({ value }) => value.format === undefined);
        gaps.push(this.#gap(facts, part, "pattern", { isCertain }));
      }
    }
    for (const keyword of opaqueKeywords) {
      const wanted = part.value[keyword];
      if (wanted !== undefined && !facts.parts.some(({ value }) => isEqual(value[keyword], wanted)))
        gaps.push(this.#gap(facts, part, keyword, { isCertain: false }));
    }
    return gaps;
  }

  #listGaps(facts: Facts, part: Part): Gap[] {
    const gaps: Gap[] = [];
    const { minItems, maxItems, uniqueItems, contains, items } = part.value;
    const count = itemCount(facts);
    if (count.least < (numberOf(minItems) ?? 0)) gaps.push(this.#gap(facts, part, "minItems"));
    if (count.most > (numberOf(maxItems) ?? Infinity)) gaps.push(this.#gap(facts, part, "maxItems"));
    const isUnique = count.most <= 1 || facts.parts.some(({ value }) => value.uniqueItems === true);
    if (uniqueItems === true && !isUnique) gaps.push(this.#gap(facts, part, "uniqueItems"));
    const prefix = listOf(part, "prefixItems");
    for (const [index, wanted] of prefix.entries()) {
      if (index < count.most) gaps.push(...this.#elementGaps(facts, index, wanted));
    }
    if (items !== undefined)
      gaps.push(...this.#restGaps(facts, prefix.length, below(part, "items"), count.most));
    if (part.value.unevaluatedItems !== undefined)
      gaps.push(...this.#unevaluatedItemGaps(facts, part, count.most));
    if (contains !== undefined) gaps.push(...this.#containsGaps(facts, part));
    return distinct(gaps);
  }

  #elementGaps(facts: Facts, index: number, wanted: Place): readonly Gap[] {
    return this.#within(elementOf(facts, index), wanted);
  }

  #restGaps(facts: Facts, from: number, wanted: Place, end: number): Gap[] {
    const last = Math.max(from, prefixLength(facts));
    const gaps: Gap[] = [];
    for (let index = from; index <= last && index < end; index += 1)
      gaps.push(...this.#elementGaps(facts, index, wanted));
    return gaps;
  }

  #unevaluatedItemGaps(facts: Facts, part: Part, end: number): Gap[] {
    const group = factsOf(part);
    if (isEvaluable(part) && group.parts.every(({ value }) => value.contains === undefined)) {
      if (group.parts.some(({ value }) => value.items !== undefined)) return [];
      return this.#restGaps(facts, prefixLength(group), below(part, "unevaluatedItems"), end);
    }
    return this.#wholeGaps(facts, part, "unevaluatedItems");
  }

  /** For keywords that look at all others: kept only where the whole schema is. */
  #wholeGaps(facts: Facts, part: Part, keyword: string): Gap[] {
    const isKept = facts.parts.some((own) => this.#sameness.of(own, part));
    return isKept ? [] : [this.#gap(facts, part, keyword, { isCertain: false })];
  }

  #containsGaps(facts: Facts, part: Part): Gap[] {
    const wanted = below(part, "contains");
    const least = numberOf(part.value.minContains) ?? 1;
    const most = numberOf(part.value.maxContains);
    const count = itemCount(facts);
    const gaps: Gap[] = [];
    const own = facts.parts.filter(({ value }) => value.contains !== undefined);
    const isKept =
      least === 0 ||
      own.some(
        (each) =>
          (numberOf(each.value.minContains) ?? 1) >= least &&
          this.#placeGaps(below(each, "contains"), wanted).length === 0,
      ) ||
      (count.least >= least &&
        [...Array(prefixLength(facts) + 1).keys()].every(
          (index) => this.#within(elementOf(facts, index), wanted).length === 0,
        ));
    if (!isKept) {
      const keyword = part.value.minContains === undefined ? "contains" : "minContains";
      gaps.push(this.#gap(facts, part, keyword));
    }
    if (most === undefined || count.most <= most) return gaps;
    const isCapped = own.some(
      (each) =>
        (numberOf(each.value.maxContains) ?? Infinity) <= most &&
        this.#isWithinReversed(wanted, below(each, "contains")),
    );
    if (!isCapped) gaps.push(this.#gap(facts, part, "maxContains"));
    return gaps;
  }

  #objectGaps(facts: Facts, part: Part, wanted: Facts): Gap[] {
    const { side } = this.#question;
    const count = propertyCount(facts, side);
    const gaps: Gap[] = [];
    const { minProperties, maxProperties } = part.value;
    if (count.least < (numberOf(minProperties) ?? 0)) gaps.push(this.#gap(facts, part, "minProperties"));
    if (count.most > (numberOf(maxProperties) ?? Infinity))
      gaps.push(this.#gap(facts, part, "maxProperties"));
    gaps.push(
      ...this.#requiredGaps(facts, part, wanted),
      ...this.#propertyGaps(facts, part),
      ...this.#patternPropertyGaps(facts, part),
      ...this.#additionalGaps(facts, part),
      ...this.#nameGaps(facts, part),
      ...this.#dependentGaps(facts, part, wanted),
      ...this.#discriminatorGaps(facts, part),
    );
    return distinct(gaps);
  }

  #requiredGaps(facts: Facts, part: Part, wanted: Facts): Gap[] {
    const { side } = this.#question;
    const known = requiredNames(facts, side);
    return textsOf(part.value.required)
      .filter((name) => !known.has(name) && !isHidden(propertyOf(wanted, name, side).facts, side))
      .map((name) => this.#gap(facts, part, "required", { subject: name }));
  }

  #propertyGaps(facts: Facts, part: Part): Gap[] {
    const { side, isForward } = this.#question;
    return entriesOf(part.value.properties).flatMap(([name]): readonly Gap[] => {
      const wanted = below(part, "properties", name);
      const own = propertyOf(facts, name, side);
      const isNever = own.facts.never;
      const isWantedHidden = isHidden(factsOf(wanted), side);
      const isWantedNever = factsOf(wanted).never || isWantedHidden;
      const at = { ...wanted, pointer: part.pointer };
      // A caller that reads a property misses it also where nothing forbids it.
      const isUnsaid = !own.declared && (side === "received" || own.facts.parts.length === 0);
      if (!isForward && !isWantedNever && (isNever || isUnsaid))
        return side === "sent" && isNever
          ? []
          : [this.#gap(facts, at, "properties", { subject: name, kind: "removal" })];
      if (isNever) return isForward && !isWantedNever ? [this.#addition(facts, at, name)] : [];
      if (isForward && !own.declared && isOpen(facts) && isRecord(facts))
        return [this.#addition(facts, at, name, isAnything(wanted))];
      // What was never written, and is now, is as new as a property that was never named.
      if (isWantedHidden && !isForward) return [];
      if (isWantedNever) {
        const keyword = side === "sent" ? "readOnly" : "writeOnly";
        return [this.#gap(own.facts, wanted, keyword, { subject: name })];
      }
      return this.#within(own.facts, wanted);
    });
  }

  /**
   * Who sent the property before it was named, as they liked, may be refused now. To name one more is still called
   * compatible: it is how interfaces grow, and an alarm at each would hide those that matter. The report says it.
   */
  #addition(facts: Facts, at: Place, name: string, isCertain = true): Gap {
    return this.#gap(facts, at, "properties", { subject: name, kind: "addition", isCertain });
  }

  #patternPropertyGaps(facts: Facts, part: Part): Gap[] {
    const { side } = this.#question;
    return entriesOf(part.value.patternProperties).flatMap(([pattern]) => {
      const wanted = below(part, "patternProperties", pattern);
      const known = [...propertyNames(facts)].filter((name) => matches(pattern, name) !== false);
      const gaps = known.flatMap((name) => this.#within(propertyOf(facts, name, side).facts, wanted));
      const patterns = facts.parts.flatMap((own) =>
        entriesOf(own.value.patternProperties).map(([each]) => ({
          each,
          at: below(own, "patternProperties", each),
        })),
      );
      for (const { at } of patterns) gaps.push(...this.#within(factsOf(at), wanted));
      const isCovered = patterns.some(
        ({ each }) => each === pattern || patternsImply([pattern], each) === true,
      );
      if (!isCovered) gaps.push(...this.#openGaps(facts, part, "patternProperties", wanted));
      return gaps;
    });
  }

  #openGaps(facts: Facts, part: Part, keyword: string, wanted: Place): readonly Gap[] {
    const others = otherProperties(facts);
    if (others.never) return [];
    if (others.parts.length > 0) return this.#within(others, wanted);
    const isRefused = this.#within(others, wanted, 1).length > 0;
    return isRefused ? [this.#gap(facts, part, keyword)] : [];
  }

  #additionalGaps(facts: Facts, part: Part): Gap[] {
    const { additionalProperties, unevaluatedProperties } = part.value;
    const gaps =
      additionalProperties === undefined
        ? []
        : this.#undeclaredGaps(
            facts,
            part,
            "additionalProperties",
            factsOf({ ...part, value: { ...part.value, allOf: [], $ref: "" } }),
          );
    if (unevaluatedProperties === undefined) return gaps;
    if (!isEvaluable(part)) return [...gaps, ...this.#wholeGaps(facts, part, "unevaluatedProperties")];
    const group = factsOf(part);
    if (group.parts.some(({ value }) => value.additionalProperties !== undefined)) return gaps;
    return [...gaps, ...this.#undeclaredGaps(facts, part, "unevaluatedProperties", group)];
  }

  /** @param declaring the parts whose properties the keyword leaves alone */
  #undeclaredGaps(facts: Facts, part: Part, keyword: string, declaring: Facts): Gap[] {
    const { side } = this.#question;
    const wanted = below(part, keyword);
    const isForbidding = factsOf(wanted).never;
    const gaps: Gap[] = [];
    for (const name of propertyNames(facts)) {
      if (propertyOf(declaring, name, side).declared) continue;
      const own = propertyOf(facts, name, side).facts;
      if (own.never) continue;
      if (isForbidding) gaps.push(this.#gap(own, part, keyword, { subject: name }));
      else gaps.push(...this.#within(own, wanted));
    }
    for (const own of facts.parts) {
      for (const [pattern] of entriesOf(own.value.patternProperties)) {
        const isLeftAlone = declaring.parts.some(({ value }) =>
          entriesOf(value.patternProperties).some(
            ([each]) => each === pattern || patternsImply([pattern], each) === true,
          ),
        );
        if (!isLeftAlone)
          gaps.push(...this.#within(factsOf(below(own, "patternProperties", pattern)), wanted));
      }
    }
    return [...gaps, ...this.#openGaps(facts, part, keyword, wanted)];
  }

  #nameGaps(facts: Facts, part: Part): Gap[] {
    if (part.value.propertyNames === undefined) return [];
    const wanted = below(part, "propertyNames");
    const { side } = this.#question;
    const isClosed =
      otherProperties(facts).never && facts.parts.every(({ value }) => value.patternProperties === undefined);
    if (isClosed) {
      const names = [...propertyNames(facts)].filter((name) => !propertyOf(facts, name, side).facts.never);
      if (names.every((name) => admits(wanted, name, side) === true)) return [];
    }
    const places = facts.parts
      .filter(({ value }) => value.propertyNames !== undefined)
      .map((own) => below(own, "propertyNames"));
    const own = factsOf(...places);
    const names: Facts = { ...own, origin: places[0]?.pointer ?? facts.origin, only: "string" };
    return [...this.#within(names, wanted, 1)];
  }

  #dependentGaps(facts: Facts, part: Part, whole: Facts): Gap[] {
    const { side, isForward } = this.#question;
    const isNew = (name: string): boolean => {
      const own = propertyOf(facts, name, side);
      const isAdded = isForward && !own.declared && propertyOf(whole, name, side).declared;
      return own.facts.never || (isAdded && isOpen(facts) && isRecord(facts));
    };
    const withProperty = (name: string): Facts => {
      const value = { required: [name] };
      const known = facts.parts.flatMap((own) =>
        isObject(own.value.dependentSchemas) && own.value.dependentSchemas[name] !== undefined
          ? [below(own, "dependentSchemas", name)]
          : [],
      );
      const extra = factsOf(...known);
      return {
        ...both(facts, extra),
        parts: [...facts.parts, ...extra.parts, { ...part, pointer: `${part.pointer} with ${name}`, value }],
      };
    };
    const required = entriesOf(part.value.dependentRequired).flatMap(([name, entailed]) => {
      if (isNew(name)) return [];
      const known = requiredNames(withProperty(name), side);
      return textsOf(entailed)
        .filter((each) => !known.has(each))
        .map((each) => this.#gap(facts, part, "dependentRequired", { subject: each }));
    });
    const schemas = entriesOf(part.value.dependentSchemas).flatMap(([name]) => {
      if (isNew(name)) return [];
      const wanted = below(part, "dependentSchemas", name);
      return this.#within({ ...withProperty(name), only: "object" }, wanted, 1);
    });
    return [...required, ...schemas];
  }

  #discriminatorGaps(facts: Facts, part: Part): Gap[] {
    const { discriminator } = part.value;
    if (!isObject(discriminator)) return [];
    const isKept = facts.parts.some((own) => {
      const { discriminator: each } = own.value;
      return (
        isObject(each) &&
        each.propertyName === discriminator.propertyName &&
        entriesOf(each.mapping).every(
          ([tag]) => discriminator.mapping === undefined || this.#isTagKept(own, part, tag),
        )
      );
    });
    if (isKept || this.#isTold(part, String(discriminator.propertyName))) return [];
    return [this.#gap(facts, part, "discriminator", { isCertain: false })];
  }

  /** A tag selects the schema that it selected before. */
  #isTagKept(own: Part, part: Part, tag: string): boolean {
    const [was, is] = [taggedBy(own, tag), taggedBy(part, tag)];
    return (
      is !== undefined && (was?.pointer === is.pointer || (was !== undefined && this.#sameness.of(was, is)))
    );
  }

  /** Each branch itself requires the tag, and admits only those values of it that the discriminator has for it. */
  #isTold(part: Part, name: string): boolean {
    const { side } = this.#question;
    const union = factsOf(part).unions.find(({ branches }) =>
      branches.every((branch) => isObject(branch.value) && typeof branch.value.$ref === "string"),
    );
    if (union === undefined) return false;
    return union.branches.every((branch) => {
      const facts = factsOf(branch);
      const values = finiteValues(propertyOf(facts, name, side).facts);
      return (
        requiredNames(facts, side).has(name) &&
        values?.every((value) => {
          const selected = typeof value === "string" ? taggedBy(part, value) : undefined;
          return selected?.pointer === facts.target;
        })
      );
    });
  }
}

/** The schema that a discriminator means by a value: by its mapping, or else the component of this name. */
function taggedBy({ spec, value }: Part, tag: string): Place | undefined {
  const mapping = isObject(value.discriminator) ? value.discriminator.mapping : undefined;
  const said = isObject(mapping) && Object.hasOwn(mapping, tag) ? mapping[tag] : tag;
  const pointer = localPointer(String(said)) ?? pointerTo("/components/schemas", String(said));
  const target = valueAt(spec.document, pointer);
  return target === undefined ? undefined : { spec, pointer, value: target };
}

/** True where the facts are all that one place says, and no more. */
function isOnePlace(facts: Facts, first: Part): boolean {
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
    isEqual(
      a.parts.map(({ value }) => value),
      b.parts.map(({ value }) => value),
    )
  );
}

/** Equal for equal facts of one document. */
function keyOf({ parts, unions, excluded, only, target }: Facts): string {
  const pointers = (places: readonly Place[]): string => places.map(({ pointer }) => pointer).join(" ");
  const cases = unions.map(({ branches }) => branches[0]?.pointer).join(" ");
  return `${target} ${only}: ${pointers(parts)} | ${cases} | ${pointers(excluded)}`;
}

/** An object whose other properties nothing is said of. */
function isOpen(facts: Facts): boolean {
  const others = otherProperties(facts);
  return (
    !others.never &&
    others.parts.length === 0 &&
    !facts.parts.some(
      ({ value }) => isObject(value.additionalProperties) || value.additionalProperties === true,
    )
  );
}

/** An object that names properties, as one that may hold just anything does not. */
function isRecord(facts: Facts): boolean {
  return propertyNames(facts).size > 0;
}

function nameOf(facts: Facts): string | undefined {
  return facts.target.startsWith("/components/schemas/") ? facts.target.split("/").at(-1) : facts.only;
}

const maxCountedLength = 300;

function lengthPatterns(least: number, most: number): string[] {
  const patterns: string[] = [];
  if (least > 0 && least <= maxCountedLength) patterns.push(`^[\\s\\S]{${least},}$`);
  if (most <= maxCountedLength) patterns.push(`^[\\s\\S]{0,${most}}$`);
  return patterns;
}

/** Whether a text that fits the patterns has such a length. */
function impliesLength(patterns: readonly string[], least: number, most: number): boolean {
  const wanted = lengthPatterns(least, most);
  const isCounted =
    (least === 0 || least <= maxCountedLength) && (most === Infinity || most <= maxCountedLength);
  return patterns.length > 0 && isCounted && wanted.every((each) => patternsImply(patterns, each) === true);
}

function refuses(part: Part, value: Json, side: Side): boolean {
  // Without what it refers to, which is a part of its own.
  const own = { ...part.value };
  delete own.$ref;
  delete own.allOf;
  delete own.anyOf;
  delete own.oneOf;
  return admits({ ...part, pointer: `${part.pointer} alone`, value: own }, value, side) !== true;
}

function refusingKeyword(schema: { [key: string]: Json }, value: Json): string {
  if (Array.isArray(schema.enum) && !schema.enum.some((each) => isEqual(each, value))) return "enum";
  if (schema.const !== undefined && !isEqual(schema.const, value)) return "const";
  if (schema.type !== undefined) {
    const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
    if (typesOf(schema)?.every((type) => type !== kind)) return "type";
  }
  return (
    ["pattern", "format", "minLength", "maxLength", "minimum", "maximum", "oneOf", "anyOf"].find(
      (keyword) => schema[keyword] !== undefined,
    ) ?? ""
  );
}

function distinct(gaps: readonly Gap[]): Gap[] {
  return [...new Map(gaps.map((gap) => [JSON.stringify(gap), gap])).values()];
}

/** True where no value is refused. */
function isAnything(schema: Place): boolean {
  const { never, parts, unions } = factsOf(schema);
  return !never && unions.length === 0 && parts.every(({ value }) => Object.keys(value).every(isAnnotation));
}
