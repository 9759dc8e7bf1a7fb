/** Runs the console sessions of documentation pages. In a page, `…` means omitted text. */
import { rmSync } from "node:fs";
import { copyTree } from "./copied-tree.ts";
import { Program } from "./program.ts";

export interface Exchange {
  readonly command: string;
  readonly shown: string;
}

/** Returns the commands of all sessions of a page in order, each with its shown output. */
export function exchangesOf(page: string): Exchange[] {
  return [...page.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, session = ""]) =>
    session
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [command = "", ...lines] = text.split(/(?<!\\)\n/);
        return { command, shown: lines.join("\n") };
      }),
  );
}

/**
 * Returns `shown` if the output matches it, and otherwise the output, so that tests can compare the result with
 * `shown`.
 */
export function asShown(printed: string, shown: string): string {
  return patternOf(shown).test(`${printed.trimEnd()}\n`) ? shown : printed;
}

/** A line that contains only `…` matches any number of lines. Any other `…` matches any text in its line. */
function patternOf(shown: string): RegExp {
  const sources = shown
    .trimEnd()
    .split("\n")
    .map((line) =>
      line === "…"
        ? "(?:.*\n)*?"
        : `${line.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("…", ".*")}\n`,
    );
  return new RegExp(`^${sources.join("")}$`);
}

/** Runs a shell in a copy of the project. */
export class Console {
  readonly folder = copyTree();
  /** The values that a reader pastes in place of the page's placeholders. */
  readonly pasted = new Map<string, string>();
  readonly #shell: Program;
  readonly #servers: Program[] = [];
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: Readonly<Record<string, string>>) {
    const { PATH = "", HOME = "" } = process.env;
    this.#env = { PATH, HOME, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", ...env };
    this.#shell = this.#start("sh", "-s");
    this.#shell.child.stdin.write("exec 2>&1\n");
  }

  #start(...command: string[]): Program {
    return new Program(command, { cwd: this.folder, env: this.#env });
  }

  /** Returns the command, or another text of the page, with the pasted values. */
  asPasted(command: string): string {
    return [...this.pasted].reduce((text, [name, value]) => text.replaceAll(name, value), command);
  }

  /** Runs the command. Returns what it prints on standard output and standard error. */
  async run(command: string): Promise<string> {
    // The shell reads its commands from standard input, so the command must not read it.
    this.#shell.child.stdin.write(`{ ${this.asPasted(command)}\n} </dev/null\nprintf '\\0'\n`);
    return (await this.#shell.next(/\0/)).slice(0, -1);
  }

  /**
   * Starts a server that runs until the console is closed, and waits until its output matches `shown`. Later commands
   * use its port, and the secret key that it printed.
   */
  async serve(command: string, shown: string): Promise<string> {
    const server = this.#start("sh", "-c", `exec 2>&1; exec ${command}`);
    this.#servers.push(server);
    await server.until((printed) => asShown(printed, shown) === shown);
    const text = server.output();
    const [, url] = /"url":"([^"]+)"/.exec(text) ?? [];
    const [secretKey] = /\bsk_\w+/.exec(text) ?? [];
    if (url !== undefined) this.pasted.set("http://127.0.0.1:3000", url);
    if (secretKey !== undefined) this.pasted.set("sk_…", secretKey);
    return text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#shell.child.stdin.end();
    for (const server of this.#servers) await server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
