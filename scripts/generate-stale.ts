import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { project } from "./project.ts";

const generator = fileURLToPath(new URL("generate.ts", import.meta.url));

/**
 * Replaces stale files, unless the spec breaks a lint rule. A separate process generates them, so that its memory is
 * freed afterwards. Prints to standard error. @returns the exit status
 */
export function generateStale(allowOutside: readonly string[] = []): number {
  const options = allowOutside.flatMap((folder) => ["--allow-outside", folder]);
  const { status } = spawnSync(
    process.execPath,
    [generator, "--quiet", "--rules", project.rules, ...options],
    {
      stdio: ["ignore", 2, 2],
    },
  );
  return status ?? 1;
}
