/** Builds the packages that other projects install. All have the same version. */
import { execFile } from "node:child_process";
import { mkdir, readFile, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { BuildError, type ProjectManifest } from "../toolkit/build-client/manifest.ts";
import { replaceFolder } from "../toolkit/build-client/package-files.ts";
import { runtimePackage } from "./runtime-package.ts";
import { toolkitPackage } from "./toolkit-package.ts";

const version = "0.1.0";

export interface BuiltPackage {
  readonly tarball: string;
  readonly bytes: number;
  readonly limitBytes: number;
  readonly files: number;
}

/** @throws BuildError, and leaves the package that cannot be built as it was */
export async function buildPackages(root: string, out: string): Promise<BuiltPackage[]> {
  const project: ProjectManifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  await mkdir(out, { recursive: true });
  const built: BuiltPackage[] = [];
  for (const [title, make] of Object.entries({
    "specbind-runtime": runtimePackage,
    specbind: toolkitPackage,
  })) {
    process.stderr.write(`building ${title} …\n`);
    const { name, files, manifest, readme, limitBytes } = make(root, project, version);
    const { license, repository } = project;
    const all = { name, version, license, repository, type: "module", sideEffects: false, ...manifest };
    files.set("package.json", `${JSON.stringify(all, null, 2)}\n`);
    files.set("LICENSE", await readFile(join(root, "LICENSE"), "utf8"));
    files.set("README.md", await readFile(join(root, readme), "utf8"));
    const packed = await replaceFolder(join(out, name), files, (folder) => checked(folder, limitBytes));
    const tarball = join(out, packed.filename);
    await rename(packed.path, tarball);
    built.push({ tarball, bytes: packed.size, limitBytes, files: files.size });
  }
  return built;
}

/** @returns the packed package, which lies next to its folder */
async function checked(folder: string, limitBytes: number) {
  const { messages, pkg } = await publint({ pkgDir: folder, pack: false, strict: true });
  if (messages.length > 0)
    throw new BuildError(messages.map((message) => formatMessage(message, pkg, { color: false })).join("\n"));
  // npm would read a relative path such as `dist/x` as the name of a repository.
  const destination = resolve(folder, "..");
  const args = ["pack", resolve(folder), "--json", "--ignore-scripts", "--pack-destination", destination];
  const { stdout } = await promisify(execFile)("npm", args, { shell: process.platform === "win32" });
  const [packed]: { filename: string; size: number }[] = Object.values(JSON.parse(stdout));
  if (packed === undefined) throw new BuildError(`npm packed nothing: ${stdout}`);
  if (packed.size > limitBytes)
    throw new BuildError(
      `${packed.filename} has ${packed.size} bytes, more than ${limitBytes}: remove code, or move it to another package`,
    );
  return { ...packed, path: join(destination, packed.filename) };
}
