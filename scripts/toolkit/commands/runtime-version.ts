import { createRequire } from "node:module";
import { join, resolve } from "node:path";

/** The version of a package that a module at this place would import. */
function versionOf(name: string, place: string): string | undefined {
  try {
    return createRequire(place)(`${name}/package.json`).version;
  } catch {
    return undefined;
  }
}

/** Undefined in the repository of the packages. */
export const ownVersion = (): string | undefined => versionOf("specbind", import.meta.url);

/**
 * Returns a line if generated code in the folder would import a runtime of another version than this package's.
 * Undefined in the repository of the packages, and if no runtime is installed yet.
 */
export function otherRuntime(folder: string): string | undefined {
  const own = ownVersion();
  const found = versionOf("specbind-runtime", join(resolve(folder), "imports.js"));
  if (own === undefined || found === undefined || own === found) return undefined;
  return `specbind has version ${own}, but specbind-runtime has version ${found}: run \`npm install specbind-runtime@${own}\``;
}
