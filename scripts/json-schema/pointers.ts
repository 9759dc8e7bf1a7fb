/** JSON pointers (RFC 6901) into a document, and the URI fragments that carry them in a `$ref`. */

/** True for a plain JSON object; arrays and null are not records. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function escapeToken(token: string): string {
  if (!token.includes("~") && !token.includes("/")) return token;
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function joinPointer(base: string, ...tokens: (string | number)[]): string {
  let pointer = base;
  for (const token of tokens) pointer += `/${typeof token === "number" ? token : escapeToken(token)}`;
  return pointer;
}

export function pointerTokens(pointer: string): string[] {
  const tokens = pointer.split("/").slice(1);
  if (!pointer.includes("~")) return tokens;
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** What stands at the pointer, or undefined; only own properties and canonical array indexes are followed. */
export function valueAt(document: unknown, pointer: string): unknown {
  if (pointer !== "" && !pointer.startsWith("/")) return undefined;
  let value = document;
  for (const token of pointerTokens(pointer)) {
    if (Array.isArray(value)) value = /^(?:0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
    else value = isRecord(value) && Object.hasOwn(value, token) ? value[token] : undefined;
  }
  return value;
}

/** The pointer of a local reference such as `#/components/schemas/X`, or undefined for any other reference. */
export function localPointer(reference: string): string | undefined {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  try {
    const pointer = decodeURIComponent(reference.slice(1));
    return joinPointer("", ...pointerTokens(pointer));
  } catch {
    return undefined;
  }
}

/** Orders pointers by where they stand in the document, keys in the order the document writes them. */
export function byDocumentOrder(document: unknown): (left: string, right: string) => number {
  const positions = new Map<object, Map<string, number>>();
  const position = (parent: unknown, token: string): number => {
    if (Array.isArray(parent)) return Number(token);
    if (!isRecord(parent)) return 0;
    let known = positions.get(parent);
    if (!known) {
      known = new Map(Object.keys(parent).map((key, index) => [key, index]));
      positions.set(parent, known);
    }
    return known.get(token) ?? 0;
  };
  return (left, right) => {
    const [a, b] = [pointerTokens(left), pointerTokens(right)];
    let parent = document;
    for (const [index, token] of a.entries()) {
      const other = b[index];
      if (other === undefined) return 1;
      if (token !== other) return position(parent, token) - position(parent, other);
      parent = valueAt(parent, joinPointer("", token));
    }
    return a.length - b.length;
  };
}
