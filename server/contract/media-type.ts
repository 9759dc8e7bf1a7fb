/** Which of the contract's media types content has (RFC 9110, section 8.3), and how content of one is read. */
import { Refusal } from "./refusal.ts";

export type ContentKind = "json" | "form" | "multipart" | "text" | "bytes";

export interface MatchedType {
  /** The media type of the contract, which may be a range such as `image/*`. */
  readonly key: string;
  /** The one that was sent, without parameters, in lower case. */
  readonly essence: string;
}

interface ParsedType {
  readonly essence: string;
  readonly parameters: readonly string[];
}

function parsed(mediaType: string): ParsedType {
  const [essence = "", ...parameters] = mediaType.split(";").map((part) => part.trim().toLowerCase());
  return { essence, parameters: parameters.filter((parameter) => parameter !== "") };
}

export function kindOf(essence: string): ContentKind {
  if (/[/+]json$/.test(essence)) return "json";
  if (essence === "application/x-www-form-urlencoded") return "form";
  if (essence === "multipart/form-data") return "multipart";
  return essence.startsWith("text/") ? "text" : "bytes";
}

/** The most specific of `supported` that a media type falls under. */
export function matchType(mediaType: string, supported: readonly string[]): MatchedType | undefined {
  const { essence, parameters } = parsed(mediaType);
  const [type] = essence.split("/");
  const rank = (key: string): number => {
    const known = parsed(key);
    if (!known.parameters.every((parameter) => parameters.includes(parameter))) return -1;
    if (known.essence === essence) return 2 + known.parameters.length;
    return known.essence === `${type}/*` ? 1 : known.essence === "*/*" ? 0 : -1;
  };
  const best = supported
    .map((key) => ({ key, rank: rank(key) }))
    .filter((each) => each.rank >= 0)
    .sort((left, right) => right.rank - left.rank)[0];
  return best && { key: best.key, essence };
}

/**
 * @param header the value of Content-Type; where there is none, the content is bytes of which nothing is known
 * @throws Refusal `media_type_unsupported`, also for a charset other than UTF-8
 */
export function mediaTypeOf(header: string | undefined, supported: readonly string[]): MatchedType {
  const found = matchType(header ?? "application/octet-stream", supported);
  const charset = parsed(header ?? "")
    .parameters.find((parameter) => parameter.startsWith("charset="))
    ?.slice("charset=".length);
  if (found === undefined || (charset !== undefined && !/^"?utf-?8"?$/.test(charset))) {
    throw new Refusal({ reason: "media_type_unsupported", supported });
  }
  return found;
}

/** @throws Refusal `content_coding_unsupported` where the content is compressed (RFC 9110, section 8.4) */
export function assertNoContentCoding(header: string | undefined): void {
  if (header !== undefined && header.trim().toLowerCase() !== "identity") {
    throw new Refusal({ reason: "content_coding_unsupported" });
  }
}
