/** JSON as a request's content: strict about its encoding, and about strings that are no Unicode text. */
import { Refusal } from "./refusal.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * @throws Refusal `content_malformed`: bytes that are not UTF-8 (RFC 8259, section 8.1), text that is not JSON, or a
 *   string with half of a surrogate pair, which no database or canonical form can hold (RFC 7493, section 2.1)
 */
export function parseJson(content: Uint8Array): unknown {
  const text = decodeUtf8(content);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal({ reason: "content_malformed", fault: "syntax" });
  }
  // Decoded UTF-8 has no lone surrogates; only an escape can make one.
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value)) {
    throw new Refusal({ reason: "content_malformed", fault: "text" });
  }
  return value;
}

/** @throws Refusal `content_malformed` for bytes that are not UTF-8 */
export function decodeUtf8(content: Uint8Array): string {
  try {
    return utf8.decode(content);
  } catch {
    throw new Refusal({ reason: "content_malformed", fault: "encoding" });
  }
}

/** Whether no string holds half of a surrogate pair. Walks without recursion: the nesting is the caller's choice. */
export function isWellFormed(root: unknown): boolean {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === "string") {
      if (!value.isWellFormed()) return false;
    } else if (Array.isArray(value)) {
      for (const item of value) pending.push(item);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) pending.push(key, item);
    }
  }
  return true;
}
