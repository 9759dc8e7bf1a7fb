import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

/** The folder is in `node_modules`, because all users share Node's default folder and could put malicious code there. */
export const compiledFolder = fileURLToPath(new URL("../../../node_modules/.cache/compile", import.meta.url));

/** Caches compiled modules for the next process. If the folder is not writable, nothing is cached. */
export function keepCompiled(): void {
  enableCompileCache(compiledFolder);
}
