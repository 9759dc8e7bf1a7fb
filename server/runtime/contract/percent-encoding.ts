/** Percent-encoding (RFC 3986, section 2.1) of UTF-8. */
import { percentDecoded } from "../shared/document.ts";

export const malformedEncoding = "must be percent-encoded UTF-8";

export function isPercentEncoded(text: string): boolean {
  return !text.includes("%") || percentDecoded(text) !== undefined;
}

/** Invalid percent-encoding is not changed, because a cookie may contain percent signs. */
export function decodedIfValid(text: string): string {
  return percentDecoded(text) ?? text;
}

/** In a query or a form, `+` is a space. */
export function formDecoded(text: string): string {
  return decodedIfValid(text.replaceAll("+", " "));
}
