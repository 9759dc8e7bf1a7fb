/** Builds the packages and installs them in a folder, without a registry. */
import { mkdir, readdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { root, run } from "../../build/consumers/testing/installed.ts";

/** @returns the paths of the tarballs */
export async function installPackages(
  project: string,
): Promise<{ readonly runtime: string; readonly toolkit: string }> {
  const folder = dirname(project);
  const command = join(root, "scripts/build-packages.ts");
  const { status, output } = await run(process.execPath, [command, "--out", "out"], folder);
  const built = [...output.matchAll(/^out\/\S+\.tgz(?=: \d+ files, \d+ bytes; the limit is \d+$)/gm)];
  const [runtime = "", toolkit = ""] = built.map(([path]) => join(folder, path));
  if (status !== 0 || toolkit === "") throw new Error(output);
  const modules = join(project, "node_modules");
  for (const [name, tarball] of Object.entries({ "specbind-runtime": runtime, specbind: toolkit })) {
    await mkdir(join(modules, name), { recursive: true });
    await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", join(modules, name)], project);
  }
  // Their dependencies come from this checkout instead of the registry.
  for (const name of await readdir(join(root, "node_modules")))
    await symlink(join(root, "node_modules", name), join(modules, name));
  return { runtime, toolkit };
}
