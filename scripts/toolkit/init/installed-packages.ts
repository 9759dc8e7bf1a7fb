/** Finds out how the two packages were installed, so that a new project installs the same ones. */
import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

export const packageNames = ["specbind", "specbind-runtime"] as const;

/** The version of each package or, if it is a tarball, its absolute path after `file:`. */
export type InstalledPackages = { readonly [Name in (typeof packageNames)[number]]: string };

/** The part of `.package-lock.json`, which npm writes into a folder of packages. */
interface Lock {
  readonly packages: { readonly [path: string]: { readonly resolved?: string } };
}

/** @param folder a folder of the installed package `specbind` */
export async function installedPackages(folder = import.meta.dirname): Promise<InstalledPackages> {
  const modules = resolve(folder.slice(0, folder.lastIndexOf("node_modules")), "node_modules");
  // Other package managers do not write this file. Then the version must be in the registry.
  const lock = await readFile(join(modules, ".package-lock.json"), "utf8").catch(() => '{"packages":{}}');
  const { packages }: Lock = JSON.parse(lock);
  const found = packageNames.map(async (name) => {
    const { resolved = "" } = packages[`node_modules/${name}`] ?? {};
    if (resolved.startsWith("file:")) return [name, `file:${resolve(dirname(modules), resolved.slice(5))}`];
    const { version } = JSON.parse(await readFile(join(modules, name, "package.json"), "utf8"));
    return [name, version];
  });
  return Object.fromEntries(await Promise.all(found));
}

/** Returns the text for package.json of a project in the folder. */
export function dependencyOf(installed: string, folder: string): string {
  const [, path] = /^file:(.*)$/s.exec(installed) ?? [];
  return path === undefined ? installed : `file:${relative(folder, path).replaceAll("\\", "/")}`;
}
