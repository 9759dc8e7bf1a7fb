/** Installs the packages as other projects do, and runs this service's tests with them instead of the sources. */
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import project from "../../package.json" with { type: "json" };
import { run, tools } from "../build/consumers/testing/installed.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { type BuiltPackage, buildPackages } from "./packages.ts";
import { publicEntries } from "./runtime-package.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = temporaryFolder();
const tree = join(folder, "project");
/** The sources of the package, and tests of modules that it does not export. */
const isLeftOut =
  /\/(?:client|server)\/runtime$|\/node_modules$|\/server\/behaviour\/(?:secrecy|streams)\.test\.ts$/;
let runtime: BuiltPackage;
beforeAll(async () => {
  const [first] = await buildPackages(root, folder);
  if (first === undefined) throw new Error("no package was built");
  runtime = first;
  await mkdir(join(tree, "node_modules/specbind-runtime"), { recursive: true });
  for (const name of await readdir(join(root, "node_modules")))
    await symlink(join(root, "node_modules", name), join(tree, "node_modules", name));
  await run(
    "tar",
    ["-xzf", runtime.tarball, "--strip-components=1", "-C", "node_modules/specbind-runtime"],
    tree,
  );
});

describe("specbind-runtime", () => {
  it("resolves to the right types in all resolutions that support ES modules, according to are-the-types-wrong", async () => {
    const cli = join(tools, "@arethetypeswrong/cli/dist/index.js");
    const args = [cli, runtime.tarball, "--profile", "esm-only", "--no-color", "--no-emoji"];
    const { status, output } = await run(process.execPath, args, root);
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("OK (ESM)") });
    expect(output.match(/OK \(ESM\)/g)).toHaveLength(Object.keys(publicEntries(project)).length);
  });

  it("has declarations that import no source files", async () => {
    const installed = join(tree, "node_modules/specbind-runtime");
    const declarations = (await readdir(installed, { recursive: true })).filter((path) =>
      path.endsWith(".d.ts"),
    );
    expect(declarations.length).toBeGreaterThan(50);
    for (const path of declarations)
      expect(await readFile(join(installed, path), "utf8"), path).not.toMatch(
        /(?:from|import\() ?["'][^"']*(?:\.ts|#)["']/,
      );
  });

  it("passes this service's own tests of server and client", async () => {
    const copied = ["client", "server", "generated", "scripts", "spec", "docs"];
    for (const path of [...copied, "tsconfig.json", "vitest.config.ts", "CHANGELOG.md"])
      await cp(join(root, path), join(tree, path), {
        recursive: true,
        filter: (source) => !isLeftOut.test(source),
      });
    const imports = Object.keys(project.imports).flatMap((name) =>
      name.startsWith("#specbind/") ? [[name, name.replace("#specbind", "specbind-runtime")]] : [],
    );
    const manifest = { ...project, imports: Object.fromEntries(imports) };
    await writeFile(join(tree, "package.json"), JSON.stringify(manifest));
    const args = ["node_modules/vitest/vitest.mjs", "run", "--project", "fast", "server", "client"];
    const { status, output } = await run(process.execPath, args, tree);
    expect(status, output.slice(-5000)).toBe(0);
    expect(output).toMatch(/\d{3,} passed/);
  });
});
