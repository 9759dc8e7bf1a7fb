/** Bundles the mock as one module, and the client as a page would load it. */
import { dirname, join, relative } from "node:path";
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
  /** The bundled modules, largest first, in bytes before minifying. */
  readonly parts: readonly { readonly module: string; readonly bytes: number }[];
}

function moduleName(id: string, entry: string): string {
  return id.split("/node_modules/").at(1) ?? relative(dirname(dirname(entry)), id);
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
  const [{ code, modules }] = output;
  const bytes = Buffer.from(code, "utf8");
  const parts = Object.entries(modules)
    .map(([id, { renderedLength }]) => ({ module: moduleName(id, entry), bytes: renderedLength }))
    .filter(({ bytes }) => bytes > 0)
    .toSorted((one, other) => other.bytes - one.bytes);
  return { minifiedBytes: bytes.byteLength, gzipBytes: gzipSync(bytes, { level: 9 }).byteLength, parts };
}
