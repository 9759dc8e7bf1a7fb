/** Compares two schemas and describes the differences for callers. */
import { isObject, type Json, listOf, pointerTo, valueAt } from "../openapi/document.ts";
import { subschemaForm } from "../openapi/keywords.ts";
import { isAnnotation } from "./annotations.ts";
import type { Gap } from "./containment/gaps.ts";
import { Containment } from "./containment.ts";
import { below, factsOf, isEqual, resolved, type Side, type SpecNode } from "./facts.ts";
import { defaultRule, messageOf, type SchemaDifference, schemaRules, shown } from "./rules/schema-rules.ts";
import { Sameness } from "./sameness.ts";

interface SchemaChange {
  readonly rule: string;
  readonly impact: "major" | "minor";
  readonly pointer: string;
  readonly isGone: boolean;
  /** The place in the newer document, or the nearest to it. */
  readonly near: string;
  readonly message: string;
  readonly meaning: string;
  readonly isCertain: boolean;
}

interface WeighedGap {
  readonly gap: Gap;
  readonly impact: "major" | "minor";
  readonly isForward: boolean;
}

export class SchemaComparison {
  readonly #before: SpecNode["spec"];
  readonly #after: SpecNode["spec"];
  readonly #proofs: {
    readonly [side in Side]: { readonly forward: Containment; readonly backward: Containment };
  };
  readonly #onward = new Sameness();
  readonly #changes = new Map<string, readonly SchemaChange[]>();

  constructor(before: SpecNode["spec"], after: SpecNode["spec"]) {
    this.#before = before;
    this.#after = after;
    const back = new Sameness();
    const proofs = (side: Side) => ({
      forward: new Containment({ side, isForward: true }, this.#onward),
      backward: new Containment({ side, isForward: false }, back),
    });
    this.#proofs = { sent: proofs("sent"), received: proofs("received") };
  }

  /** An absent schema allows anything. */
  changes(old: SpecNode, now: SpecNode, side: Side): readonly SchemaChange[] {
    const key = `${side} ${factsOf(old).target} ${factsOf(now).target}`;
    const known = this.#changes.get(key);
    if (known !== undefined) return known;
    const { forward, backward } = this.#proofs[side];
    const isSent = side === "sent";
    const weighed: WeighedGap[] = [
      ...forward.gaps(old, now).map((gap): WeighedGap => {
        const impact = isSent && gap.kind !== "addition" ? "major" : "minor";
        return { gap, impact, isForward: true };
      }),
      ...backward.gaps(now, old).map((gap): WeighedGap => {
        const impact = !isSent || gap.kind === "removal" ? "major" : "minor";
        return { gap, impact, isForward: false };
      }),
    ];
    const changes = [...this.#described(weighed, side), ...this.#defaultChanges(old, now, side)];
    this.#changes.set(key, changes);
    return changes;
  }

  #described(weighed: readonly WeighedGap[], side: Side): SchemaChange[] {
    const groups = Map.groupBy(oneForProperty(weighed), ({ gap, isForward, impact }) => {
      const pointer = isForward && !isWithinInner(gap) ? gap.outer : gap.inner;
      const name = gap.keyword === "properties" ? gap.subject : "";
      return `${pointer} ${gap.keyword} ${name} ${impact} ${gap.kind}`;
    });
    return [...groups].flatMap(([key, group]) => {
      const [first] = group;
      const worse = key.replace(/ minor \w+$/, " major ");
      const isExplained = worse !== key && [...groups.keys()].some((other) => other.startsWith(worse));
      return first === undefined || isExplained ? [] : [this.#describe(group, first, side)];
    });
  }

  #describe(group: readonly WeighedGap[], { gap, impact, isForward }: WeighedGap, side: Side): SchemaChange {
    const { keyword, kind } = gap;
    const [now, old] = isForward ? [gap.outer, gap.inner] : [gap.inner, gap.outer];
    const isCertain = group.every(({ gap }) => gap.isCertain);
    const subjects = [...new Set(group.flatMap(({ gap }) => gap.subject ?? []))];
    const difference = {
      keyword,
      kind,
      isForward,
      subjects,
      was: keywordAt(this.#before, old, keyword),
      is: keywordAt(this.#after, now, keyword),
      isOpenApi30: this.#after.isOpenApi30 === true,
    };
    const rule = schemaRules.find(({ applies }) => applies(difference));
    if (rule === undefined) throw new Error("the last rule applies to everything");
    const tokens =
      difference.isOpenApi30 && rule.id === "schema-null" ? ["nullable"] : tokensOf(difference, gap);
    const [exact, gone] = [pointerTo(now, ...tokens), pointerTo(old, ...tokens)];
    const isLost = isWithinInner(gap) && isForward;
    const isThere = !isLost && valueAt(this.#after.document, exact) !== undefined;
    const isGone = !isThere && valueAt(this.#before.document, gone) !== undefined;
    // Reading a document of OpenAPI 3.0 replaces this keyword.
    const isReplaced = tokens[0] === "nullable" && !isForward;
    return {
      rule: rule.id,
      impact,
      pointer: isThere || isReplaced ? exact : isGone ? gone : now,
      isGone,
      near: isThere || isReplaced ? exact : now,
      message: messageOf(rule, difference),
      meaning: meaningOf({ gap, impact, isForward }, side, isCertain),
      isCertain,
    };
  }

  /** Defaults decide what a request without the value means. They are compared where both schemas have a place. */
  #defaultChanges(old: SpecNode, now: SpecNode, side: Side): SchemaChange[] {
    const changes: SchemaChange[] = [];
    const seen = new Set<string>();
    const visit = (a: SpecNode, b: SpecNode): void => {
      const [was, is] = [resolved(a), resolved(b)];
      const key = `${a.pointer} ${b.pointer}`;
      if (!isObject(was.value) || !isObject(is.value) || seen.has(key)) return;
      seen.add(key);
      this.#compareDefaults(a, b, side, changes);
      for (const keyword of Object.keys(was.value)) {
        if (isAnnotation(keyword)) continue;
        const form = subschemaForm(keyword);
        const [left, right] = [below(was, keyword), below(is, keyword)];
        if (form === "one") visit(left, right);
        if (form === "map" && isObject(left.value))
          for (const name of Object.keys(left.value)) visit(below(left, name), below(right, name));
        if (form === "list" && Array.isArray(left.value)) {
          const others = [...listOf(right.value).keys()];
          for (const index of left.value.keys()) {
            const branch = below(left, index);
            // Only `prefixItems` depends on the order.
            const same = others.find(
              (other) => keyword !== "prefixItems" && this.#onward.of(branch, below(right, other)),
            );
            visit(branch, below(right, same ?? index));
          }
        }
      }
    };
    visit(old, now);
    return changes;
  }

  #compareDefaults(old: SpecNode, now: SpecNode, side: Side, changes: SchemaChange[]): void {
    const was = keywordAt(old.spec, old.pointer, "default");
    const is = keywordAt(now.spec, now.pointer, "default");
    if (isEqual(was, is)) return;
    const impact = side === "sent" && was !== undefined ? "major" : "minor";
    changes.push({
      rule: defaultRule.id,
      impact,
      pointer: pointerTo(resolved(is === undefined ? old : now).pointer, "default"),
      isGone: is === undefined,
      near: now.pointer,
      message: `\`default\` was ${shown(was)}, is ${shown(is)}`,
      meaning:
        impact === "major"
          ? "a request without the value now means something else"
          : "callers may rely on the default",
      isCertain: true,
    });
  }
}

/** One cause gives one finding: a removed property is not reported as no longer required, too. */
function oneForProperty(weighed: readonly WeighedGap[]): WeighedGap[] {
  const rank = ({ impact, gap }: WeighedGap): number =>
    (impact === "major" ? 0 : 10) + ["removal", "addition", "rejection", "closed"].indexOf(gap.kind);
  const isAbout = ({ gap: { keyword, kind, subject } }: WeighedGap): boolean =>
    subject !== undefined &&
    (kind === "closed" || ["properties", "required", "readOnly", "writeOnly"].includes(keyword));
  const known = new Map<string, WeighedGap>();
  for (const each of weighed.filter(isAbout)) {
    const { gap, isForward } = each;
    const holder = (isForward ? gap.outer : gap.inner).replace(
      pointerTo("/properties", gap.subject ?? ""),
      "",
    );
    const key = `${holder} ${gap.subject}`;
    const other = known.get(key);
    if (other === undefined || rank(each) < rank(other)) known.set(key, each);
  }
  const kept = new Set(known.values());
  return weighed.filter((each) => !isAbout(each) || kept.has(each));
}

/** Whether the gap is about a part of the first schema, not about the keyword of the second. */
function isWithinInner({ kind }: Gap): boolean {
  return kind === "alternative" || kind === "closed";
}

/** Where the difference is, below the schema. */
function tokensOf({ keyword, subjects, was, is }: SchemaDifference, gap: Gap): string[] {
  const [subject] = subjects;
  if (keyword === "" || isWithinInner(gap)) return [];
  if (keyword === "properties" && subject !== undefined) return [keyword, subject];
  const isTag =
    subject !== undefined && [was, is].some((each) => valueAt(each, pointerTo("/mapping", subject)));
  return keyword === "discriminator" && isTag ? [keyword, "mapping", subject] : [keyword];
}

function meaningOf({ impact, gap }: WeighedGap, side: Side, isCertain: boolean): string {
  const isSent = side === "sent";
  if (gap.kind === "removal")
    return isSent ? "callers that send it are rejected or ignored" : "callers that read it find nothing";
  if (gap.kind === "addition") {
    if (!isSent) return "callers may read it";
    return isCertain
      ? "callers may send it"
      : "callers may send it; callers that already send this name may be rejected";
  }
  if (impact === "minor")
    return isSent ? "more requests are valid than before" : "responses have fewer values than before";
  const broken = isSent
    ? "a request that was valid may be rejected"
    : "a response may contain values that callers do not expect";
  return isCertain || gap.keyword === "" ? broken : `${broken}; compatibility cannot be proven`;
}

function keywordAt(spec: SpecNode["spec"], pointer: string, keyword: string): Json | undefined {
  const value = valueAt(spec.document, pointer);
  if (keyword === "") return value;
  const { parts } = factsOf({ spec, pointer, value });
  return parts.find(({ value }) => Object.hasOwn(value, keyword))?.value[keyword];
}
