/** Bundles the mock into one module, and measures the bundle of the client that a page loads. */
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { rolldown } from "rolldown";

export async function bundleForNode(root: string, entry: string): Promise<string> {
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

export interface Weight {
  readonly minifiedBytes: number;
  readonly gzipBytes: number;
}

/** Measures with esbuild, because webpack, Rollup and Vite make smaller bundles of the client. */
export async function browserWeight(root: string, entry: string): Promise<Weight> {
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
