/** Whether two schemas are the same, apart from annotations and from where their parts are. */
import { isObject, type Json } from "../openapi/document.ts";
import { subschemaForm } from "../openapi/keywords.ts";
import { isAnnotation } from "./annotations.ts";
import { below, isEqual, resolved, type SpecNode } from "./facts.ts";

const setKeywords = new Set(["required", "enum", "type"]);

export class Sameness {
  readonly #same = new Set<string>();
  readonly #different = new Set<string>();

  of(a: SpecNode, b: SpecNode): boolean {
    const left = bare(a);
    const right = bare(b);
    if (!isObject(left.value) || !isObject(right.value))
      return left.value === right.value || (isTrue(left.value) && isTrue(right.value));
    const key = `${left.pointer} ${right.pointer} ${left.spec === right.spec}`;
    if (this.#different.has(key)) return false;
    if (this.#same.has(key)) return true;
    // Recursive schemas count as the same until a difference is found elsewhere in them.
    this.#same.add(key);
    if (this.#haveSameKeywords(left, right)) return true;
    // Conclusions from the assumption are discarded with it.
    this.#same.clear();
    this.#different.add(key);
    return false;
  }

  #haveSameKeywords(a: SpecNode, b: SpecNode): boolean {
    const left = keywordsOf(a.value);
    const right = keywordsOf(b.value);
    return left.length === right.length && left.every((keyword) => this.#isSame(a, b, keyword));
  }

  #isSame(a: SpecNode, b: SpecNode, keyword: string): boolean {
    const left = below(a, keyword);
    const right = below(b, keyword);
    if (left.value === undefined || right.value === undefined) return false;
    const form = subschemaForm(keyword);
    if (keyword === "$ref" || form === "one") return this.of(followed(left, a), followed(right, b));
    if (form === "list" && Array.isArray(left.value) && Array.isArray(right.value)) {
      const indexes = [...left.value.keys()];
      return (
        left.value.length === right.value.length &&
        indexes.every((index) => this.of(below(left, index), below(right, index)))
      );
    }
    if (form === "map" && isObject(left.value) && isObject(right.value)) {
      const names = Object.keys(left.value);
      const others = right.value;
      return (
        names.length === Object.keys(others).length &&
        names.every((name) => Object.hasOwn(others, name) && this.of(below(left, name), below(right, name)))
      );
    }
    return setKeywords.has(keyword) ? isEqualSet(left.value, right.value) : isEqual(left.value, right.value);
  }
}

function followed(at: SpecNode, holder: SpecNode): SpecNode {
  if (!at.pointer.endsWith("/$ref")) return at;
  const { value } = holder;
  return isObject(value) ? resolved({ ...holder, value: { $ref: value.$ref ?? "" } }) : at;
}

function bare(at: SpecNode): SpecNode {
  const isBare = isObject(at.value) && at.value.$ref !== undefined && keywordsOf(at.value).length === 1;
  return isBare ? resolved(at) : at;
}

function keywordsOf(value: Json | undefined): string[] {
  return isObject(value) ? Object.keys(value).filter((keyword) => !isAnnotation(keyword)) : [];
}

function isTrue(value: Json | undefined): boolean {
  return value !== false && (!isObject(value) || keywordsOf(value).length === 0);
}

function isEqualSet(a: Json, b: Json): boolean {
  const left = Array.isArray(a) ? a : [a];
  const right = Array.isArray(b) ? b : [b];
  const covers = (some: Json[], others: Json[]): boolean =>
    some.every((item) => others.some((other) => isEqual(item, other)));
  return covers(left, right) && covers(right, left);
}
