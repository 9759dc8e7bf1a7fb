/**
 * The manners that all commands share: `--help` answers before anything is read, wrong usage is one line and status 2,
 * and what the system refuses, such as a file that may not be written, is one line and no stack trace.
 */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { codeOf, messageOf } from "./openapi/spec-problems.ts";

type OptionsConfig = NonNullable<ParseArgsConfig["options"]>;
type ParsedOptions<Options extends OptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>;

/** Wrong usage that options alone do not tell, in words for whoever typed it. */
export class UsageError extends Error {}

export interface Command<Options extends OptionsConfig> {
  /** As it is typed before its options, such as `npm run diff --`. */
  readonly name: string;
  /** The whole text of `--help`, exit statuses included. */
  readonly help: string;
  readonly options: Options;
  /** Whether anything may stand beside the options. */
  readonly takesOperands?: boolean;
  /**
   * @returns the exit status; undefined where the command lives on until a signal
   * @throws UsageError
   */
  readonly run: (
    values: ParsedOptions<Options>["values"],
    operands: readonly string[],
  ) => Promise<number | undefined> | number | undefined;
}

/** The exit status of wrong usage, for every command. */
const wrongUsage = 2;

/** Runs a command on what was typed after its name. @returns the exit status; undefined where the command lives on */
export async function runCommand<const Options extends OptionsConfig>(
  command: Command<Options>,
  args: readonly string[],
): Promise<number | undefined> {
  const { name, help, options, takesOperands = false, run } = command;
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
    const fault = usageFault(error);
    if (fault !== undefined) {
      process.stderr.write(`${fault}; see ${name} --help\n`);
      return wrongUsage;
    }
    if (!isOfSystem(error)) throw error;
    process.stderr.write(`${messageOf(error)}\n`);
    return 1;
  }
}

/** Runs the command of this process, and ends quietly where nobody reads on, as in `npm run diff | head`. */
export async function runProgram<const Options extends OptionsConfig>(
  command: Command<Options>,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  process.stdout.on("error", (error) => {
    if (codeOf(error) !== "EPIPE") throw error;
    process.exit();
  });
  process.exitCode = await runCommand(command, args);
}

/** Colours on a terminal only, and not where NO_COLOR is set to anything (https://no-color.org). */
export function hasColours(isTerminal: boolean | undefined, noColour: string | undefined): boolean {
  return isTerminal === true && !noColour;
}

/** Whatever else was typed: who asks for help may have mistyped the rest. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end === -1 ? undefined : end).includes("--help");
}

/** Node's own words end with advice for programmers. */
function usageFault(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message;
  if (!codeOf(error)?.startsWith("ERR_PARSE_ARGS_")) return undefined;
  return messageOf(error).split(/\.(?:\s|$)/, 1)[0];
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
