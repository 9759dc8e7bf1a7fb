/** Reads package.json of a project, and makes those of packages. */
type Conditions = { readonly [condition: string]: string };

/** The package cannot be built. The message has a line for each problem, with its fix. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}

/** The fields of the project's package.json that are published. */
export interface ProjectManifest {
  readonly name?: string;
  readonly type?: string;
  readonly license?: string;
  readonly keywords?: readonly string[];
  readonly repository?: unknown;
  readonly exports?: { readonly [subpath: string]: unknown };
  readonly imports?: { readonly [name: string]: Conditions | string };
  readonly dependencies?: { readonly [name: string]: string };
  readonly devDependencies?: { readonly [name: string]: string };
}

/** The imports of package.json that have one target. */
export function aliasesOf({ imports = {} }: Pick<ProjectManifest, "imports">): Map<string, string> {
  return new Map(
    Object.entries(imports).flatMap(([name, target]) => (typeof target === "string" ? [[name, target]] : [])),
  );
}

/** An import with one target is only an alias, which the build replaces by a relative path. */
export function conditionalImports(
  imports: ProjectManifest["imports"] = {},
): [name: string, conditions: Conditions][] {
  return Object.entries(imports).flatMap(([name, target]) =>
    typeof target === "string" ? [] : [[name, target]],
  );
}

/** Returns the versions of packages. @throws BuildError if the project does not depend on one of them */
export function rangesOf(
  { dependencies = {} }: Pick<ProjectManifest, "dependencies">,
  packages: Iterable<string>,
): Record<string, string> {
  const ranges = [...packages].sort().map((name) => {
    const range = dependencies[name];
    if (range === undefined)
      throw new BuildError(`the package imports ${name}: add it to \`dependencies\` of package.json`);
    return [name, range];
  });
  return Object.fromEntries(ranges);
}

/** @param entries the source of each subpath */
export function publishedExports(entries: { readonly [subpath: string]: string }): object {
  const modules = Object.entries(entries).map(([subpath, source]) => [
    subpath,
    { types: declarationOf(source), default: scriptOf(source) },
  ]);
  return { ...Object.fromEntries(modules), "./package.json": "./package.json" };
}

export function publishedImports({ imports }: Pick<ProjectManifest, "imports">): object {
  const scripts = conditionalImports(imports).map(([name, { types: _, ...conditions }]) => [
    name,
    Object.fromEntries(
      Object.entries(conditions).map(([condition, source]) => [condition, scriptOf(source)]),
    ),
  ]);
  return Object.fromEntries(scripts);
}

export function scriptOf(source: string): string {
  return source.replace(/\.ts$/, ".js");
}

export function declarationOf(source: string): string {
  return source.replace(/\.[jt]s$/, ".d.ts");
}
