/** Makes the files that differ between new projects: package.json, lockfile, configuration and pages. */
import ts from "typescript";
import type { Info } from "../openapi/document.ts";
import { textOf } from "./base-files.ts";
import { type Lockfile, lockfileFor } from "./lockfile.ts";

interface ProjectPackage {
  readonly scripts: { readonly [name: string]: string };
  readonly imports: { readonly [name: string]: string | object };
  readonly engines: object;
  readonly allowScripts: { readonly [name: string]: boolean };
  readonly dependencies: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
}

/** Packages that no module imports: commands of npm scripts, packages that are read as files, and Node's types. */
const tools = [
  "@biomejs/biome",
  "@redocly/cli",
  "@types/node",
  "development-node",
  "typescript",
  "typescript-7",
  "vitest",
];

const scripts = ["start", "generate", "dev", "mock", "conform", "diff", "docs", "release"].concat(
  "check:generated",
  "check:types",
  "format",
  "lint:spec",
);

/** @param base file contents, keyed by path. @throws Error if a file imports a package that package.json does not have */
export function projectFiles(base: ReadonlyMap<string, string>, info: Info): Map<string, string> {
  const project: ProjectPackage = JSON.parse(textOf("package.json"));
  const lock: Lockfile = JSON.parse(textOf("package-lock.json"));
  const name = packageName(info.title);
  const packages = new Set([...tools, ...[...base].flatMap(([path, text]) => packagesIn(path, text))]);
  const known = { ...project.dependencies, ...project.devDependencies };
  for (const each of packages)
    if (!(each in known)) throw new Error(`${each} is not a dependency of this project`);
  const pick = <Value>(from: { readonly [key: string]: Value }, isWanted: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(from).filter(([key]) => isWanted(key)));
  const manifest = {
    name,
    version: /^\d+\.\d+\.\d+$/.test(info.version) ? info.version : "0.0.0",
    description: `${info.title}, built from its OpenAPI document.`,
    private: true,
    type: "module",
    engines: project.engines,
    exports: {
      "./client": "./client/index.ts",
      "./client/debug": "./client/debug.ts",
      "./client/validate": "./client/validate.ts",
    },
    imports: pick(
      project.imports,
      (each) =>
        typeof project.imports[each] !== "string" ||
        base.has(project.imports[each].replace("./", "")) ||
        each === "#recheck",
    ),
    scripts: {
      ...pick(project.scripts, (each) => scripts.includes(each)),
      "add-rejections": "node scripts/preflight.mjs && node scripts/add-rejections.ts",
      "lint:code": "node scripts/preflight.mjs && biome check --error-on-warnings .",
      test: "npm run -s lint:spec && npm run -s check:generated && npm run -s lint:code && npm run -s check:types && vitest run",
    },
    allowScripts: pick(project.allowScripts, (each) => packages.has(each) || !project.allowScripts[each]),
    dependencies: pick(project.dependencies, (each) => packages.has(each)),
    devDependencies: pick(project.devDependencies, (each) => packages.has(each)),
  };
  const { exclude: _, ...tsconfig } = JSON.parse(textOf("tsconfig.json"));
  const biome = JSON.parse(textOf("biome.json"));
  const includes = biome.files.includes.filter((each: string) => !each.startsWith("!scripts/"));
  const readme = base.get("README.md") ?? "";
  return new Map([
    ["package.json", json(manifest)],
    ["package-lock.json", json(lockfileFor(manifest, lock))],
    ["tsconfig.json", json(tsconfig)],
    ["biome.json", json({ ...biome, files: { ...biome.files, includes } })],
    ["LICENSE.base", textOf("LICENSE")],
    ["README.md", readme.replaceAll("{{title}}", info.title).replaceAll("{{name}}", name)],
  ]);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function packageName(title: string): string {
  const name = title
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 100)
    .replaceAll(/^-+|-+$/g, "");
  return name === "" || name === "node-modules" ? "api" : name;
}

export function packagesIn(path: string, text: string): string[] {
  if (!/\.(ts|js)$/.test(path)) return [];
  return specifiersIn(text)
    .filter((specifier) => /^[a-z@]/.test(specifier) && !specifier.startsWith("node:"))
    .map((specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"));
}

/** The modules that a file imports, even if it imports only types. */
export function specifiersIn(text: string): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}
