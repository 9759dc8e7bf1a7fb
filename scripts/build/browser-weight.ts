import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** Measures with esbuild, because webpack, Rollup and Vite make smaller bundles of the client. */
export async function browserWeight(root: string, entry: string) {
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
