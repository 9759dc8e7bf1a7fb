/** Adds a token to a JSON pointer (RFC 6901, section 3). */
export function pointerWith(pointer: string, token: string | number): string {
  return `${pointer}/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Adds tokens to a JSON pointer. It is called very often, so it must be fast. */
export function pointerTo(base: string, ...tokens: (string | number)[]): string {
  let pointer = base;
  for (const token of tokens) {
    const isPlain = typeof token === "number" || !(token.includes("/") || token.includes("~"));
    pointer = isPlain ? `${pointer}/${token}` : pointerWith(pointer, token);
  }
  return pointer;
}

export function tokensOf(pointer: string): string[] {
  const tokens = pointer.split("/").slice(1);
  if (!pointer.includes("~")) return tokens;
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
