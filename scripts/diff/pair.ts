/** What the parts of the wire verdict share: two places to compare, and a way to report what differs. */
import { entriesOf } from "../openapi/document.ts";
import type { Change, Impact } from "./changes.ts";
import { below, resolved, type SpecNode } from "./facts.ts";

/** Where a value stands in the two documents; a place without a value is absent. */
export interface Pair {
  readonly old: SpecNode;
  readonly now: SpecNode;
}

/** What a difference means for callers. */
export type Consequence = readonly [Impact, meaning: string];

/** @param subject what differs, in the newer document unless it is gone */
export type ReportChange = (
  subject: SpecNode,
  message: string,
  consequence: Consequence,
  side: Change["side"],
) => void;

export function child({ old, now }: Pair, name: string): Pair {
  return { old: below(old, name), now: below(now, name) };
}

export function resolvedPair({ old, now }: Pair): Pair {
  return { old: resolved(old), now: resolved(now) };
}

export function namesOf({ old, now }: Pair): Set<string> {
  const names = [...entriesOf(old.value), ...entriesOf(now.value)].map(([name]) => name);
  return new Set(names.filter((name) => !name.startsWith("x-")));
}

export function pairsOf(
  olds: ReadonlyMap<string, SpecNode>,
  nows: ReadonlyMap<string, SpecNode>,
): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const [key, old] of olds) pairs.set(key, { old, now: nows.get(key) ?? { ...old, value: undefined } });
  for (const [key, now] of nows)
    if (!olds.has(key)) pairs.set(key, { old: { ...now, value: undefined }, now });
  return pairs;
}
