/** Finds differences that do not affect the wire: descriptions, examples, names, order and places of definitions. */
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, pointerTo } from "../openapi/document.ts";
import type { Change } from "./changes.ts";
import { wordingRule } from "./rules/other-rules.ts";
import type { Spec } from "./spec.ts";

const versions = ["/info/version", "/openapi"];

/** @param reported pointers that already have a change */
export function wordingChanges(before: Spec, after: Spec, reported: readonly string[]): Change[] {
  const changes: Change[] = [];
  const isReported = (pointer: string): boolean => {
    const place = pointer.replace(
      /\/(?:discriminator\/mapping\/[^/]+|\$ref|type|required|enum|allOf|anyOf|oneOf)$/,
      "",
    );
    return reported.some((each) => isWithin(each, place) || isWithin(pointer, each));
  };
  const report = (pointer: string, what: string, isGone = false): void => {
    if (isReported(pointer)) return;
    changes.push({
      rule: wordingRule.id,
      impact: "patch",
      pointer,
      isGone,
      location: isGone ? before.locate(pointer) : after.locate(pointer),
      near: after.locate(pointer),
      statuses: [],
      side: "document",
      message: `${pointer} ${what}`,
      meaning: "nothing changes on the wire",
      isCertain: true,
      operations: [],
    });
  };
  const compare = (old: Json | undefined, now: Json | undefined, pointer: string): void => {
    if (isDeepStrictEqual(old, now) || versions.includes(pointer)) return;
    if (isObject(old) && isObject(now)) {
      for (const name of new Set([...Object.keys(old), ...Object.keys(now)]))
        compare(old[name], now[name], pointerTo(pointer, name));
    } else if (Array.isArray(old) && Array.isArray(now) && old.length === now.length) {
      const left = old.filter((item) => !now.some((each) => isDeepStrictEqual(item, each)));
      const entries = [...now.entries()].filter(
        ([, item]) => !old.some((each) => isDeepStrictEqual(item, each)),
      );
      if (left.length === 0 && entries.length === 0) report(pointer, "has another order");
      else if (left.length !== entries.length) report(pointer, "changed");
      else
        for (const [order, [index, item]] of entries.entries())
          compare(left[order], item, pointerTo(pointer, index));
    } else if (now === undefined) report(pointer, "was removed", true);
    else report(pointer, old === undefined ? "was added" : "changed");
  };
  compare(before.document, after.document, "");
  return changes;
}

function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}
