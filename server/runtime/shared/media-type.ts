export type BodyKind = "json" | "form" | "multipart" | "text" | "bytes";

export interface MatchedType {
  /** The media type in the contract. It may be a range such as `image/*`. */
  readonly key: string;
  /** The media type of the message, in lower case and without parameters. */
  readonly essence: string;
  /** True if the message has no charset or UTF-8. */
  readonly isUtf8: boolean;
}

/** The value of a parameter may be in quotes (RFC 9110, section 5.6.6). If a parameter is repeated, the first one counts. */
const parameterForm = /;\s*([^\s=;"]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;

function parsed(mediaType: string) {
  const all = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of mediaType.toLowerCase().matchAll(parameterForm))
    if (!all.has(name)) all.set(name, quoted?.replaceAll(/\\(.)/g, "$1") ?? plain);
  const { charset, ...parameters } = Object.fromEntries(all);
  return {
    essence: essence(mediaType),
    parameters: Object.entries(parameters).map(([name, value]) => `${name}=${value}`),
    charset,
  };
}

/** A media type without its parameters, in lower case (RFC 9110, section 8.3.1). */
export function essence(mediaType: string): string {
  return mediaType.replace(/;.*/s, "").trim().toLowerCase();
}

export function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(essence(mediaType));
}

export function bodyKindOf(mediaType: string): BodyKind {
  const known = essence(mediaType);
  if (isJson(known)) return "json";
  if (known === "application/x-www-form-urlencoded") return "form";
  if (known === "multipart/form-data") return "multipart";
  return known.startsWith("text/") ? "text" : "bytes";
}

/**
 * Returns the most specific media type or range of `supported` that matches `mediaType`. All parameters of the supported
 * one must be in `mediaType`, because they can change the meaning (RFC 9110, section 8.3.1). The charset is ignored,
 * because it is always UTF-8.
 */
export function matchType(mediaType: string, supported: readonly string[]): MatchedType | undefined {
  const { essence, parameters, charset } = parsed(mediaType);
  // `a/b+c` is in the ranges `a/*+c`, which ASP.NET declares, `a/*` and `*/*`.
  const ranges = ["*/*", essence.replace(/\/.*/s, "/*"), essence.replace(/\/.*(?=\+)/s, "/*"), essence];
  const rank = (key: string): number => {
    const known = parsed(key);
    if (!known.parameters.every((parameter) => parameters.includes(parameter))) return -1;
    // If two differ only in their charset, the one with the charset of the message is preferred.
    const preference = known.parameters.length + (known.charset === charset ? 0.5 : 0);
    const range = ranges.lastIndexOf(known.essence);
    return range === -1 ? range : range * 100 + preference;
  };
  const best = supported
    .map((key) => ({ key, rank: rank(key) }))
    .filter((each) => each.rank >= 0)
    .sort((left, right) => right.rank - left.rank)[0];
  return best && { key: best.key, essence, isUtf8: charset === undefined || /^utf-?8$/.test(charset) };
}
