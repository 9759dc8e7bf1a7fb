import type { Format } from "#specbind/contract";

/** The format of the code that the generator writes. */
export const format: Format = 1;

export const origin = "Generated from the OpenAPI document by specbind";
export const banner = `// ${origin}. Edit the document, not this file.\n`;

/** Matches what files of this version and of earlier ones begin with. A manifest may have merge conflicts before it. */
const begin =
  /^(?:\/\/ |<!doctype html>\n<!-- |[\s\S]*"note": ")Generated (?:from the OpenAPI document by specbind|by `npm run generate`)/;

export function isGenerated(text: string): boolean {
  return begin.test(text);
}
