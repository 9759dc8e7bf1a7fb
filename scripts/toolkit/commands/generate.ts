import { dirname } from "node:path";
import { type Command, Option } from "commander";
import { isIn, watchFolders } from "../dev/watch.ts";
import {
  type GeneratedFiles,
  OutputError,
  staleFiles,
  withManifest,
  writeFiles,
} from "../generate/output.ts";
import type { PipelineChoices, Run } from "../generate/pipeline.ts";
import {
  listOfNotes,
  listOfProblems,
  MissingFileError,
  messageOf,
  type SpecProblem,
  SpecProblemsError,
} from "../openapi/spec-problems.ts";
import { action, allowOutsideOption, cacheCode, createCommand, statusOf } from "./command-line.ts";
import { languages, nameOf, type Project } from "./project.ts";
import { otherRuntime } from "./runtime-version.ts";
import { onSignal } from "./stop-signals.ts";

interface Options extends PipelineChoices {
  readonly program: Project["program"];
  /** The document of this repository, whose problems are corrected, not waived. */
  readonly ownSpec: string | undefined;
  readonly out: string;
  readonly rules: string | undefined;
  readonly writeWaivers: boolean;
  readonly verbose: boolean;
  readonly check: boolean;
  readonly quiet: boolean;
  readonly watch: boolean;
}

export function generateCommand(project: Project): Command {
  const { program, spec, generated, waivers, runtime, importExt = "ts", validators } = project;
  const ownSpec = program === "npm run" ? spec : undefined;
  return createCommand(
    nameOf(project, "generate"),
    "Generates types, validators and the contract from an OpenAPI 3.0, 3.1 or 3.2 document in one or more files.",
    "0 done, 1 the spec has errors, output is stale or cannot be written, 2 wrong usage.",
  )
    .option("--spec <FILE>", "the document, YAML or JSON", spec)
    .option("--out <DIR>", "the folder of the output", generated)
    .option("--lenient", "list the rules that cannot be enforced, ignore them, and generate the rest", false)
    .option(
      "--waivers <FILE>",
      "a list of rules that need not be enforced, instead of waivers.yaml next to the document",
      waivers,
    )
    .option("--rules <FILE>", "replace stale files only if the document follows these rules of Redocly")
    .option("--write-waivers", "add a waiver for each problem to the file of --waivers, and generate", false)
    .option(...allowOutsideOption(project))
    .option("--verbose", "list every problem, even if there are many", false)
    .option("--runtime <NAME>", "what the runtime's modules are named in generated imports", runtime)
    .addOption(
      new Option("--import-ext <EXT>", "the extension of generated files in the imports of other ones")
        .choices(languages)
        .default(importExt),
    )
    .addOption(
      new Option("--validators <EXT>", "their language; the default is ts with --import-ext js, and else js")
        .choices(languages)
        .default(validators),
    )
    .option("--watch", "generate again after each save next to the document, until Ctrl-C", false)
    .option("--check", "write nothing; if files are stale, list them and exit with 1", false)
    .option("--quiet", "print nothing if no file was stale", false)
    .action(
      action((options: Options) => {
        const run = () => main({ ...options, program, ownSpec });
        return options.watch ? repeat(run, options) : run();
      }, onSpecProblems),
    );
}

const onSpecProblems = ["Nothing was generated.", 1] as const;

/** Runs until a signal. Files that it generates into a watched folder do not start another run. */
async function repeat(run: () => Promise<number>, options: Options): Promise<undefined> {
  const { spec, out, allowOutside = [] } = options;
  const watched = [dirname(spec), ...allowOutside];
  let running = statusOf(run, onSpecProblems);
  watchFolders(watched, ({ files }) => {
    if (files.some((file) => !isIn(file, out))) running = running.then(() => statusOf(run, onSpecProblems));
  });
  process.stdout.write(`watching ${watched.join(", ")}; press Ctrl-C to stop\n`);
  onSignal(async () => {});
}

async function main(options: Options): Promise<number> {
  const mismatch = otherRuntime(options.out);
  if (mismatch !== undefined) {
    process.stderr.write(`${mismatch}\nNothing was generated.\n`);
    return 1;
  }
  try {
    return options.check ? await check(options) : await write(options);
  } catch (error) {
    if (error instanceof MissingFileError) throw error;
    if (error instanceof SpecProblemsError) return reject(error.problems, options);
    if (error instanceof OutputError) process.stderr.write(`${error.message}\n`);
    else if (error instanceof Error && "syscall" in error)
      process.stderr.write(
        `${options.out} cannot be used (${messageOf(error)}); give a writable folder with --out DIR\n`,
      );
    else throw error;
    return 1;
  }
}

/** If true, --lenient has no effect, because the run must report the problems to waive. */
function willWaive(options: Options): boolean {
  return options.writeWaivers && !options.check;
}

async function reject(problems: readonly SpecProblem[], options: Options): Promise<number> {
  const { spec, waivers, ownSpec } = options;
  const canBeWaived =
    (!options.lenient || willWaive(options)) && problems.every(({ rule }) => rule !== undefined);
  const { addWaivers, waiversToPaste } = await import("../openapi/waivers.ts");
  if (canBeWaived && willWaive(options)) {
    const file = await addWaivers(spec, waivers, problems);
    process.stderr.write(`${file}: added waivers; correct their reasons, or limit them with \`at\`\n`);
    return write({ ...options, writeWaivers: false });
  }
  const separator = options.program === "npm run" ? "-- " : "";
  const isCorrected = spec === ownSpec || problems.every(({ message }) => /did you mean/i.test(message));
  const hint =
    canBeWaived && !options.check && !isCorrected
      ? `Fix these places. If you cannot change the document, add \`${separator}--write-waivers\` to the command to waive them, or \`${separator}--lenient\` to ignore them.\n${waiversToPaste(spec, waivers, problems)}`
      : "";
  process.stderr.write(`${listOfProblems(problems, options.verbose)}\nNothing was generated.\n${hint}`);
  return 1;
}

async function check(options: Options): Promise<number> {
  const { program, spec, out, quiet } = options;
  const { files, ...found } = await run(options);
  report(found, options);
  const stale = await staleFiles(out, files);
  if (stale.length > 0) {
    process.stderr.write(`${stale.join("\n")}\nRun \`${program} generate\` and commit the result.\n`);
    return 1;
  }
  if (!quiet) process.stdout.write(`${out} is up to date with ${spec}\n`);
  return 0;
}

async function write(options: Options): Promise<number> {
  const { spec, out, rules, quiet } = options;
  const { files, ...found } = await run(options);
  if (rules !== undefined && (await staleFiles(out, files)).length > 0) {
    const { lintSpec } = await import("../generate/lint.ts");
    const { errors } = await lintSpec(spec, rules, options.waivers);
    if (errors.length > 0) throw new SpecProblemsError(errors);
  }
  const changed = await writeFiles(out, files);
  if (changed.length === 0 && quiet) return 0;
  report(found, options);
  process.stdout.write(`${resultText(out, changed, files)}\n`);
  return 0;
}

async function run(options: Options): Promise<Run> {
  cacheCode();
  const pipeline = await import("../generate/pipeline.ts");
  return pipeline.run({
    ...options,
    ...(willWaive(options) && { mayLackWaivers: true, lenient: false }),
  });
}

function report({ passed, notes }: Pick<Run, "passed" | "notes">, options: Options): void {
  if (!options.quiet)
    process.stderr.write(listOfNotes(notes, options.verbose, passed) + wayToAdd(notes, options));
  const { length } = passed;
  if (length > 0)
    process.stderr.write(
      `${listOfProblems(passed, options.verbose)}\nNot enforced: ${length} place${length === 1 ? "" : "s"}, listed above.\n`,
    );
}

/** This repository has no such command, because its rules of style require these responses. */
function wayToAdd(notes: Run["notes"], { program, spec }: Options): string {
  if (program === "npm run" || !notes.some(({ rule }) => rule === "undocumented-rejection")) return "";
  return `\`npx specbind add-rejections --spec ${spec}\` adds the responses that are not documented.\n`;
}

function resultText(out: string, changed: readonly string[], files: GeneratedFiles): string {
  if (changed.length === 0) return `${out} is up to date`;
  const wanted = withManifest(files);
  const written = changed.filter((name) => wanted.has(name));
  const deleted = changed.filter((name) => !wanted.has(name));
  const parts = [
    ...(written.length > 0 ? [`wrote ${written.join(", ")}`] : []),
    ...(deleted.length > 0 ? [`deleted ${deleted.join(", ")}`] : []),
  ];
  return `${out}: ${parts.join("; ")}`;
}
