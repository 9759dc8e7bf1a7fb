import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RunError } from "./measure.ts";

export const root = fileURLToPath(new URL("../../../", import.meta.url));
export const peersFolder = join(root, "node_modules/.cache/bench");
const here = join(root, "scripts/lab/bench");
const [wanted, installed] = [join(here, "peers/package.json"), join(peersFolder, "package.json")];

/** Installs the packages to compare with, unless the same versions are installed. @throws RunError if npm fails */
export function installPeers(): void {
  if (!isInstalled()) {
    console.error(`npm install in ${peersFolder}`);
    rmSync(peersFolder, { recursive: true, force: true });
    mkdirSync(peersFolder, { recursive: true });
    copyFileSync(wanted, installed);
    const args = ["install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund"];
    const { status } = spawnSync("npm", args, { cwd: peersFolder, stdio: ["ignore", "ignore", "inherit"] });
    if (status !== 0) throw new RunError(`npm install failed (exit ${status}); see above`);
  }
  rmSync(join(peersFolder, "peers"), { recursive: true, force: true });
  cpSync(join(here, "peers"), join(peersFolder, "peers"), { recursive: true });
}

/** Checks node_modules/.package-lock.json, because npm writes this file last. */
function isInstalled(): boolean {
  if (!existsSync(join(peersFolder, "node_modules/.package-lock.json"))) return false;
  return readFileSync(installed).equals(readFileSync(wanted));
}

/** Returns a package's name and version, such as `Fastify 5.12.8`. */
export function titleOf(packageName: string, title = packageName): string {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(readFileSync(wanted, "utf8"));
  return `${title} ${dependencies[packageName]}`;
}
