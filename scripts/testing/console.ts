/** Runs the console sessions of documentation pages. In a page, `…` means omitted text. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { copyTree } from "./copied-tree.ts";

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
  readonly #shell: ChildProcessWithoutNullStreams;
  readonly #servers: ChildProcessWithoutNullStreams[] = [];
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: Readonly<Record<string, string>>) {
    const { PATH = "", HOME = "" } = process.env;
    this.#env = { PATH, HOME, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", ...env };
    this.#shell = this.#spawn("sh", "-s");
    this.#shell.stdin.write("exec 2>&1\n");
  }

  #spawn(...[file = "", ...args]: string[]): ChildProcessWithoutNullStreams {
    const started = spawn(file, args, { cwd: this.folder, env: this.#env });
    started.stdout.setEncoding("utf8");
    return started;
  }

  /** Returns the command, or another text of the page, with the pasted values. */
  asPasted(command: string): string {
    return [...this.pasted].reduce((text, [name, value]) => text.replaceAll(name, value), command);
  }

  /** Runs the command. Returns what it prints on standard output and standard error. */
  async run(command: string): Promise<string> {
    // The shell reads its commands from standard input, so the command must not read it.
    this.#shell.stdin.write(`{ ${this.asPasted(command)}\n} </dev/null\nprintf '\\0'\n`);
    let text = "";
    for await (const chunk of this.#shell.stdout.iterator({ destroyOnReturn: false })) {
      text += chunk;
      if (text.endsWith("\0")) break;
    }
    return text.slice(0, -1);
  }

  /**
   * Starts a server that runs until the console is closed, and waits until its output matches `shown`. Later commands
   * use its port, and the secret key that it printed.
   */
  async serve(command: string, shown: string): Promise<string> {
    const server = this.#spawn("sh", "-c", `exec 2>&1; exec ${command}`);
    this.#servers.push(server);
    let text = "";
    for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
      text += chunk;
      if (asShown(text, shown) === shown) break;
    }
    const [, url] = /"url":"([^"]+)"/.exec(text) ?? [];
    const [secretKey] = /\bsk_\w+/.exec(text) ?? [];
    if (url !== undefined) this.pasted.set("http://127.0.0.1:3000", url);
    if (secretKey !== undefined) this.pasted.set("sk_…", secretKey);
    return text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#shell.stdin.end();
    for (const server of this.#servers) {
      const ended = once(server, "close");
      server.stdout.resume();
      server.kill("SIGTERM");
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
