/** Two places to compare. If a document does not have the place, its value is undefined. */
import { entriesOf } from "../openapi/document.ts";
import { placeBelow, type SchemaPlace } from "../openapi/schema/schema-view.ts";
import { resolved } from "./facts.ts";

export interface Pair {
  readonly old: SchemaPlace;
  readonly now: SchemaPlace;
}

export function child({ old, now }: Pair, name: string): Pair {
  return { old: placeBelow(old, name), now: placeBelow(now, name) };
}

export function resolvedPair({ old, now }: Pair): Pair {
  return { old: resolved(old), now: resolved(now) };
}

export function namesOf({ old, now }: Pair): Set<string> {
  const names = [...entriesOf(old.value), ...entriesOf(now.value)].map(([name]) => name);
  return new Set(names.filter((name) => !name.startsWith("x-")));
}

export function pairsOf(
  olds: ReadonlyMap<string, SchemaPlace>,
  nows: ReadonlyMap<string, SchemaPlace>,
): Map<string, Pair> {
  const pairs = new Map<string, Pair>();
  for (const [key, old] of olds) pairs.set(key, { old, now: nows.get(key) ?? { ...old, value: undefined } });
  for (const [key, now] of nows)
    if (!olds.has(key)) pairs.set(key, { old: { ...now, value: undefined }, now });
  return pairs;
}
