/** Which of the contract's media types a request's content has (RFC 9110, section 8.3). */
import { Refusal } from "./refusal.ts";

/**
 * @param header the value of Content-Type
 * @returns the one of `supported` that it names
 * @throws Refusal `media_type_unsupported`, also for a charset other than UTF-8
 */
export function mediaTypeOf(header: string | undefined, supported: readonly string[]): string {
  const [essence = "", ...parameters] = (header ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  if (!supported.includes(essence) || (charset !== undefined && !/^"?utf-?8"?$/.test(charset))) {
    throw new Refusal({ reason: "media_type_unsupported", supported });
  }
  return essence;
}

/** @throws Refusal `content_coding_unsupported` where the content is compressed (RFC 9110, section 8.4) */
export function assertNoContentCoding(header: string | undefined): void {
  if (header !== undefined && header.trim().toLowerCase() !== "identity") {
    throw new Refusal({ reason: "content_coding_unsupported" });
  }
}
