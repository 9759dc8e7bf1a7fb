/** Decides whether two schemas are the same. Ignores annotations and the places of referenced parts. */
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, referenceTarget } from "../openapi/document.ts";
import { subschemaForm } from "../openapi/schema/keywords.ts";
import { admitsAll, placeAt, placeBelow, type SchemaPlace } from "../openapi/schema/schema-view.ts";
import { keywordsOf, withoutReference } from "./facts.ts";
import type { Unchanged } from "./unchanged.ts";

const setKeywords = new Set(["required", "enum", "type"]);

export class Sameness {
  readonly #same = new Set<string>();
  readonly #different = new Set<string>();
  readonly #unchanged: Unchanged;

  constructor(unchanged: Unchanged) {
    this.#unchanged = unchanged;
  }

  of(a: SchemaPlace, b: SchemaPlace): boolean {
    const [left, right] = [withoutReference(a), withoutReference(b)];
    if (!isObject(left.value) || !isObject(right.value))
      return left.value === right.value || [left, right].every(({ value }) => admitsAll(value ?? true));
    if (left.value === right.value || this.#unchanged.isEqual(left.pointer, right.pointer)) return true;
    const key = `${left.pointer} ${right.pointer} ${left.document === right.document}`;
    if (this.#different.has(key)) return false;
    if (this.#same.has(key)) return true;
    // Recursive schemas are assumed to be the same until a difference is found elsewhere in them.
    this.#same.add(key);
    const keywords = keywordsOf(left.value);
    if (
      keywords.length === keywordsOf(right.value).length &&
      keywords.every((keyword) => this.#isSame(left, right, keyword))
    )
      return true;
    // The assumption was wrong, so conclusions from it are discarded.
    this.#same.clear();
    this.#different.add(key);
    return false;
  }

  #isSame(a: SchemaPlace, b: SchemaPlace, keyword: string): boolean {
    const [left, right] = [placeBelow(a, keyword), placeBelow(b, keyword)];
    if (left.value === undefined || right.value === undefined) return false;
    if (keyword === "$ref") {
      const [target, other] = [referenceTarget(a.value), referenceTarget(b.value)];
      if (target !== undefined && other !== undefined)
        return this.of(placeAt(a.document, target), placeAt(b.document, other));
    }
    const form = subschemaForm(keyword);
    if (form === "one") return this.of(left, right);
    if (form !== undefined) {
      const [names, others] = [Object.keys(left.value ?? {}), new Set(Object.keys(right.value ?? {}))];
      return (
        names.length === others.size &&
        names.every((name) => others.has(name) && this.of(placeBelow(left, name), placeBelow(right, name)))
      );
    }
    if (setKeywords.has(keyword)) return isEqualSet(left.value, right.value);
    return isDeepStrictEqual(left.value, right.value);
  }
}

function isEqualSet(a: Json, b: Json): boolean {
  const [left, right] = [[a].flat(), [b].flat()];
  const covers = (some: Json[], others: Json[]): boolean =>
    some.every((item) => others.some((other) => isDeepStrictEqual(item, other)));
  return covers(left, right) && covers(right, left);
}
