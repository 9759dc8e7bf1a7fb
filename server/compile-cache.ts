import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * Keeps compiled modules for the next process. The folder is in `node_modules`, because Node's default folder
 * is shared by all users, who could plant code there. If it is not writable, nothing is kept.
 */
export function keepCompiled(): void {
  enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compile", import.meta.url)));
}
