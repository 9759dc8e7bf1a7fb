/** What all commands share: --help, wrong usage (status 2), and one line for a problem of the spec or of the system. */
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import {
  Command,
  CommanderError,
  Help,
  InvalidArgumentError,
  Option,
  type ParseOptionsResult,
} from "commander";
import {
  codeOf,
  hintOfGenerate,
  listOfProblems,
  MissingFileError,
  messageOf,
  SpecProblemsError,
} from "../openapi/spec-problems.ts";
import type { Project } from "./project.ts";

/** The exit status, or undefined if the command runs until a signal. */
type Status = number | undefined;

const wrongUsage = 2;

/** TypeScript and the makers of values recurse into schemas, so a document can exhaust the stack. */
const tooDeep =
  "the schemas of the document lead through too many others; let fewer schemas refer to each other in a row";

class CommandLine extends Command {
  override createOption(flags: string, description?: string): Option {
    const option = new Option(flags, description);
    return option.required ? option.argParser(parseText) : option;
  }

  /** An error names an unknown option without its value, which may be a secret. */
  override parseOptions(args: string[]): ParseOptionsResult {
    const { operands, unknown } = super.parseOptions(args);
    return { operands, unknown: unknown.map((word) => word.replace(/^(--[^=]+)=.*$/s, "$1")) };
  }
}

/** @param name the command line without options, such as `npm run diff --` */
export function createCommand(name: string, description: string, exitStatus: string): Command {
  const command = new CommandLine(name);
  return command
    .description(withoutLineBreaks(description))
    .summary(/^.*?\.(?=\s|$)/.exec(withoutLineBreaks(description))?.[0] ?? "")
    .helpOption("--help", "print this text")
    .addHelpText("after", `\nExit status: ${exitStatus}`)
    .exitOverride()
    .configureHelp({
      optionDescription: (option) =>
        new Help().optionDescription(option).replace(/ \(default: (?:false|\[\])\)$/, ""),
    })
    .configureOutput({ outputError: (text, write) => write(lineOf(text, command)) });
}

/** A command whose operand is the name of another command. */
export function createProgram(name: string, description: string, commands: readonly Command[]): Command {
  const program = new Command(name);
  for (const command of commands) program.addCommand(command);
  return program
    .description(description)
    .usage("COMMAND")
    .helpOption("--help", "print this text")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(lineOf(text, program)) });
}

/** Returns an error of commander as one line. */
function lineOf(error: string, command: Command): string {
  const message = error.replace(/^error: /, "").trim();
  return `${message.replace(/\.$/, "").replaceAll(/\s*\n\s*/g, " ")}; see ${fullNameOf(command)} --help\n`;
}

/** A command of another one is called by both names, such as `specbind generate`. */
function fullNameOf(command: Command): string {
  return command.parent === null ? command.name() : `${fullNameOf(command.parent)} ${command.name()}`;
}

/** The help is wrapped for the terminal's width. Empty and indented lines stay. */
function withoutLineBreaks(text: string): string {
  return text.replaceAll(/(?<=\S)\n(?=\S)/g, " ");
}

/** Options keep this check if they have no parser of their own. */
function parseText(value: string): string {
  if (value === "") throw new InvalidArgumentError("It must not be empty.");
  if (value.startsWith("--")) throw new InvalidArgumentError("It must not be another option.");
  return value;
}

/** The parser of an option that may be repeated. */
export function collectText(value: string, before: readonly string[]): readonly string[] {
  return [...before, parseText(value)];
}

/** @returns a parser of whole numbers. The text must match the pattern, so that `1e3` is not a number. */
export function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

export const parseSeed = wholeNumber(0, 999_999_999);

/** Options that are the same in all commands that read an OpenAPI document. */
export function allowOutsideOption({ allowOutside = [] }: Pick<Project, "allowOutside"> = {}) {
  return [
    "--allow-outside <DIR>",
    "references of the document may also point to files in this folder; repeat it to allow more",
    collectText,
    allowOutside,
  ] as const;
}

/** For a small document, this cache saves a quarter of the time: that of loading modules, mostly the compiler. */
export function cacheCode(): void {
  if (existsSync("node_modules")) enableCompileCache("node_modules/.cache/code");
}

/**
 * Makes a command's action of a function that returns the exit status.
 * @param onSpecProblems the line to print after the spec's problems, such as "Nothing was compared.", and the exit status
 */
export function action<Args extends unknown[]>(
  run: (...args: Args) => Promise<Status> | Status,
  onSpecProblems?: readonly [text: string, status: 1 | 2],
): (...args: Args) => Promise<void> {
  return async (...args) => {
    process.exitCode = await statusOf(() => run(...args), onSpecProblems);
  };
}

export async function statusOf(
  run: () => Promise<Status> | Status,
  onSpecProblems?: readonly [text: string, status: 1 | 2],
): Promise<Status> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof SpecProblemsError && onSpecProblems) {
      const [text, status] = onSpecProblems;
      process.stderr.write(`${listOfProblems(error.problems, false, hintOfGenerate)}\n${text}\n`);
      return error instanceof MissingFileError ? wrongUsage : status;
    }
    const isTooDeep = error instanceof RangeError && error.message === "Maximum call stack size exceeded";
    if (!isTooDeep && !(error instanceof Error && "syscall" in error)) throw error;
    process.stderr.write(`${isTooDeep ? tooDeep : messageOf(error)}\n`);
    return 1;
  }
}

/** Runs the command of this process. Prints no error if the reader of its output stops, as in `npm run diff | head`. */
export async function runProgram(
  command: Command,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  process.stdout.on("error", (error) => {
    if (codeOf(error) !== "EPIPE") throw error;
    process.exit();
  });
  try {
    const [verb = ""] = command.commands
      .filter((each) => each.name() === args[0])
      .map((each) => [each.name()]);
    await command.parseAsync(asksForHelp(args) ? [...verb, "--help"] : [...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : wrongUsage;
  }
}

/** Accepts invalid arguments next to --help, because the user may have mistyped them. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end === -1 ? undefined : end).includes("--help");
}
