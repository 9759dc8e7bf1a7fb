/** Compiles the code blocks of the documentation. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { typeErrors } from "./type-errors.ts";

const root = resolve(import.meta.dirname, "../..");

export interface Snippet {
  readonly text: string;
  /** The output that the page shows in the block after the snippet. */
  readonly prints: string | undefined;
}

/** Returns the TypeScript blocks of a page, in order. */
export function snippetsOf(page: string): Snippet[] {
  const found = page.matchAll(/^```ts\n(.*?)^```\n(?:\n^```(?:json|text)\n(.*?)^```\n)?/gms);
  return [...found].map(([, text = "", prints]) => ({ text, prints }));
}

/**
 * Compiles snippets as modules of one program. Returns the errors.
 * @param snippets keyed by the file name that errors contain
 * @param others other files, which snippets may import
 */
export function snippetErrors(
  snippets: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, string>,
): string[] {
  // The folder is inside this project, so that snippets can import the project by its name.
  mkdirSync(join(root, "coverage"), { recursive: true });
  const folder = mkdtempSync(join(root, "coverage/snippets-"));
  const write = ([name, text]: readonly [string, string]): string => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.replaceAll('"./scripts/', `"${root}/scripts/`));
    return file;
  };
  try {
    for (const file of others) write(file);
    const files = [...snippets].map(write);
    return typeErrors(files, { rewriteRelativeImportExtensions: false }).map(
      ({ file, message }) => `${basename(file)}: ${message.replaceAll("\n", " ")}`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
