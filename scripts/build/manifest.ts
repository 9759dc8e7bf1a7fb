/** Makes the package.json of the published package. It has only the fields that concern the client. */
import type { Info } from "../toolkit/openapi/document.ts";

type Conditions = { readonly [condition: string]: string };

/** The package cannot be built. The message has a line for each problem, with its fix. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}

/** The fields of the project's package.json that are published. */
export interface ProjectManifest {
  readonly name: string;
  readonly license: string;
  readonly keywords?: readonly string[];
  readonly repository?: unknown;
  readonly exports: { readonly [subpath: string]: string };
  readonly imports: { readonly [name: string]: Conditions | string };
  readonly dependencies: { readonly [name: string]: string };
}

/** Returns the modules that users import, and those that depend on the platform. */
export function entryModules({ exports, imports }: ProjectManifest): string[] {
  const targets = [
    ...Object.values(exports),
    ...conditional(imports).flatMap(([, each]) => Object.values(each)),
  ];
  return [...new Set(targets)].map((target) => target.replace(/^\.\//, ""));
}

/** An import with one target is only an alias, which the build replaces by a relative path. */
function conditional(imports: ProjectManifest["imports"]): [name: string, conditions: Conditions][] {
  return Object.entries(imports).flatMap(([name, target]) =>
    typeof target === "string" ? [] : [[name, target]],
  );
}

/** @throws BuildError if the client imports a package that the project does not depend on */
export function publishedManifest(
  project: ProjectManifest,
  { title, version }: Info,
  packages: ReadonlySet<string>,
): object {
  const dependencies = [...packages].sort().map((name) => {
    const range = project.dependencies[name];
    if (range === undefined)
      throw new BuildError(`the client imports ${name}: add it to \`dependencies\` of package.json`);
    return [name, range];
  });
  const main = project.exports["./client"] ?? "";
  return {
    name: project.name,
    version,
    description: `Typed client of ${title}.`,
    license: project.license,
    keywords: project.keywords,
    repository: project.repository,
    types: declarationOf(main),
    type: "module",
    sideEffects: false,
    engines: { node: ">=20.3" },
    exports: {
      ...Object.fromEntries(
        Object.entries({ ".": main, ...project.exports }).map(([subpath, source]) => [
          subpath,
          { types: declarationOf(source), default: scriptOf(source) },
        ]),
      ),
      "./package.json": "./package.json",
    },
    imports: Object.fromEntries(
      conditional(project.imports).map(([name, { types: _, ...conditions }]) => [
        name,
        Object.fromEntries(
          Object.entries(conditions).map(([condition, source]) => [condition, scriptOf(source)]),
        ),
      ]),
    ),
    dependencies: Object.fromEntries(dependencies),
  };
}

export function scriptOf(source: string): string {
  return source.replace(/\.ts$/, ".js");
}

export function declarationOf(source: string): string {
  return source.replace(/\.[jt]s$/, ".d.ts");
}
