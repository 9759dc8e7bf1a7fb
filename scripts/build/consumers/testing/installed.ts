/** Builds the package, packs it, and installs it in a folder outside this project, without a registry. */
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ended } from "../../../testing/program.ts";
import { buildClient } from "../../../toolkit/build-client/build-client.ts";

export const root = resolve(import.meta.dirname, "../../../..");
/** The folder of the compilers, runtimes and package checkers that the tests run. */
export const tools = join(import.meta.dirname, "../tools/node_modules");

export interface Installed extends AsyncDisposable {
  readonly tarball: string;
  /** The built package's folder. */
  readonly built: string;
  /** The folder of a project that has the package installed. It contains the files of `consumers/project`. */
  readonly project: string;
}

/** Returns the exit status, and the output of both streams together. */
export async function run(command: string, args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = await ended([command, ...args], { cwd });
  return { status, output: stdout + stderr };
}

async function npm(args: readonly string[], cwd: string): Promise<string> {
  const { status, output } = await run("npm", [...args, "--loglevel=error"], cwd);
  if (status !== 0) throw new Error(`npm ${args.join(" ")}: ${output}`);
  return output;
}

/** Returns the name of the packed file. */
async function pack(folder: string, destination: string): Promise<string> {
  const args = ["pack", folder, "--json", "--ignore-scripts", "--pack-destination", destination];
  const printed = await npm(args, destination);
  const [packed]: { filename: string }[] = Object.values(JSON.parse(printed));
  if (packed === undefined) throw new Error(`npm packed nothing: ${printed}`);
  return packed.filename;
}

export async function installPackage(): Promise<Installed> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "consumers-")));
  const built = join(folder, "built");
  const { name } = await buildClient({ root, generated: "generated", out: built, name: "commerce-service" });
  const filename = await pack(built, folder);

  // Installs dependencies from this checkout instead of the registry.
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    await readFile(join(built, "package.json"), "utf8"),
  );
  const overrides: Record<string, string> = {};
  for (const dependency of Object.keys(dependencies))
    overrides[dependency] = `file:../${await pack(join(root, "node_modules", dependency), folder)}`;

  const project = join(folder, "project");
  await cp(join(import.meta.dirname, "../project"), project, { recursive: true });
  await writeFile(
    join(project, "package.json"),
    JSON.stringify({
      private: true,
      type: "module",
      dependencies: { [name]: `file:../${filename}` },
      overrides,
    }),
  );
  await npm(["install", "--offline", "--no-audit", "--no-fund"], project);
  for (const types of ["@types/node", "undici-types"])
    await cp(join(root, "node_modules", types), join(project, "node_modules", types), { recursive: true });

  return {
    tarball: join(folder, filename),
    built,
    project,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
