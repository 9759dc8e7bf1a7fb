import module from "node:module";
import { fileURLToPath } from "node:url";

/**
 * The folder of a project for compiled modules. It is in `node_modules`, because all users share Node's default folder and
 * could put malicious code there.
 */
export function compiledFolder(project: URL): string {
  return fileURLToPath(new URL("node_modules/.cache/compile", project));
}

/** Caches compiled modules for the next process. Node 20 and a folder that is not writable cache nothing. */
export function keepCompiled(project: URL): void {
  module.enableCompileCache?.(compiledFolder(project));
}
