/** Media types as RFC 9110, section 8.3, defines them. The runtime, which is checked, reads them with other code. */
export type BodyKind = "json" | "form" | "multipart" | "text" | "bytes";

interface MediaType {
  /** Type and subtype, in lower case. */
  readonly essence: string;
  readonly parameters: ReadonlyMap<string, string>;
}

export function parseMediaType(text: string): MediaType {
  const [essence = "", ...rest] = text.toLowerCase().split(";");
  const pairs = rest.filter((each) => each.includes("=")).map((each) => each.trim().split(/=(.*)/s, 2));
  // If a parameter is repeated, the first one counts.
  const parameters = new Map(
    pairs
      .toReversed()
      .map(([name = "", value = ""]) => [name, value.replace(/^"(.*)"$/s, "$1").replaceAll(/\\(.)/g, "$1")]),
  );
  return { essence: essence.trim(), parameters };
}

export function bodyKindOf(mediaType: string): BodyKind {
  const { essence } = parseMediaType(mediaType);
  if (/[/+]json$/.test(essence)) return "json";
  if (essence === "application/x-www-form-urlencoded") return "form";
  if (essence === "multipart/form-data") return "multipart";
  return essence.startsWith("text/") ? "text" : "bytes";
}

/**
 * The documented media type or range that matches a media type. If several match, the most specific one. The media type
 * must have the documented parameters, except for a charset.
 */
export function matchingMediaType<Described extends { readonly mediaType: string }>(
  mediaType: string,
  described: readonly Described[],
): Described | undefined {
  const { essence, parameters } = parseMediaType(mediaType);
  // `a/b+c` is in the ranges `a/*+c`, `a/*` and `*/*`.
  const ranges = [essence, essence.replace(/\/.*(?=\+)/, "/*"), essence.replace(/\/.*/, "/*"), "*/*"];
  const matching = described.flatMap((each) => {
    const documented = parseMediaType(each.mediaType);
    const others = [...documented.parameters].filter(([name]) => name !== "charset");
    const isMatch =
      ranges.includes(documented.essence) && others.every(([name, value]) => parameters.get(name) === value);
    const isOfCharset = documented.parameters.get("charset") === parameters.get("charset");
    const rank = ranges.indexOf(documented.essence) * 10 - others.length - (isOfCharset ? 0.5 : 0);
    return isMatch ? [{ each, rank }] : [];
  });
  return matching.toSorted((left, right) => left.rank - right.rank)[0]?.each;
}
