import type { Format } from "#specbind/contract";

/** The format of the code that the generator writes. */
export const format: Format = 1;

export const origin = "Generated from the OpenAPI document by specbind";
/** Prettier reads `@noformat` if its option `checkIgnorePragma` is set, and only in the first comment. */
export const banner = `/**
 * ${origin}. Edit the document, not this file.
 * @noformat
 */
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
`;

/** Matches what files of this version and of earlier ones begin with. A manifest may have merge conflicts before it. */
const begin =
  /^(?:\/\/ |\/\*\*\n \* |<!doctype html>\n<!-- |[\s\S]*"note": ")Generated (?:from the OpenAPI document by specbind|by `npm run generate`)/;

export function isGenerated(text: string): boolean {
  return begin.test(text);
}
