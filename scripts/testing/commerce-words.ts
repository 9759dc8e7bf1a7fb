/** Finds what tells of this service where any may be served. */

/** The nouns of this service. `webhooks` is not among them: OpenAPI has a keyword of that name. */
const commerceWords = new Set(
  "commission commissions dial login mfa mobile slab slabs supply tenant tenants totp webhook".split(" "),
);

/** `line: word` for each word of commerce; `commission_data` and `submitCommission` both hold the word commission. */
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
