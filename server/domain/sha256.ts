/**
 * The one hash under which random keys and canonical texts are stored. It is fast, and so only for what cannot be
 * guessed: passwords have passwords.ts. A look-up by such a hash need not take constant time: how long an index compares
 * tells a caller of the hash at most, and to whoever cannot choose a text by its hash that is of no use.
 */
import { hash } from "node:crypto";

/** SHA-256 of the text's UTF-8, as 64 lower-case hexadecimal digits. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}
