import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * Has Node keep what it makes of each module that is loaded from here on, types stripped and compiled, for the next process;
 * what has changed since is not taken from there. Beside the packages, where only those may write who may change these: Node's
 * own place for it is a folder that every user shares. Where that cannot be written, nothing is kept.
 */
export function keepCompiled(): void {
  enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compile", import.meta.url)));
}
