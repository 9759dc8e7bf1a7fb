/** How large an installation without development packages is, from the lockfile and what stands in node_modules. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** The bytes of files; what another platform would install is not here, and does not count. */
export function productionPackages(folder: string = root): { count: number; bytes: number } {
  const { packages }: { packages: Record<string, { dev?: boolean; devOptional?: boolean }> } = JSON.parse(
    readFileSync(join(folder, "package-lock.json"), "utf8"),
  );
  const installed = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
    .map(([path]) => join(folder, path))
    .filter((path) => existsSync(path));
  return { count: installed.length, bytes: installed.reduce((sum, path) => sum + bytesOf(path), 0) };
}

/** Without the packages within, which have entries of their own. */
function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? sum : sum + bytesOf(path);
    return entry.isFile() ? sum + statSync(path).size : sum;
  }, 0);
}
