/** Generates whatever is stale, for a command that runs on what is generated. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const generator = fileURLToPath(new URL("generate.ts", import.meta.url));

/**
 * In a process of its own, so that the generator's memory is not kept. What it says goes to standard error.
 *
 * @returns its exit status
 */
export function generateStale(): number {
  const { status } = spawnSync(process.execPath, [generator, "--quiet"], { stdio: ["ignore", 2, 2] });
  return status ?? 1;
}
