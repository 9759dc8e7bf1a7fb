/** Finds words of this service in files that must serve any spec. */

/** Without `webhooks`, because OpenAPI has a keyword of that name. */
const commerceWords = new Set(
  "commission commissions dial login mfa mobile slab slabs supply tenant tenants totp webhook".split(" "),
);

/** `line: word` for each word of commerce. Finds words in `commission_data` and `submitCommission` too. */
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
