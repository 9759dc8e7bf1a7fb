/** Compares two schemas and describes the differences for callers. */
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, pointerTo, valueAt } from "../openapi/document.ts";
import { isAnnotation, subschemas } from "../openapi/schema/keywords.ts";
import {
  type Direction,
  itemPlaces,
  keywordOf,
  placeAt,
  placeBelow,
  type SchemaPlace,
  viewOfAll,
} from "../openapi/schema/schema-view.ts";
import type { Change } from "./changes.ts";
import { Containment } from "./containment/containment.ts";
import type { Gap } from "./containment/gaps.ts";
import type { TextForm } from "./containment/text-gaps.ts";
import { factsOf, isExtensible, resolved } from "./facts.ts";
import { changed, defaultRule, messageOf, type SchemaDifference, schemaRules } from "./rules/schema-rules.ts";
import { Sameness } from "./sameness.ts";
import type { Spec } from "./spec.ts";
import { named, subjectAt } from "./subjects.ts";
import { Unchanged } from "./unchanged.ts";

interface SchemaChange extends Omit<Change, "location" | "near" | "statuses" | "side" | "operations"> {
  /** The pointer of the place in the newer document, or of the nearest place around it. */
  readonly nearest: string;
}

interface WeighedGap {
  readonly gap: Gap;
  readonly impact: "major" | "minor";
  readonly isForward: boolean;
}

export class SchemaComparison {
  readonly #before: Spec;
  readonly #after: Spec;
  readonly #unchanged: Unchanged;
  readonly #proofs = new Map<string, { readonly forward: Containment; readonly backward: Containment }>();
  readonly #onward: Sameness;
  readonly #changes = new Map<string, readonly SchemaChange[]>();

  constructor(before: Spec, after: Spec, unchanged = new Unchanged(before.document, after.document)) {
    this.#before = before;
    this.#after = after;
    this.#onward = new Sameness(unchanged);
    this.#unchanged = unchanged;
  }

  #proofFor(side: Direction, text: TextForm | undefined) {
    const key = `${side} ${text}`;
    const of = (isForward: boolean) => new Containment(side, isForward, this.#unchanged, { text });
    const proof = this.#proofs.get(key) ?? { forward: of(true), backward: of(false) };
    this.#proofs.set(key, proof);
    return proof;
  }

  /** A missing schema allows any value. @param text how the values are sent, if not as JSON */
  changes(old: SchemaPlace, now: SchemaPlace, side: Direction, text?: TextForm): readonly SchemaChange[] {
    const key = `${side} ${text} ${factsOf(old).target} ${factsOf(now).target}`;
    const known = this.#changes.get(key);
    if (known !== undefined) return known;
    const { forward, backward } = this.#proofFor(side, text);
    const isRequest = side === "request";
    const weighed: WeighedGap[] = [
      ...forward.gaps(old, now).map((gap): WeighedGap => {
        const impact = isRequest && gap.kind !== "addition" ? "major" : "minor";
        return { gap, impact, isForward: true };
      }),
      ...backward.gaps(now, old).map((gap): WeighedGap => {
        const isBreak = gap.kind === "removal" || (!isRequest && gap.kind !== "addition");
        const impact = isBreak ? "major" : "minor";
        return { gap, impact, isForward: false };
      }),
    ];
    const changes = [...this.#described(weighed, side), ...this.#defaultChanges(old, now, side)];
    this.#changes.set(key, changes);
    return changes;
  }

  #described(weighed: readonly WeighedGap[], side: Direction): SchemaChange[] {
    const places = Map.groupBy(oneForProperty(weighed), ({ gap, isForward }) => {
      const inner = gap.kind === "alternative" ? unionOf(gap.inner) : gap.inner;
      const pointer = isForward && !isWithinInner(gap) ? gap.outer : inner;
      return JSON.stringify([pointer, gap.keyword, gap.keyword === "properties" && gap.subject]);
    });
    return [...places.values()].flatMap((all) => {
      // What breaks callers explains the rest.
      const breaks = all.filter(({ impact }) => impact === "major");
      const groups = Map.groupBy(breaks.length > 0 ? breaks : all, ({ gap }) => gap.kind);
      return [...groups.values()].flatMap((group) =>
        group[0] === undefined ? [] : [this.#describe(group, group[0], side)],
      );
    });
  }

  #describe(
    group: readonly WeighedGap[],
    { gap, impact, isForward }: WeighedGap,
    side: Direction,
  ): SchemaChange {
    const { keyword, kind } = gap;
    // Several alternatives of one union are reported at the union.
    const inner = kind === "alternative" && group.length > 1 ? unionOf(gap.inner) : gap.inner;
    const [now, old] = isForward ? [gap.outer, inner] : [inner, gap.outer];
    const [newPlace, oldPlace] = [nearest(this.#after.document, now), nearest(this.#before.document, old)];
    const isCertain = group.every(({ gap }) => gap.isCertain);
    const subjects = [...new Set(group.flatMap(({ gap }) => gap.subject ?? []))];
    const difference = {
      keyword,
      kind,
      isForward,
      subjects,
      was: gap.isUnstated && isForward ? undefined : keywordAt(placeAt(this.#before.document, old), keyword),
      is: gap.isUnstated && !isForward ? undefined : keywordAt(placeAt(this.#after.document, now), keyword),
      isOpenApi30: this.#after.isOpenApi30 === true,
      isInBoth: !gap.isUnstated && newPlace.pointer === now && oldPlace.pointer === old,
      at: subjectAt(newPlace.document, newPlace.pointer),
    };
    const rule = schemaRules.find(({ applies }) => applies(difference));
    if (rule === undefined) throw new Error("no rule was found, although the last rule applies to every gap");
    const tokens =
      difference.isOpenApi30 && rule.id === "schema-null" ? ["nullable"] : tokensOf(difference, gap);
    const [exact, gone] = [pointerTo(now, ...tokens), pointerTo(old, ...tokens)];
    const isLost = isWithinInner(gap) && isForward;
    const isThere = !isLost && valueAt(this.#after.document, exact) !== undefined;
    // If the newer document still has the place, only a reference to it was removed.
    const isUnused = !isThere && !isWithinInner(gap) && valueAt(this.#after.document, gone) !== undefined;
    const isGone = !isThere && !isUnused && valueAt(this.#before.document, gone) !== undefined;
    const isNewlyUsed = difference.was === undefined && valueAt(this.#before.document, exact) !== undefined;
    const holder = isGone ? oldPlace : newPlace;
    const told = {
      ...difference,
      isInBoth: difference.isInBoth && !isUnused && !isNewlyUsed,
      at: subjectAt(holder.document, holder.pointer),
    };
    const isNewlyExtensible =
      rule.id === "schema-values" &&
      side === "response" &&
      impact === "major" &&
      isExtensible(newPlace.document, newPlace.value);
    // When a document of OpenAPI 3.0 is read, this keyword is replaced.
    const isReplaced = tokens[0] === "nullable" && !isForward;
    return {
      rule: rule.id,
      impact,
      pointer: isThere || isReplaced ? exact : isGone ? gone : newPlace.pointer,
      isGone,
      nearest: isThere || isReplaced ? exact : newPlace.pointer,
      message: messageOf(rule, told),
      meaning: `${meaningOf({ gap, impact, isForward }, side, isCertain)}${isNewlyExtensible ? "; the older document has no `x-extensible-enum`" : ""}`,
      isCertain,
    };
  }

  /** A default decides what a request without the value means. Defaults are compared at places that both schemas have. */
  #defaultChanges(old: SchemaPlace, now: SchemaPlace, side: Direction): SchemaChange[] {
    const changes: SchemaChange[] = [];
    const seen = new Set<string>();
    const visit = (a: SchemaPlace, b: SchemaPlace): void => {
      const [was, is] = [resolved(a), resolved(b)];
      const key = `${a.pointer} ${b.pointer}`;
      if (!isObject(was.value) || !isObject(is.value) || seen.has(key)) return;
      seen.add(key);
      this.#compareDefaults(a, b, side, changes);
      for (const { keyword, key } of subschemas(was.value)) {
        if (isAnnotation(keyword)) continue;
        if (key === "") {
          visit(placeBelow(was, keyword), placeBelow(is, keyword));
          continue;
        }
        const branch = placeBelow(was, keyword, key);
        // Only `prefixItems` depends on the order.
        const others = keyword === "prefixItems" ? [] : itemPlaces({ ...is, value: is.value }, keyword);
        visit(branch, others.find((other) => this.#onward.of(branch, other)) ?? placeBelow(is, keyword, key));
      }
    };
    visit(old, now);
    return changes;
  }

  #compareDefaults(old: SchemaPlace, now: SchemaPlace, side: Direction, changes: SchemaChange[]): void {
    const [oldPart, newPart] = [old, now].map((place) =>
      viewOfAll(place).parts.find(({ value }) => value.default !== undefined),
    );
    const [was, is] = [oldPart?.value.default, newPart?.value.default];
    const at = newPart ?? oldPart ?? now;
    if (isDeepStrictEqual(was, is)) return;
    const impact = side === "request" && was !== undefined ? "major" : "minor";
    changes.push({
      rule: defaultRule.id,
      impact,
      pointer: pointerTo(at.pointer, "default"),
      isGone: is === undefined,
      nearest: now.pointer,
      message: `${named(subjectAt(at.document, at.pointer))}: ${changed("default", was, is, true)}`,
      meaning:
        impact === "major"
          ? "a request without the value now means something else"
          : "callers may rely on the default",
      isCertain: true,
    });
  }
}

/** Keeps one finding for each property. For example, a removed property is not also reported as no longer required. */
function oneForProperty(weighed: readonly WeighedGap[]): WeighedGap[] {
  const rank = ({ impact, gap }: WeighedGap): number =>
    (impact === "major" ? 0 : 10) + ["removal", "addition", "rejection", "closed"].indexOf(gap.kind);
  const isAbout = ({ gap: { keyword, kind, subject } }: WeighedGap): boolean =>
    subject !== undefined &&
    (kind === "closed" || ["properties", "required", "readOnly", "writeOnly"].includes(keyword));
  const known = new Map<string, WeighedGap>();
  for (const each of weighed.filter(isAbout)) {
    const { gap, isForward } = each;
    const pointer = isForward ? gap.outer : gap.inner;
    const property = pointerTo("/properties", gap.subject ?? "");
    const holder = pointer.endsWith(property) ? pointer.slice(0, -property.length) : pointer;
    const key = JSON.stringify([holder, gap.subject]);
    const other = known.get(key);
    if (other === undefined || rank(each) < rank(other)) known.set(key, each);
  }
  const kept = new Set(known.values());
  return weighed.filter((each) => !isAbout(each) || kept.has(each));
}

/** True if the gap is about a part of the first schema, not about a keyword of the second. */
function isWithinInner({ kind }: Gap): boolean {
  return kind === "alternative" || kind === "closed";
}

function unionOf(alternative: string): string {
  return alternative.replace(/\/(?:oneOf|anyOf)\/\d+$/, "");
}

/** The place of the difference, relative to the schema. */
function tokensOf({ keyword, subjects, was, is }: SchemaDifference, gap: Gap): string[] {
  const [subject] = subjects;
  if (keyword === "" || isWithinInner(gap) || (gap.isUnstated && is === undefined)) return [];
  if (keyword === "properties" && subject !== undefined) return [keyword, subject];
  const isTag =
    subject !== undefined && [was, is].some((each) => valueAt(each, pointerTo("/mapping", subject)));
  return keyword === "discriminator" && isTag ? [keyword, "mapping", subject] : [keyword];
}

function meaningOf({ impact, gap }: WeighedGap, side: Direction, isCertain: boolean): string {
  const isRequest = side === "request";
  if (gap.kind === "removal")
    return isRequest
      ? "callers that send it are rejected or ignored"
      : "callers that read it no longer get it";
  if (gap.kind === "addition") {
    if (!isRequest && gap.keyword === "enum") return "the document tells callers to expect other values";
    if (!isRequest) return "callers may read it";
    return isCertain
      ? "callers may send it"
      : "callers may send it; callers that already send this name may be rejected";
  }
  if (impact === "minor")
    return isRequest
      ? "more requests are valid than before"
      : "fewer values are possible in responses than before";
  const broken = isRequest
    ? "a request that was valid may be rejected"
    : "a response may contain values that callers do not expect";
  return isCertain || gap.keyword === "" ? broken : `${broken}; compatibility cannot be proven`;
}

/** The place, or the nearest one around it that the document has. A proof also names places that no document has. */
function nearest(document: unknown, pointer: string): SchemaPlace {
  const place = placeAt(document, pointer);
  if (place.value !== undefined || pointer === "") return place;
  return nearest(document, pointer.slice(0, pointer.lastIndexOf("/")));
}

function keywordAt(place: SchemaPlace, keyword: string): Json | undefined {
  return keyword === "" ? place.value : keywordOf(viewOfAll(place), keyword);
}
