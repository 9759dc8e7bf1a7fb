/** Starts a new project from any OpenAPI document, with a handler to write for each operation. */
import { runProgram, UsageError } from "./command.ts";
import { listOfProblems, MissingFileError, SpecProblemsError } from "./openapi/spec-problems.ts";

const help = `Makes a new project from an OpenAPI 3.0, 3.1 or 3.2 document, with generator, contract, server, client and tests. It contains
nothing of this service. Each operation returns 501 until its handler is written.

Usage: npm run adopt -- [OPTIONS] FILE DIR

  FILE        the document, YAML or JSON; it is copied to DIR/spec/openapi.yaml
  DIR         the folder of the new project, outside this one; it must be missing or empty
  --lenient   ignore rules that cannot be enforced, list them, and write them to DIR/spec/waivers.yaml
  --verbose   list every problem, also if there are many
  --help      this text

Exit status: 0 done, 1 the document has errors or the folder cannot be used, 2 wrong usage.
`;

interface Options {
  readonly document: string;
  readonly folder: string;
  readonly lenient: boolean;
  readonly verbose: boolean;
}

async function main(options: Options): Promise<number> {
  // On a signal, `exit` handlers remove the files that were written so far.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
  // Loaded here because loading is slow and --help does not need it.
  const { adopt, FolderError } = await import("./adopt/make-project.ts");
  try {
    const { operations, files, passed } = await adopt(options);
    if (passed.length > 0) process.stderr.write(`${listOfProblems(passed, options.verbose)}\n`);
    process.stdout.write(resultText(options.folder, operations, files, passed.length));
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
  // This command takes the document as an operand, not with --spec, and copies only the folder of the document.
  const named = problems.map((problem) => {
    const message = problem.message
      .replace(/; name .* with --spec FILE$/, "; name another FILE")
      .replace(/, or allow .* --allow-outside DIR$/, ", or merge both with `npx redocly bundle`");
    return { ...problem, message };
  });
  return `${listOfProblems(named, verbose)}\nNothing was written.${remedy}\n`;
}

function resultText(folder: string, operations: number, files: number, passed: number): string {
  const enforced =
    passed === 0
      ? ""
      : `Not enforced: ${passed} place${passed === 1 ? "" : "s"}, listed above and in spec/waivers.yaml.\n`;
  return `${folder}: ${operations} operation${operations === 1 ? "" : "s"}, ${files} files
${enforced}
Next:
  cd ${/^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`}
  git init && npm ci && npm test
  DEVELOPMENT_KEY=some-long-key npm start

Then write the handlers in server/operations/. Write in server/principal.ts who may call them. See README.md.
`;
}

if (import.meta.main)
  await runProgram({
    name: "npm run adopt --",
    help,
    options: { lenient: { type: "boolean", default: false }, verbose: { type: "boolean", default: false } },
    takesOperands: true,
    run: ({ lenient, verbose }, [document, folder, ...more]) => {
      if (
        document === undefined ||
        folder === undefined ||
        more.length > 0 ||
        document === "" ||
        folder === ""
      )
        throw new UsageError("name a FILE and a DIR");
      return main({ document, folder, lenient, verbose });
    },
  });
