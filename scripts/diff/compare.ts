/** The whole verdict: what changed on the wire and in TypeScript, and whether the version says so. */
import { valueAt } from "../openapi/document.ts";
import { type Change, type Impact, worstOf } from "./changes.ts";
import type { Spec } from "./spec.ts";
import { type TypeBreak, typeBreaks } from "./types.ts";
import { isRaised, leastVersion, versionFault } from "./version.ts";
import { wireChanges } from "./wire.ts";

export interface Comparison {
  readonly versions: { readonly old: string; readonly now: string };
  readonly changes: readonly Change[];
  readonly typeBreaks: readonly TypeBreak[];
  /** The worst of all; undefined where nothing changed. */
  readonly impact: Impact | undefined;
  /** The least version that says so, or undefined where none is needed or the older one is no semantic version. */
  readonly leastVersion: string | undefined;
  readonly isRaised: boolean;
  /** Why the newer version cannot follow the older one, whatever changed; undefined where it can. */
  readonly versionFault: string | undefined;
  /** Where the newer document says its version. */
  readonly versionLocation: string;
}

/** @throws SpecProblemsError where no types can be made of a document */
export async function compare(before: Spec, after: Spec): Promise<Comparison> {
  const changes = wireChanges(before, after);
  const breaks = await typeBreaks(before, after);
  const impacts = changes.map(({ impact }) => impact);
  const impact = breaks.length > 0 ? "major" : worstOf(impacts);
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

/** True where callers are broken and the version does not tell them. */
export function isUnannounced({ impact, isRaised }: Comparison): boolean {
  return impact === "major" && !isRaised;
}

/** What a document says its version is; empty where it says nothing. */
export function versionOf({ document }: Spec): string {
  const version = valueAt(document, "/info/version");
  return typeof version === "string" ? version : "";
}
