import { resolve } from "node:path";
import type { Command } from "commander";
import { BuildError } from "../build-client/manifest.ts";
import { action, createCommand } from "./command-line.ts";
import { nameOf, type Project } from "./project.ts";

interface Options {
  readonly out: string;
  readonly name: string | undefined;
}

/** @param check checks the package before it replaces the old one, and returns a line to print. @throws BuildError */
export function buildClientCommand(
  project: Project,
  name?: string,
  check?: (folder: string) => Promise<string>,
): Command {
  return createCommand(
    nameOf(project, project.program === "npm run" ? "build" : "build-client"),
    `Builds the client as a package for Node, browsers and edge runtimes. The package contains the parts of the runtime that it needs,
and depends only on published packages. It has the sources that package.json exports, or client/index.ts.`,
    "0 built, 1 not built (the old package is unchanged), 2 wrong usage.",
  )
    .option("--out <DIR>", "the package's folder, which is replaced", "dist/client")
    .option("--name <NAME>", "the package's name, instead of that of the project with `-client`", name)
    .action(action((options: Options) => build(options, project, check)));
}

async function build(
  { out, name }: Options,
  { generated }: Project,
  check?: (folder: string) => Promise<string>,
): Promise<number> {
  // Loaded here because the compiler loads slowly and --help does not need it.
  const { buildClient } = await import("../build-client/build-client.ts");
  try {
    const root = resolve(".");
    const built = await buildClient({ root, generated, out: resolve(out), name, ...(check && { check }) });
    process.stdout.write(
      `${out} contains ${built.name} ${built.version}: ${built.files.length} files, ${kilobytes(built.bytes)}\n` +
        `${built.checked === undefined ? "" : `${built.checked}\n`}npm pack ${resolve(out)} makes the file to install or publish\n`,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    process.stderr.write(`${error.message}\nNothing was built.\n`);
    return 1;
  }
}

export function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
