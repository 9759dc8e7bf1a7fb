/** Compares two schemas and describes the differences for callers. */
import { isObject, type Json, listOf, pointerTo, valueAt } from "../openapi/document.ts";
import { subschemaForm } from "../openapi/keywords.ts";
import { isAnnotation } from "./annotations.ts";
import type { Gap } from "./containment/gaps.ts";
import { Containment } from "./containment.ts";
import { below, factsOf, isEqual, resolved, type Side, type SpecNode } from "./facts.ts";
import { Sameness } from "./sameness.ts";

interface SchemaChange {
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

const unshown = "cannot be shown compatible";

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
    const judged: WeighedGap[] = [
      ...forward.gaps(old, now).map((gap): WeighedGap => {
        const impact = isSent && gap.kind !== "addition" ? "major" : "minor";
        return { gap, impact, isForward: true };
      }),
      ...backward.gaps(now, old).map((gap): WeighedGap => {
        const impact = !isSent || gap.kind === "removal" ? "major" : "minor";
        return { gap, impact, isForward: false };
      }),
    ];
    const changes = [...this.#described(judged, side), ...this.#defaultChanges(old, now, side)];
    this.#changes.set(key, changes);
    return changes;
  }

  #described(judged: readonly WeighedGap[], side: Side): SchemaChange[] {
    const groups = Map.groupBy(judged, (each) => {
      const [pointer] = this.#placesOf(each);
      return `${pointer} ${each.gap.keyword} ${each.impact} ${each.gap.kind}`;
    });
    const isWorse = (pointer: string, keyword: string): boolean =>
      [...groups.keys()].some((key) => key.startsWith(`${pointer} ${keyword} major`));
    return [...groups.values()].flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const [pointer] = this.#placesOf(first);
      if (first.impact === "minor" && isWorse(pointer, first.gap.keyword)) return [];
      return [this.#describe(group, first, side)];
    });
  }

  #placesOf({ gap, isForward }: WeighedGap): [now: string, old: string] {
    return isForward ? [gap.outer, gap.inner] : [gap.inner, gap.outer];
  }

  #describe(group: readonly WeighedGap[], first: WeighedGap, side: Side): SchemaChange {
    const { keyword, kind } = first.gap;
    const [now, old] = this.#placesOf(first);
    const isCertain = group.every(({ gap }) => gap.isCertain);
    const subjects = [...new Set(group.flatMap(({ gap }) => gap.subject ?? []))];
    const own =
      keyword === "properties" ? [keyword, ...subjects.slice(0, 1)] : keyword === "" ? [] : [keyword];
    const exact = pointerTo(now, ...own);
    const isThere = valueAt(this.#after.document, exact) !== undefined;
    const isGone = !isThere && valueAt(this.#before.document, pointerTo(old, ...own)) !== undefined;
    return {
      impact: first.impact,
      pointer: isThere ? exact : isGone ? pointerTo(old, ...own) : now,
      isGone,
      near: isThere ? exact : now,
      message: this.#message(first, old, now, subjects),
      meaning: meaningOf(first, side, isCertain, kind),
      isCertain,
    };
  }

  #message({ gap, isForward }: WeighedGap, old: string, now: string, subjects: readonly string[]): string {
    const { keyword, kind } = gap;
    const list = subjects.join(", ");
    const named = subjects.map((subject) => `\`${subject}\``).join(", ");
    const is = subjects.length > 1 ? "are" : "is";
    if (kind === "addition") return `property ${named} ${is} new`;
    if (kind === "removal") return `property ${named} ${is} gone`;
    if (keyword === "required") return `${named} ${is} ${isForward ? "now" : "no longer"} required`;
    if (keyword === "enum" || keyword === "const")
      return `${list} ${is} ${isForward ? "no longer" : "new"} among the values`;
    if (keyword === "readOnly" || keyword === "writeOnly") return `${named} ${is} ${keyword} now`;
    if (keyword === "additionalProperties" && list !== "")
      return `property ${named} ${is} ${isForward ? "gone" : "new in an object that was closed"}`;
    const [before, after] = [
      shown(keywordAt(this.#before, old, keyword)),
      shown(keywordAt(this.#after, now, keyword)),
    ];
    const about = list === "" || keyword === "type" ? "" : ` (${list})`;
    if (keyword === "") return `the schema is another: was ${before}, is ${after}`;
    if (before === after)
      return `\`${keyword}\`: ${isForward ? "fewer" : "more"} values fit than before${about}`;
    return `\`${keyword}\` was ${before}, is ${after}${about}`;
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
      impact,
      pointer: pointerTo(resolved(is === undefined ? old : now).pointer, "default"),
      isGone: is === undefined,
      near: now.pointer,
      message: `\`default\` was ${shown(was)}, is ${shown(is)}`,
      meaning:
        impact === "major"
          ? "a request that leaves the value out means something else now"
          : "callers may rely on what the default says",
      isCertain: true,
    });
  }
}

function meaningOf(
  { impact, isForward, gap }: WeighedGap,
  side: Side,
  isCertain: boolean,
  kind: Gap["kind"],
): string {
  const isSent = side === "sent";
  if (kind === "removal")
    return isSent ? "callers that send it are no longer heard" : "callers that read it find nothing";
  if (kind === "addition") {
    if (!isSent) return "callers may read it";
    return isCertain
      ? "callers may send it"
      : "callers may send it; those that sent it before as they liked may be refused";
  }
  if (impact === "minor") {
    if (isSent) return "requests may say more than before";
    return "responses say less, or say it more exactly";
  }
  const broken = isSent
    ? "a request that was valid may be refused"
    : "a response may hold what callers were never told of";
  return isCertain || gap.keyword === ""
    ? broken
    : `${broken}: it ${unshown}${isForward ? "" : " with what was promised"}`;
}

function keywordAt(spec: SpecNode["spec"], pointer: string, keyword: string): Json | undefined {
  const parts = factsOf({ spec, pointer, value: valueAt(spec.document, pointer) }).parts;
  if (keyword === "") return parts[0]?.value;
  return parts.find(({ value }) => Object.hasOwn(value, keyword))?.value[keyword];
}

const maxShown = 60;

function shown(value: Json | undefined): string {
  if (value === undefined) return "absent";
  const text = JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
