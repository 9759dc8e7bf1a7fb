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
 * Compiles modules as one program. Returns the errors.
 * @param modules keyed by their path, which errors contain
 */
export function snippetErrors(modules: ReadonlyMap<string, string>): string[] {
  // The folder is inside this project, so that snippets can import the project by its name.
  mkdirSync(join(root, "coverage"), { recursive: true });
  const folder = mkdtempSync(join(root, "coverage/snippets-"));
  try {
    for (const [path, text] of modules) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text.replaceAll('"./scripts/', `"${root}/scripts/`));
    }
    const files = [...modules.keys()]
      .filter((path) => path.endsWith(".ts"))
      .map((path) => join(folder, path));
    return typeErrors(files, { rewriteRelativeImportExtensions: false }).map(
      ({ file, message }) => `${basename(file)}: ${message.replaceAll("\n", " ")}`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
