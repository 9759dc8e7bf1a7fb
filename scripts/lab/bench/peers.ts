/** The programs that the benches compare with. They are installed where no other tool looks, and only when needed. */
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RunError } from "./measure.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const parts = ["package.json", "package-lock.json"];

/** Where they are once `installPeers` has returned. */
export const peersFolder = fileURLToPath(new URL("../../../node_modules/.cache/bench/", import.meta.url));

/**
 * Installs what the lockfile beside this file says, unless it is there already, and puts the programs that use it there.
 *
 * @throws RunError where npm fails
 */
export function installPeers(): void {
  rmSync(join(peersFolder, "peers"), { recursive: true, force: true });
  cpSync(join(here, "peers"), join(peersFolder, "peers"), { recursive: true });
  if (existsSync(join(peersFolder, "node_modules/.package-lock.json")) && parts.every(isSame)) return;
  process.stderr.write(`installing what is compared with, by npm ci in ${peersFolder}\n`);
  mkdirSync(peersFolder, { recursive: true });
  for (const part of parts) copyFileSync(join(here, part), join(peersFolder, part));
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, error } = spawnSync("npm", args, {
    cwd: peersFolder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new RunError(`npm ci failed (${error?.message ?? `exit ${status}`}); see above`);
}

/** The installed version of a package. */
export function versionIn(folder: string, name: string): string {
  const { version }: { version?: string } = JSON.parse(
    readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"),
  );
  return version ?? "?";
}

function isSame(part: string): boolean {
  const installed = join(peersFolder, part);
  return existsSync(installed) && readFileSync(installed).equals(readFileSync(join(here, part)));
}
