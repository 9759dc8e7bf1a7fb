export type BodyKind = "json" | "form" | "multipart" | "text" | "bytes";

export interface MatchedType {
  /** The media type in the contract. It may be a range such as `image/*`. */
  readonly key: string;
  /** The media type of the message, in lower case and without parameters. */
  readonly essence: string;
  /** True if the message has no charset or UTF-8. */
  readonly isUtf8: boolean;
}

/** The value of a parameter may be in quotes (RFC 9110, section 5.6.6). */
const parameterForm = /;\s*([^\s=;"]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;

function parsed(mediaType: string) {
  const parameters = [...mediaType.toLowerCase().matchAll(parameterForm)].map(
    ([, name = "", quoted, plain]) => [name, quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? ""] as const,
  );
  return {
    essence: essence(mediaType),
    parameters: parameters.flatMap(([name, value]) => (name === "charset" ? [] : [`${name}=${value}`])),
    charset: parameters.find(([name]) => name === "charset")?.[1],
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
  const [type] = essence.split("/");
  const rank = (key: string): number => {
    const known = parsed(key);
    if (!known.parameters.every((parameter) => parameters.includes(parameter))) return -1;
    // If two differ only in their charset, the one with the charset of the message is preferred.
    if (known.essence === essence) return 2 + known.parameters.length + (known.charset === charset ? 0.5 : 0);
    if (known.essence === `${type}/*`) return 1;
    if (known.essence === "*/*") return 0;
    // ASP.NET declares `application/*+json`.
    const suffix = known.essence.startsWith(`${type}/*+`) ? known.essence.split("*")[1] : undefined;
    return suffix !== undefined && essence.endsWith(suffix) ? 1.5 : -1;
  };
  const best = supported
    .map((key) => ({ key, rank: rank(key) }))
    .filter((each) => each.rank >= 0)
    .sort((left, right) => right.rank - left.rank)[0];
  return best && { key: best.key, essence, isUtf8: charset === undefined || /^utf-?8$/.test(charset) };
}
