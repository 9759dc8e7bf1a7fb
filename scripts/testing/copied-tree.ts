import { cpSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const left = new Set([".git", "coverage", "data", "dist", "node_modules"]);

/** Copies every file of the project into a new folder. Its `node_modules` is a link to that of the checkout. */
export function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), "commerce-"));
  for (const name of readdirSync(root).filter((each) => !left.has(each)))
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.endsWith("/node_modules"),
    });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}
