/** Bundles the mock as one module, and the client as a page would load it. */
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type RolldownOutput, rolldown } from "rolldown";

export async function bundleForNode(root: string, entry: string): Promise<string> {
  const build = await rolldown({
    input: join(root, entry),
    cwd: root,
    platform: "node",
    transform: { target: "node20" },
  });
  const { output } = await build.generate({ format: "esm", codeSplitting: false });
  await build.close();
  return output[0].code;
}

export interface Weight {
  readonly minifiedBytes: number;
  readonly gzipBytes: number;
}

export async function browserWeight(root: string, entry: string): Promise<Weight> {
  const build = await rolldown({
    input: entry,
    platform: "browser",
    resolve: { modules: [join(root, "node_modules")] },
  });
  const { output }: RolldownOutput = await build.generate({
    format: "esm",
    minify: true,
    codeSplitting: false,
  });
  await build.close();
  const bytes = Buffer.from(output[0].code, "utf8");
  return { minifiedBytes: bytes.byteLength, gzipBytes: gzipSync(bytes, { level: 9 }).byteLength };
}
