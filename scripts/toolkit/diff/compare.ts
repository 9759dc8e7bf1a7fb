/** The whole verdict: what changed on the wire and in TypeScript, and whether the version is raised enough. */
import { valueAt } from "../openapi/document.ts";
import { type Change, type Impact, type Impacts, worstFirst, worstOf } from "./changes.ts";
import { unreadableRule } from "./rules/other-rules.ts";
import { withSameMeaning } from "./same-meaning.ts";
import type { Spec } from "./spec.ts";
import { type TypeBreak, typeBreaks } from "./types/type-breaks.ts";
import { isRaised, leastVersion, versionFault } from "./version.ts";
import { DiffWaivers, withNewer, without } from "./waivers.ts";
import { wireChanges } from "./wire.ts";

export interface Comparison {
  readonly versions: { readonly old: string; readonly now: string };
  readonly changes: readonly Change[];
  readonly typeBreaks: readonly TypeBreak[];
  /** Undefined if nothing changed. */
  readonly impact: Impact | undefined;
  /**
   * The lowest version that is allowed for the changes. Undefined if there are no changes, or if the older version is
   * not a valid semantic version.
   */
  readonly leastVersion: string | undefined;
  readonly isRaised: boolean;
  /** Why the newer version cannot follow the older one, even if nothing changed. */
  readonly versionFault: string | undefined;
  readonly versionLocation: string;
}

/** @throws SpecProblemsError if no types can be generated from a document */
export async function compare(
  before: Spec,
  after: Spec,
  waivers: DiffWaivers = new DiffWaivers([], ""),
  impacts: Impacts = {},
): Promise<Comparison> {
  const weighed = <T extends Change | TypeBreak>(each: T): T => {
    const impact = impacts[each.rule] ?? each.impact;
    const waived = impact === "major" ? waivers.reasonFor(each, before, after) : undefined;
    if (waived !== undefined) return { ...each, impact: "minor", waived };
    return impact === each.impact ? each : { ...each, impact, isConfigured: true };
  };
  const [older, newer] = withSameMeaning(before, after);
  const found = [...unreadable(before, after), ...wireChanges(before, after, [older, newer])];
  const changes = worstFirst(found.map(weighed));
  const removed = changes.filter(
    ({ impact, isGone, waived, isConfigured }) =>
      isGone && (waived !== undefined || (isConfigured === true && impact !== "major")),
  );
  const changed = changes.filter(({ isGone, waived }) => !isGone && waived !== undefined);
  const pointersOf = (some: readonly Change[]) => some.map(({ pointer }) => pointer);
  const allowed = withNewer(without(older, pointersOf(removed)), newer, pointersOf(changed));
  const breaks = (await typeBreaks(allowed, newer)).map(weighed);
  const impact = worstOf([...changes, ...breaks].map((each) => each.impact));
  const versions = { old: versionOf(before), now: versionOf(after) };
  return {
    versions,
    changes,
    typeBreaks: breaks,
    impact,
    leastVersion: impact === undefined ? undefined : leastVersion(versions.old, impact),
    isRaised: impact === undefined || isRaised(versions.old, versions.now, impact),
    versionFault: versionFault(versions.old, versions.now),
    versionLocation: after.locate("/info/version"),
  };
}

/** What only one of the documents can read is a break. The document has no schema at such a place. */
function unreadable(before: Spec, after: Spec): Change[] {
  const problemsOf = ({ ignored = [] }: Spec) => ignored.filter(({ rule }) => rule?.startsWith("reference"));
  const [olds, nows] = [problemsOf(before), problemsOf(after)];
  const without = (some: typeof olds, others: typeof olds) =>
    some.filter(({ message }) => others.every((other) => other.message !== message));
  return [...without(nows, olds), ...without(olds, nows)].map(({ location, message }) => ({
    rule: unreadableRule.id,
    impact: "major",
    pointer: "",
    isGone: false,
    location,
    near: location,
    statuses: [],
    side: "document",
    message,
    meaning: "what cannot be read counts as a break",
    isCertain: false,
    operations: [],
  }));
}

export function isUnannounced({ impact, isRaised }: Comparison): boolean {
  return impact === "major" && !isRaised;
}

/** Returns an empty string if the document has no version. */
export function versionOf({ document }: Spec): string {
  const version = valueAt(document, "/info/version");
  return typeof version === "string" ? version : "";
}
