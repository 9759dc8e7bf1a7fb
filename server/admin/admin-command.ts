import { Command, type ErrorOptions, InvalidArgumentError, type Option } from "commander";
import { nearestWord } from "#specbind/nearest-word";

/** A command that reports all problems of its options together. Commander stops at the first. */
export class AdminCommand extends Command {
  #problems: readonly string[] = [];
  #unknown: readonly string[] = [];

  constructor(name?: string) {
    super(name);
    this.hook("preAction", () => {
      if (this.#problems.length > 0) this.#stop();
    });
  }

  override createCommand(name?: string): AdminCommand {
    return new AdminCommand(name);
  }

  override createOption(flags: string, description?: string): Option {
    const option = super.createOption(flags, description);
    const setParser = option.argParser.bind(option);
    option.argParser = <T>(parse: (value: string, before: T) => T) =>
      setParser((value: string, before: T): T => {
        try {
          return parse(value, before);
        } catch (error) {
          if (!(error instanceof InvalidArgumentError)) throw error;
          this.#add(`option '${flags}' argument '${value}' is invalid. ${error.message}`);
          // The option counts as given. No action gets this value.
          return value as T;
        }
      });
    return option;
  }

  override parseOptions(args: string[]): ReturnType<Command["parseOptions"]> {
    const parsed = super.parseOptions(args);
    this.#unknown = parsed.unknown
      .filter((word) => word.startsWith("-"))
      .map((word) => word.replace(/=.*$/s, ""));
    return parsed;
  }

  override error(message: string, options?: ErrorOptions): never {
    if (options?.code === "commander.unknownOption") this.#addUnknown();
    else this.#add(message.replace(/^error: /, ""));
    // Commander checks the other options after that.
    if (options?.code === "commander.missingMandatoryOptionValue") return undefined as never;
    return this.#stop();
  }

  #add(problem: string): void {
    this.#problems = [...this.#problems, problem];
  }

  /** A misspelt option is not reported as a missing one too. */
  #addUnknown(): void {
    const known = this.options.flatMap(({ long }) => long ?? []);
    for (const flag of this.#unknown) {
      const nearest = nearestWord(flag, known, Math.max(1, Math.floor(flag.length / 4)));
      this.#problems = this.#problems.filter((each) => !each.startsWith(`required option '${nearest} `));
      this.#add(`unknown option '${flag}'${nearest === undefined ? "" : ` (Did you mean ${nearest}?)`}`);
    }
  }

  #stop(): never {
    return super.error(this.#problems.join("; ").replaceAll(".; ", "; "));
  }
}
