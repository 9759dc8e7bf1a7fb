/** Programs that tests run: to their end, or until the test stops them. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";

export interface Ended {
  /** Null if a signal ended the program. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program to its end. Resolves even if it fails, because tests check its status. */
export async function ended(
  command: readonly string[],
  { input = "", ...surroundings }: Surroundings & { readonly input?: string } = {},
): Promise<Ended> {
  const program = new Program(command, surroundings);
  program.child.stdin.end(input);
  const { status } = await program.ended;
  return { status, stdout: program.stdout, stderr: program.stderr };
}

/** Runs a program of Node without colours, which must not depend on the environment of the test run. */
export function run(cwd: string, ...args: string[]): Promise<Ended> {
  return ended([process.execPath, ...args], { cwd, env: { ...process.env, NO_COLOR: "1", CI: "1" } });
}

/** A program that runs until the test stops it. */
export class Program implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<{ readonly status: number | null; readonly signal: string | null }>;
  stdout = "";
  stderr = "";
  #output = "";
  #hasEnded = false;
  /** The end of the output that `next` has returned. */
  #read = 0;
  #changed = Promise.withResolvers<void>();

  constructor([program = "", ...args]: readonly string[], surroundings: Surroundings = {}) {
    this.child = spawn(program, args, surroundings);
    for (const name of ["stdout", "stderr"] as const)
      this.child[name].setEncoding("utf8").on("data", (text: string) => {
        this[name] += text;
        this.#output += text;
        this.#notify();
      });
    this.ended = new Promise((resolve, reject) => {
      this.child.once("error", reject).once("close", (status, signal) => {
        this.#hasEnded = true;
        this.#notify();
        resolve({ status, signal });
      });
    });
  }

  /** Everything that was printed so far to standard output and standard error. */
  output(): string {
    return this.#output;
  }

  printed(wanted: string): Promise<void> {
    return this.until((output) => output.includes(wanted), wanted);
  }

  /** @param isReached gets everything that was printed so far */
  async until(isReached: (output: string) => boolean, wanted = "the expected output"): Promise<void> {
    while (!isReached(this.#output)) await this.#change(wanted);
  }

  /** Waits until the new output has a match. Returns the new output up to the end of the match. */
  async next(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.#output.slice(this.#read));
      if (found === null) await this.#change(pattern);
      else {
        const start = this.#read;
        this.#read += found.index + found[0].length;
        return this.#output.slice(start, this.#read);
      }
    }
  }

  /** Sends a signal and waits for the end. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    this.child.kill(signal);
    return (await this.ended).status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop("SIGKILL");
  }

  async #change(wanted: string | RegExp): Promise<void> {
    if (this.#hasEnded)
      throw new Error(`ended without printing ${wanted}:\n${this.#output.slice(this.#read)}`);
    await this.#changed.promise;
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
