/** Extracts a part of a lockfile, so that a new project installs the versions that are tested here. */

interface LockedPackage {
  readonly dependencies?: DependencyNames;
  readonly optionalDependencies?: DependencyNames;
  readonly peerDependencies?: DependencyNames;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly [field: string]: unknown;
}
type DependencyNames = { readonly [name: string]: string };

export interface Lockfile {
  readonly lockfileVersion: number;
  readonly packages: { readonly [path: string]: LockedPackage };
}

interface Wanted {
  readonly name: string;
  readonly version: string;
  readonly dependencies: DependencyNames;
  readonly devDependencies: DependencyNames;
}

/** @param manifest the package.json of the new project. The lockfile must contain its packages */
export function lockfileFor(manifest: Wanted, { lockfileVersion, packages }: Lockfile): object {
  const { name, version, dependencies, devDependencies } = manifest;
  const production = reachable(packages, Object.keys(dependencies));
  const all = reachable(packages, Object.keys({ ...dependencies, ...devDependencies }));
  const packagesLeft = Object.entries(packages).flatMap(([path, { dev: _, ...found }]) => {
    if (path === "" || !all.has(path)) return [];
    return [[path, production.has(path) ? found : { ...found, dev: true }] as const];
  });
  const own = { name, version, dependencies, devDependencies };
  return {
    name,
    version,
    lockfileVersion,
    requires: true,
    packages: { "": own, ...Object.fromEntries(packagesLeft) },
  };
}

function reachable(packages: Lockfile["packages"], names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const pending = names.map((name) => ({ from: "", name }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const path = installed(packages, next.from, next.name);
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    const { link, resolved = "" } = packages[path] ?? {};
    // In the lockfile, a workspace package is a link to its folder.
    const contents = link ? resolved : path;
    found.add(contents);
    const { dependencies, optionalDependencies, peerDependencies } = packages[contents] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      pending.push({ from: path, name });
  }
  return found;
}

/** Searches `node_modules` upwards as Node does. Undefined for an optional package that is missing. */
function installed(packages: Lockfile["packages"], from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    const path = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (at === "") return undefined;
  }
}
