/** The package `specbind`: the command, and the modules and files that it needs. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compile, reachOf } from "../toolkit/build-client/compile.ts";
import {
  aliasesOf,
  BuildError,
  declarationOf,
  type ProjectManifest,
  publishedExports,
  rangesOf,
  scriptOf,
} from "../toolkit/build-client/manifest.ts";
import type { NewPackage } from "./new-package.ts";
import { publishedText } from "./runtime-package.ts";

/** What users import. */
export const toolkitEntries = {
  ".": "./scripts/toolkit/define-config.ts",
  "./vite": "./scripts/toolkit/vite.ts",
  "./testing": "./scripts/toolkit/service-tests.ts",
};
/** Started by `bin`, or as a thread. */
const programs = ["scripts/toolkit/specbind.ts", "scripts/toolkit/dev/generator-thread.ts"];
const bin = "scripts/toolkit/bin.js";
/** Copied as they are. */
const texts = [
  bin,
  ...["values", "problems", "memory", "formats", "hosts", "addresses"].map(
    (name) => `scripts/toolkit/json-schema/runtime/${name}.js`,
  ),
  "scripts/toolkit/docs/scalar-license.txt",
];
/** Only this file of recheck is used. The package would bring programs for each platform, with 60 MB. */
const carried = { "vendor/recheck/browser.cjs": "lib/browser.js", "vendor/recheck/LICENSE": "LICENSE" };
/** Lists what package.json does not, so that audits find it. */
const sbom = "vendor/sbom.cdx.json";
/** The edition of ECMAScript of Node 22. */
const edition = "esnext";

/** @throws BuildError if a module does not compile, or imports an undeclared package */
export function toolkitPackage(root: string, project: ProjectManifest, version: string): NewPackage {
  const modules = Object.values(toolkitEntries).map((path) => path.slice(2));
  const sources = [...programs, ...modules];
  // Imports of the runtime lead to its package.
  const aliases = [...aliasesOf(project).keys()].map(
    (name) => [name, name.replace("#specbind", "specbind-runtime")] as const,
  );
  const compiled = compile(root, sources, { edition, aliases: new Map(aliases) });
  const scripts = reachOf(compiled, sources.map(scriptOf));
  const declarations = reachOf(compiled, modules.map(declarationOf));
  const files = new Map(
    [...scripts.paths, ...declarations.paths].map((path) => [
      path,
      publishedText(path, compiled.get(path) ?? ""),
    ]),
  );
  for (const path of texts) files.set(path, readFileSync(join(root, path), "utf8"));
  for (const [path, source] of Object.entries(carried))
    files.set(path, readFileSync(join(root, "node_modules/recheck", source), "utf8"));
  files.set(sbom, sbomOf(root));
  const foreign = [...scripts.paths].filter((path) => !path.startsWith("scripts/toolkit/"));
  if (foreign.length > 0) throw new BuildError(`specbind would contain ${foreign.join(", ")}`);
  const { dependencies, devDependencies } = project;
  const packages = [...scripts.packages].filter((name) => name !== "specbind-runtime");
  return {
    name: "specbind",
    files,
    manifest: {
      description: "Generates types, validators, a server contract and a client from an OpenAPI document.",
      engines: { node: ">=22.18" },
      exports: publishedExports(toolkitEntries),
      imports: { "#recheck": "./vendor/recheck/browser.cjs" },
      bin: { specbind: `./${bin}` },
      dependencies: {
        ...rangesOf({ dependencies: { ...devDependencies, ...dependencies } }, packages),
        "specbind-runtime": version,
      },
    },
    readme: "scripts/toolkit/README.md",
    limitBytes: 2_500_000,
  };
}

/** CycloneDX 1.6. */
function sbomOf(root: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(root, "node_modules/recheck/package.json"), "utf8"),
  );
  const digest = hash("sha256", readFileSync(join(root, "node_modules/recheck/lib/browser.js")));
  const component = {
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name}@${version}`,
    licenses: [{ license: { id: license } }],
    components: [
      {
        type: "file",
        name: "vendor/recheck/browser.cjs",
        hashes: [{ alg: "SHA-256", content: digest }],
      },
    ],
  };
  const bom = { bomFormat: "CycloneDX", specVersion: "1.6", version: 1, components: [component] };
  return `${JSON.stringify(bom, null, 2)}\n`;
}
