/** Finds words of this service in files that must work with any spec. */

/** `webhooks` is not in the list, because OpenAPI has a keyword with this name. */
const commerceWords = new Set(
  "commission commissions dial login mfa mobile slab slabs supply tenant tenants totp webhook".split(" "),
);

/** Returns `line: word` for each word of commerce, including words inside of names such as `submitCommission`. */
export function commerceIn(text: string): string[] {
  return text.split("\n").flatMap((line, index) =>
    line
      .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => commerceWords.has(word))
      .map((word) => `${index + 1}: ${word}`),
  );
}
