/** Builds the client's package: compiles, bundles, checks the size, and then replaces the whole old package. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import type { Info } from "../toolkit/openapi/document.ts";
import { compile, reachOf } from "./compile-client.ts";
import {
  BuildError,
  declarationOf,
  entryModules,
  type ProjectManifest,
  publishedManifest,
  scriptOf,
} from "./manifest.ts";
import { type PackageFiles, replaceFolder } from "./package-files.ts";

interface BuildOptions {
  readonly root: string;
  readonly out: string;
  /** The maximum size of the code that a browser loads, minified and compressed with gzip. */
  readonly limitBytes: number;
}

interface Weight {
  readonly minifiedBytes: number;
  readonly gzipBytes: number;
}

interface BuiltPackage {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  readonly bytes: number;
  readonly browser: Weight;
}

const browserEntry = "client/index.ts";
/** Published as one bundled module, because it imports parts of the server that are not published. */
const bundled = "client/mock/index.ts";
/** Path in the package, and path in this project. Links are rewritten for the package. */
const texts = [
  ["README.md", "client/README.md"],
  ["docs/client.md", "docs/client.md"],
  ["LICENSE", "LICENSE"],
] as const;
/** The mock contains parts of the server, so it needs the server's edition of ECMAScript. */
const serversEdition = "es2024";

/** @throws BuildError, and leaves the package's folder unchanged */
export async function buildPackage({ root, out, limitBytes }: BuildOptions): Promise<BuiltPackage> {
  const project: ProjectManifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const { info }: { info: Info } = JSON.parse(await readFile(join(root, "generated/openapi.json"), "utf8"));
  const entries = entryModules(project);

  const modules = entries.filter((entry) => entry !== bundled);
  const compiled = new Map([
    ...compile(root, [bundled], { edition: serversEdition }),
    ...compile(root, modules),
  ]);
  const scripts = reachOf(compiled, modules.map(scriptOf));
  const declarations = reachOf(
    compiled,
    Object.values(project.exports).map((source) => declarationOf(source.replace(/^\.\//, ""))),
  );
  const bundle = await bundleForNode(root, bundled);

  const files: PackageFiles = new Map();
  for (const path of [...scripts.paths, ...declarations.paths]) {
    files.set(path, compiled.get(path) ?? "");
    const map = compiled.get(`${path}.map`);
    if (map !== undefined) files.set(`${path}.map`, map);
  }
  files.set(scriptOf(bundled), bundle);
  const manifest = publishedManifest(project, info, new Set([...scripts.packages, ...declarations.packages]));
  files.set("package.json", `${JSON.stringify(manifest, null, 2)}\n`);
  for (const [path, source] of texts)
    files.set(path, (await readFile(join(root, source), "utf8")).replaceAll("](../", "]("));

  const browser = await replaceFolder(out, files, async (folder) => {
    const weight = await browserWeight(root, join(folder, scriptOf(browserEntry)));
    if (weight.gzipBytes > limitBytes) throw new BuildError(tooLarge(weight, limitBytes));
    return weight;
  });
  const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return { name: project.name, version: info.version, files: [...files.keys()].sort(), bytes, browser };
}

async function bundleForNode(root: string, entry: string): Promise<string> {
  const bundle = await rolldown({
    input: join(root, entry),
    cwd: root,
    platform: "node",
    transform: { target: "node20" },
  });
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

/** Measures with esbuild, because webpack, Rollup and Vite make smaller bundles of the client. */
async function browserWeight(root: string, entry: string): Promise<Weight> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    platform: "browser",
    format: "esm",
    nodePaths: [join(root, "node_modules")],
    bundle: true,
    minify: true,
    write: false,
  });
  const bytes = outputFiles[0]?.contents ?? Buffer.alloc(0);
  return { minifiedBytes: bytes.byteLength, gzipBytes: gzipSync(bytes, { level: 9 }).byteLength };
}

function tooLarge({ gzipBytes }: Weight, limitBytes: number): string {
  return `a page would load ${gzipBytes} bytes of the client, more than ${limitBytes}: remove code that not every page needs, or move it to a separate entry`;
}
