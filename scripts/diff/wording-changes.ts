/** Differences that no value on the wire shows: descriptions, examples, names, and where things stand. */
import { isObject, type Json, pointerTo } from "../openapi/document.ts";
import type { Change } from "./changes.ts";
import { isEqual } from "./facts.ts";
import type { Spec } from "./spec.ts";

const versions = ["/info/version", "/openapi"];

/** @param reported pointers that already have a change */
export function wordingChanges(before: Spec, after: Spec, reported: ReadonlySet<string>): Change[] {
  const changes: Change[] = [];
  const compare = (old: Json | undefined, now: Json | undefined, pointer: string): void => {
    if (isEqual(old, now) || reported.has(pointer) || versions.includes(pointer)) return;
    if (isObject(old) && isObject(now)) {
      for (const name of new Set([...Object.keys(old), ...Object.keys(now)]))
        compare(old[name], now[name], pointerTo(pointer, name));
      return;
    }
    if (Array.isArray(old) && Array.isArray(now) && old.length === now.length) {
      for (const [index, item] of old.entries()) compare(item, now[index], pointerTo(pointer, index));
      return;
    }
    const what = now === undefined ? "is gone" : old === undefined ? "is new" : "is worded anew";
    changes.push({
      impact: "patch",
      pointer,
      isGone: now === undefined,
      location: after.locate(pointer),
      side: "document",
      message: `${pointer} ${what}`,
      meaning: "nothing changes on the wire",
      isCertain: true,
      operations: [],
    });
  };
  compare(before.document, after.document, "");
  return changes;
}
