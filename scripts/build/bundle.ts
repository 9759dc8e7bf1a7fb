/** Bundles: of the mock, so that the package needs none of its packages, and of the client, as a page would load it. */
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { type RolldownOutput, rolldown } from "rolldown";

/** One module that needs nothing but Node. */
export interface Bundle {
  readonly text: string;
  /** The licences of the packages that it holds parts of. */
  readonly licences: string;
}

/** @param root the folder that has the packages in its node_modules */
export async function bundleForNode(root: string, entry: string): Promise<Bundle> {
  const build = await rolldown({
    input: join(root, entry),
    cwd: root,
    platform: "node",
    transform: { target: "node20" },
  });
  const { output } = await build.generate({ format: "esm", codeSplitting: false });
  await build.close();
  const packages = new Set(
    output[0].moduleIds.flatMap((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []),
  );
  const licences = await Promise.all([...packages].sort().map((name) => licenceOf(root, name)));
  return { text: output[0].code, licences: licences.join("") };
}

async function licenceOf(root: string, name: string): Promise<string> {
  const text = await readFile(join(root, "node_modules", name, "LICENSE"), "utf8");
  return `\n---\n\nParts of ${name} are under this licence:\n\n${text}`;
}

export interface Weight {
  readonly minifiedBytes: number;
  readonly gzipBytes: number;
  /** The modules that it comes from, the largest first, in bytes before minifying. */
  readonly parts: readonly { readonly module: string; readonly bytes: number }[];
}

/** Its path beneath node_modules, or else beneath the entry's package. */
function moduleName(id: string, entry: string): string {
  return id.split("/node_modules/").at(1) ?? relative(dirname(dirname(entry)), id);
}

/** How much a page loads of a built package that imports all of its entry. */
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
