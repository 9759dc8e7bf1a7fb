/** Builds a package of a project's client: compiles it with its runtime, and then replaces the whole old package. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Info } from "../openapi/document.ts";
import { compile, reachOf } from "./compile.ts";
import {
  aliasesOf,
  BuildError,
  conditionalImports,
  declarationOf,
  type ProjectManifest,
  publishedExports,
  publishedImports,
  rangesOf,
  scriptOf,
} from "./manifest.ts";
import { type PackageFiles, replaceFolder } from "./package-files.ts";

interface BuildOptions<Checked> {
  /** The folder of the project's package.json and tsconfig.json. */
  readonly root: string;
  /** The folder of the generated files, relative to the root. */
  readonly generated: string;
  readonly out: string;
  readonly name: string | undefined;
  /** Checks the new folder before it replaces the old one. */
  readonly check?: (folder: string) => Promise<Checked>;
}

interface BuiltClient<Checked> {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly bytes: number;
  readonly checked: Checked | undefined;
}

/** Path in the package, and path in the project, which need not exist. Links are rewritten for the package. */
const texts = [
  ["README.md", "client/README.md"],
  ["docs/client.md", "docs/client.md"],
  ["LICENSE", "LICENSE"],
] as const;

/** @throws BuildError, and leaves the package's folder unchanged */
export async function buildClient<Checked>({
  root,
  generated,
  out,
  check,
  ...options
}: BuildOptions<Checked>): Promise<BuiltClient<Checked>> {
  const project: ProjectManifest = JSON.parse(textOf(join(root, "package.json"), "make one with `npm init`"));
  if (project.type !== "module") throw new BuildError('package.json needs the line `"type": "module"`');
  const document = textOf(join(root, generated, "openapi.json"), "run `npx specbind generate`");
  const { info }: { info: Info } = JSON.parse(document);
  const { name = project.name && `${project.name}-client` } = options;
  if (!name) throw new BuildError("package.json has no name; give the package one with --name NAME");
  const entries = entriesOf(project, root, generated);
  const runtime = runtimeOf(project, root);
  const platforms = conditionalImports(runtime.imports).flatMap(([, each]) => Object.values(each));
  const own = [...Object.values(entries), ...(runtime.isInstalled ? [] : platforms)].map(withoutDot);

  const compiled = new Map([
    ...runtime.files,
    ...compile(root, own, { features: ["es2024.string"], aliases: runtime.aliases }),
  ]);
  const scripts = reachOf(compiled, [...own, ...platforms.map(withoutDot)].map(scriptOf));
  const declarations = reachOf(compiled, Object.values(entries).map(withoutDot).map(declarationOf));
  const files: PackageFiles = new Map();
  for (const path of [...scripts.paths, ...declarations.paths]) {
    files.set(path, compiled.get(path) ?? "");
    const map = compiled.get(`${path}.map`);
    if (map !== undefined) files.set(`${path}.map`, map);
  }
  const packages = new Set([...scripts.packages, ...declarations.packages]);
  const [main = ""] = Object.values(entries);
  const { license, keywords, repository } = project;
  const manifest = {
    ...{ name, version: info.version, description: `Typed client of ${info.title}.` },
    ...{ license, keywords, repository, types: declarationOf(main), type: "module", sideEffects: false },
    engines: { node: ">=20.3" },
    exports: publishedExports({ ".": main, ...entries }),
    imports: publishedImports(runtime),
    dependencies: rangesOf({ dependencies: { ...runtime.dependencies, ...project.dependencies } }, packages),
  };
  files.set("package.json", `${JSON.stringify(manifest, null, 2)}\n`);
  files.set("README.md", readme(name, info));
  for (const [path, source] of texts)
    if (existsSync(join(root, source)))
      files.set(path, readFileSync(join(root, source), "utf8").replaceAll("](../", "]("));

  const checked = await replaceFolder(out, files, async (folder) => check?.(folder));
  const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return { name, version: info.version, files: [...files.keys()].sort(), bytes, checked };
}

function textOf(path: string, fix: string): string {
  if (!existsSync(path)) throw new BuildError(`${path} is missing: ${fix}`);
  return readFileSync(path, "utf8");
}

/** The sources that package.json exports, or else the client's main module. */
function entriesOf({ exports = {} }: ProjectManifest, root: string, generated: string) {
  const sources = Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === "string" && target.endsWith(".ts") ? [[subpath, target] as const] : [],
  );
  if (sources.length > 0) return Object.fromEntries(sources);
  const main = existsSync(join(root, "client/index.ts")) ? "client/index.ts" : `${generated}/client.ts`;
  return { ".": `./${main}` };
}

interface Runtime extends Pick<ProjectManifest, "imports" | "dependencies"> {
  readonly isInstalled: boolean;
  /** Where the names of its modules lead in the package. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Its compiled modules, keyed by path in the package. */
  readonly files: PackageFiles;
}

/** The sources of the runtime, if they are in the project, or the installed package, which becomes part of the client's. */
function runtimeOf(project: ProjectManifest, root: string): Runtime {
  const aliases = aliasesOf(project);
  if (aliases.has("#specbind/client"))
    return { isInstalled: false, aliases, files: new Map(), imports: project.imports ?? {} };
  const manifestFile = installed("specbind-runtime/package.json", root);
  const {
    exports = {},
    imports,
    dependencies = {},
  }: ProjectManifest = JSON.parse(readFileSync(manifestFile, "utf8"));
  const folder = dirname(manifestFile);
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => /\.(?:js|d\.ts)$/.test(path) && !path.includes("node_modules"),
  );
  const within = (path: string): string => path.replace(/^\.\//, "./runtime/");
  return {
    isInstalled: true,
    aliases: new Map([
      ...aliases,
      ...Object.entries(exports as Record<string, { default?: string }>).flatMap(([subpath, target]) =>
        target.default === undefined
          ? []
          : [[subpath.replace(".", "specbind-runtime"), within(target.default)] as const],
      ),
    ]),
    files: new Map(
      paths.map((path) => [
        `runtime/${path.replaceAll("\\", "/")}`,
        readFileSync(join(folder, path), "utf8"),
      ]),
    ),
    imports: Object.fromEntries(
      conditionalImports(imports).map(([name, conditions]) => [
        name,
        Object.fromEntries(Object.entries(conditions).map(([condition, path]) => [condition, within(path)])),
      ]),
    ),
    dependencies,
  };
}

function installed(name: string, root: string): string {
  try {
    return createRequire(join(root, "package.json")).resolve(name);
  } catch {
    throw new BuildError("specbind-runtime is not installed: run `npm install specbind-runtime`");
  }
}

function withoutDot(path: string): string {
  return path.replace(/^\.\//, "");
}

function readme(name: string, { title, version }: Info): string {
  return `# ${name}

Typed client of ${title} ${version}. It has one function for each operation of the API's OpenAPI document.

\`\`\`ts
import { createClient } from "${name}";

const client = createClient({ baseUrl: "https://api.example.com" });
\`\`\`
`;
}
