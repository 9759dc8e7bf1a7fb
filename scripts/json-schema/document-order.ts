import { isObject, pointerTo, tokensOf, valueAt } from "../openapi/document.ts";

/** Compares pointers by the order of their places in the document. */
export function byDocumentOrder(document: unknown): (left: string, right: string) => number {
  const positions = new Map<object, Map<string, number>>();
  const position = (parent: unknown, token: string): number => {
    if (Array.isArray(parent)) return Number(token);
    if (!isObject(parent)) return 0;
    let known = positions.get(parent);
    if (!known) {
      known = new Map(Object.keys(parent).map((key, index) => [key, index]));
      positions.set(parent, known);
    }
    return known.get(token) ?? 0;
  };
  return (left, right) => {
    const [a, b] = [tokensOf(left), tokensOf(right)];
    let parent = document;
    for (const [index, token] of a.entries()) {
      const other = b[index];
      if (other === undefined) return 1;
      if (token !== other) return position(parent, token) - position(parent, other);
      parent = valueAt(parent, pointerTo("", token));
    }
    return a.length - b.length;
  };
}
