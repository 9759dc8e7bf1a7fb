/** Makes a new project from any OpenAPI document. Each operation has a handler that the user must write. */
import type { Command } from "commander";
import type { Adopted, Upgraded } from "./toolkit/adopt/make-project.ts";
import { action, createCommand, runProgram } from "./toolkit/commands/command-line.ts";
import {
  listOfNotes,
  listOfProblems,
  MissingFileError,
  SpecProblemsError,
} from "./toolkit/openapi/spec-problems.ts";

interface Options {
  /** Undefined for an upgrade. */
  readonly document: string | undefined;
  readonly folder: string;
  readonly lenient: boolean;
  readonly verbose: boolean;
}

async function main(options: Options): Promise<number> {
  // If a signal ends the process, `exit` handlers remove the files that are already written.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
  // This import is slow, and --help does not need it.
  const { adopt, upgrade, FolderError } = await import("./toolkit/adopt/make-project.ts");
  const { document, folder, lenient, verbose } = options;
  const report = ({ passed, notes }: Pick<Adopted, "passed" | "notes">, text: string): number => {
    process.stderr.write(listOfNotes(notes, verbose));
    if (passed.length > 0) process.stderr.write(`${listOfProblems(passed, verbose)}\n`);
    process.stdout.write(text);
    return 0;
  };
  try {
    if (document === undefined) {
      const upgraded = await upgrade({ folder, lenient });
      return report(upgraded, upgradeText(folder, upgraded));
    }
    const adopted = await adopt({ document, folder, lenient });
    return report(adopted, resultText(folder, adopted));
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
  // In this command the document is an operand instead of --spec, and only its own folder is copied.
  const named = problems.map((problem) => {
    const message = problem.message
      .replace(/; give .* with --spec FILE$/, "; give another FILE")
      .replace(/, or allow .* --allow-outside DIR$/, ", or merge both with `npx redocly bundle`");
    return { ...problem, message };
  });
  return `${listOfProblems(named, verbose)}\nNothing was written.${remedy}\n`;
}

function upgradeText(folder: string, { written, removed, kept, passed }: Upgraded): string {
  const waived = passed.length === 0 ? "" : " && npm run generate -- --write-waivers";
  const stayed = kept.map(({ path, why }) => `${path}  ${why}\n`);
  const next =
    written.length === 0 ? "" : `\nNext:\n  cd ${quoted(folder)}\n  npm install${waived} && npm test\n`;
  return `${folder}: ${count(written.length, "file")} written, ${removed.length} removed\n${stayed.join("")}${next}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function quoted(folder: string): string {
  return /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`;
}

function resultText(folder: string, { operations, files, passed }: Adopted): string {
  const enforced =
    passed.length === 0
      ? ""
      : `Not enforced: ${count(passed.length, "place")}, listed above and in spec/waivers.yaml.\n`;
  return `${folder}: ${count(operations, "operation")}, ${files} files
${enforced}
Next:
  cd ${quoted(folder)}
  git init && npm ci && npm run add-rejections && npm test
  DEVELOPMENT_KEY=some-long-key npm start

Then write the handlers in server/operations/. Write in server/principal.ts who may call them. See README.md.
`;
}

const command = createCommand(
  "npm run adopt --",
  `Makes a new project from an OpenAPI 3.0, 3.1 or 3.2 document, with generator, contract, server, client and tests. The
project contains nothing specific to this service. Each operation returns 501 until its handler is written.`,
  "0 done, 1 the document has errors or the folder cannot be used, 2 wrong usage.",
)
  .argument("[FILE]", "the document, YAML or JSON; it is copied to DIR/spec/openapi.yaml")
  .argument("[DIR]", "the folder of the new project, outside this project; it must be missing or empty")
  .option(
    "--lenient",
    "list the rules that cannot be enforced, ignore them, and write them to DIR/spec/waivers.yaml",
    false,
  )
  .option(
    "--upgrade <DIR>",
    "instead of FILE and DIR: update the project in DIR to this version of the base. Files that you wrote or changed are kept; those that the base has changed too are listed. If an error occurs, no file is replaced",
  )
  .option("--verbose", "list every problem, even if there are many", false)
  .action(
    action(
      (
        document: string | undefined,
        folder: string | undefined,
        { upgrade, ...others }: Pick<Options, "lenient" | "verbose"> & { readonly upgrade?: string },
        command: Command,
      ) => {
        if (upgrade !== undefined && document !== undefined)
          command.error("--upgrade DIR must have no FILE, because the project has its document");
        if (upgrade !== undefined) return main({ document: undefined, folder: upgrade, ...others });
        if (!document || !folder) command.error("give a FILE and a DIR");
        return main({ document, folder, ...others });
      },
    ),
  );

if (import.meta.main) await runProgram(command);
