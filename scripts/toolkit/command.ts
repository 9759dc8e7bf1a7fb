/** Common behaviour of all commands: --help, wrong usage (status 2), and one line for a system error. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import {
  codeOf,
  listOfProblems,
  MissingFileError,
  messageOf,
  SpecProblemsError,
} from "./openapi/spec-problems.ts";

type OptionsConfig = NonNullable<ParseArgsConfig["options"]>;
/** The values of options, as `parseArgs` returns them. */
export type ValuesOf<Options extends OptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>["values"];

/** Wrong usage that the option parser cannot detect. The message is for the user. */
export class UsageError extends Error {}

export interface Command<Options extends OptionsConfig> {
  /** The command line without options, such as `npm run diff --`. */
  readonly name: string;
  readonly help: string;
  readonly options: Options;
  /** Whether operands are allowed in addition to options. */
  readonly takesOperands?: boolean;
  /** If the spec has problems: the line to print after them, such as "Nothing was compared.", and the exit status. */
  readonly onSpecProblems?: readonly [text: string, status: 1 | 2];
  /** @returns the exit status, or undefined if the command runs until a signal. @throws UsageError */
  readonly run: (
    values: ValuesOf<Options>,
    operands: readonly string[],
  ) => Promise<number | undefined> | number | undefined;
}

/** This option is the same in all commands that read an OpenAPI document. */
export const allowOutsideOption = {
  "allow-outside": { type: "string", multiple: true, default: [] as string[] },
} as const;

const wrongUsage = 2;
/** TypeScript and the makers of values recurse into schemas, so a document can exhaust the stack. */
const tooDeep =
  "the schemas of the document lead through too many others; let fewer schemas refer to each other in a row";

/** Runs a command with its arguments. @returns the exit status, or undefined if it runs until a signal */
export async function runCommand<const Options extends OptionsConfig>(
  command: Command<Options>,
  args: readonly string[],
): Promise<number | undefined> {
  const { name, help, options, takesOperands = false, onSpecProblems, run } = command;
  if (asksForHelp(args)) {
    process.stdout.write(help);
    return 0;
  }
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
    if (!takesOperands && parsed.positionals.length > 0)
      throw new UsageError(`Unexpected argument '${parsed.positionals[0]}'`);
    for (const [option, value] of Object.entries(parsed.values))
      if (value === "") throw new UsageError(`--${option} must not be empty`);
    return await run(parsed.values, parsed.positionals);
  } catch (error) {
    const usage = usageError(error);
    if (usage !== undefined) {
      process.stderr.write(`${usage}; see ${name} --help\n`);
      return wrongUsage;
    }
    if (error instanceof SpecProblemsError && onSpecProblems) {
      const [text, status] = onSpecProblems;
      process.stderr.write(`${listOfProblems(error.problems)}\n${text}\n`);
      return error instanceof MissingFileError ? wrongUsage : status;
    }
    if (error instanceof RangeError && error.message === "Maximum call stack size exceeded") {
      process.stderr.write(`${tooDeep}\n`);
      return 1;
    }
    if (!isOfSystem(error)) throw error;
    process.stderr.write(`${messageOf(error)}\n`);
    return 1;
  }
}

/** Runs the command of this process. Prints no error if the reader of its output stops, as in `npm run diff | head`. */
export async function runProgram<const Options extends OptionsConfig>(
  command: Command<Options>,
): Promise<void> {
  process.stdout.on("error", (error) => {
    if (codeOf(error) !== "EPIPE") throw error;
    process.exit();
  });
  process.exitCode = await runCommand(command, process.argv.slice(2));
}

/** @throws UsageError */
export function seedIn(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new UsageError(`--seed must be a whole number of at most 9 digits, not "${text}"`);
  return Number(text);
}

/** Ends the process when a signal arrives. npm sends each signal from the terminal twice. */
export function onSignal(stop: () => Promise<void>): void {
  let isEnding = false;
  const end = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await stop();
    process.exit(0);
  };
  process.on("SIGINT", end).on("SIGTERM", end);
}

/** Colours are used only on a terminal, and only if NO_COLOR is empty or not set (https://no-color.org). */
export function hasColours(isTerminal: boolean | undefined, noColour: string | undefined): boolean {
  return isTerminal === true && !noColour;
}

/** Accepts invalid arguments next to --help, because the user may have mistyped them. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end === -1 ? undefined : end).includes("--help");
}

function usageError(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message;
  if (!codeOf(error)?.startsWith("ERR_PARSE_ARGS_")) return undefined;
  return messageOf(error).split(/\.(?:\s|$)/, 1)[0];
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
