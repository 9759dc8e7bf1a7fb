/** Random text of letters and digits, for keys and ids that a double click selects whole. */
import { randomInt } from "node:crypto";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Each character, drawn from 62 by the system's cryptographic generator, carries 5.95 bits. */
export function randomText(length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}

/** Writes a non-negative integer in base 62, filled up with zeros in front to `length`. */
export function toBase62(value: number, length: number): string {
  let text = "";
  for (let rest = value; rest > 0; rest = Math.floor(rest / alphabet.length)) {
    text = alphabet.charAt(rest % alphabet.length) + text;
  }
  return text.padStart(length, alphabet.charAt(0));
}
