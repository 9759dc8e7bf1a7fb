/** The package `specbind-runtime`: the public entries of the runtime, and the modules that they import. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { compile, reachOf } from "../toolkit/build-client/compile.ts";
import {
  aliasesOf,
  conditionalImports,
  declarationOf,
  type ProjectManifest,
  publishedExports,
  publishedImports,
  rangesOf,
  scriptOf,
} from "../toolkit/build-client/manifest.ts";
import type { NewPackage } from "./new-package.ts";

const alias = "#specbind/";
/** Read as text by the reference page. */
const pageScript = "server/runtime/process/docs-page-script.js";
/** The application chooses the version, because it makes the Hono app. Clients do not need it. */
const peers = ["hono"];

/** The source of each public entry, keyed by subpath, such as `./server`. */
export function publicEntries(project: Pick<ProjectManifest, "imports">): Record<string, string> {
  const entries = [...aliasesOf(project)].filter(([name]) => name.startsWith(alias));
  return Object.fromEntries(entries.map(([name, target]) => [name.replace(alias, "./"), target]));
}

/** @throws BuildError if a module does not compile or imports an undeclared package */
export function runtimePackage(root: string, project: ProjectManifest): NewPackage {
  const entries = publicEntries(project);
  const platforms = conditionalImports(project.imports).flatMap(([, targets]) => Object.values(targets));
  const sources = [...Object.values(entries), ...platforms].map((source) => source.replace(/^\.\//, ""));
  // Generated code uses what is hidden from users of a client.
  const compiled = compile(root, sources, {
    features: ["es2024.string"],
    hidesInternal: false,
    aliases: aliasesOf(project),
  });
  const scripts = reachOf(compiled, sources.map(scriptOf));
  const declarations = reachOf(compiled, sources.map(declarationOf));
  const paths = [...scripts.paths, ...declarations.paths];
  const files = new Map(paths.map((path) => [path, publishedText(path, compiled.get(path) ?? "")]));
  files.set(pageScript, readFileSync(join(root, pageScript), "utf8"));
  const packages = [...new Set([...scripts.packages, ...declarations.packages])];
  return {
    name: "specbind-runtime",
    files,
    manifest: {
      description:
        "Serves and calls an API as its OpenAPI document says. Generated code of `specbind` imports it.",
      engines: { node: ">=20.3" },
      exports: publishedExports(entries),
      imports: publishedImports(project),
      dependencies: rangesOf(
        project,
        packages.filter((name) => !peers.includes(name)),
      ),
      peerDependencies: { hono: "^4.8" },
      peerDependenciesMeta: { hono: { optional: true } },
    },
    readme: "server/runtime/README.md",
    limitBytes: 120_000,
  };
}

/** Source maps would be larger than the code. Comments are in the declarations, where editors show them. */
export function publishedText(path: string, text: string): string {
  if (path.endsWith(".d.ts")) return text;
  const { ESNext } = ts.ScriptTarget;
  return ts.transpileModule(text, { compilerOptions: { removeComments: true, target: ESNext } }).outputText;
}
