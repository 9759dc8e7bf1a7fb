/** Generates what is stale, for commands that use the generated code. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const generator = fileURLToPath(new URL("generate.ts", import.meta.url));

/**
 * A separate process, so that the generator's memory is freed. Its output goes to standard error.
 *
 * @returns its exit status
 */
export function generateStale(): number {
  const { status } = spawnSync(process.execPath, [generator, "--quiet"], { stdio: ["ignore", 2, 2] });
  return status ?? 1;
}
