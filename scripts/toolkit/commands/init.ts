/** Makes a new project from any OpenAPI document. */
import type { Command } from "commander";
import type { Made } from "../init/make-project.ts";
import {
  listOfNotes,
  listOfProblems,
  MissingFileError,
  SpecProblemsError,
} from "../openapi/spec-problems.ts";
import { action, createCommand } from "./command-line.ts";
import { ownVersion } from "./runtime-version.ts";

interface Options {
  readonly document: string;
  readonly folder: string;
  readonly lenient: boolean;
  readonly verbose: boolean;
}

export function initCommand(): Command {
  return createCommand(
    "init",
    `Makes a new project from an OpenAPI 3.0, 3.1 or 3.2 document, with a server, a client and tests. Each operation returns 501 until
its handler is written.`,
    "0 done, 1 the document has errors or the folder cannot be used, 2 wrong usage.",
  )
    .argument(
      "<FILE>",
      "the document, YAML or JSON, relative to the current folder; it is copied to DIR/spec/openapi.yaml",
    )
    .argument("<DIR>", "the folder of the new project; it must be missing or empty")
    .option(
      "--lenient",
      "list the rules that cannot be enforced, ignore them, and write them to DIR/spec/waivers.yaml",
      false,
    )
    .option("--verbose", "list every problem, even if there are many", false)
    .action(
      action((document: string, folder: string, options: Pick<Options, "lenient" | "verbose">) =>
        main({ document, folder, ...options }),
      ),
    );
}

const notPackaged =
  "the new project installs the packages, so build them with `npm run build:packages`, and run init from there as docs/your-own-api.md shows";

async function main(options: Options): Promise<number> {
  if (ownVersion() === undefined) {
    process.stderr.write(`${notPackaged}\n`);
    return 1;
  }
  // If a signal ends the process, the folder that is not complete is removed.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => {
      process.stderr.write("Nothing was written.\n");
      process.exit(1);
    });
  // These imports are slow, and --help does not need them.
  const [{ makeProject }, { installedPackages }, { FolderError }] = await Promise.all([
    import("../init/make-project.ts"),
    import("../init/installed-packages.ts"),
    import("../init/new-folder.ts"),
  ]);
  try {
    const made = await makeProject({ ...options, packages: await installedPackages() });
    process.stderr.write(listOfNotes(made.notes, options.verbose, made.passed));
    if (made.notes.some(({ rule }) => rule === "undocumented-rejection"))
      process.stderr.write("In the new project, `npx specbind add-rejections` adds the responses.\n");
    if (made.passed.length > 0) process.stderr.write(`${listOfProblems(made.passed, options.verbose)}\n`);
    process.stdout.write(resultText(options.folder, made));
    return 0;
  } catch (error) {
    if (error instanceof FolderError) process.stderr.write(`${error.message}\n`);
    else if (error instanceof SpecProblemsError) process.stderr.write(problemsOf(error, options));
    else throw error;
    return error instanceof MissingFileError ? 2 : 1;
  }
}

function problemsOf({ problems }: SpecProblemsError, { lenient, verbose }: Options): string {
  const mayPass = !lenient && problems.every(({ rule }) => rule !== undefined);
  const remedy = mayPass ? " Fix the document, or ignore these rules with --lenient." : "";
  return `${listOfProblems(problems, verbose)}\nNothing was written.${remedy}\n`;
}

function resultText(folder: string, { operations, files, passed, needsCredentials }: Made): string {
  const enforced =
    passed.length === 0
      ? ""
      : `Not enforced: ${count(passed.length, "place")}, listed above and in spec/waivers.yaml.\n`;
  return `${folder}: ${count(operations, "operation")}, ${files} files to edit
${enforced}
Next:
  cd ${quoted(folder)}
  npm install && npm test
  ${needsCredentials ? "DEVELOPMENT_KEY=some-long-key " : ""}npm start

README.md shows how to write a handler.
`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function quoted(folder: string): string {
  return /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`;
}
