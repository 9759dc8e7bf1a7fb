/** Finds integers of a spec that JavaScript rounds because they are beyond 2^53 (RFC 7493, section 2.2). */
import { tokensOf } from "../document.ts";
import { type Place, positionOf, type SpecFile } from "../files.ts";

interface InexactInteger {
  readonly place: Place;
  readonly message: string;
}

/** These may be rounded, because the compared values are rounded too. */
const bounds = new Set(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]);

export function inexactIntegers(file: SpecFile): InexactInteger[] {
  const lines = file.unsafeIntegers.length > 0 ? file.source.body.split(/\r\n?|\n/) : [];
  return file.unsafeIntegers.flatMap((pointer) => {
    const place = { file, pointer };
    if (bounds.has(tokensOf(pointer).at(-1) ?? "")) return [];
    const { line, column } = positionOf(place, false);
    const literal = /^[+-]?[\d.]+(?:e[+-]?\d+)?/i.exec(lines[line - 1]?.slice(column - 1) ?? "");
    const text = literal?.[0].replace(/^\+/, "") ?? "";
    // The author of a number with an exponent or a fraction expects rounding.
    if (text !== "" && (!/^-?\d+$/.test(text) || BigInt(text) === BigInt(Number(text)))) return [];
    const message = `JavaScript reads this integer as ${BigInt(Number(text))}, because it is beyond 2^53; write it as a string`;
    return [{ place, message }];
  });
}
