/** Runs the server in a child process. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";

const stopWithinMs = 3000;
/** A limit is needed because the next save is handled only after the server listens. */
const startWithinMs = 60_000;

interface ServerEvents {
  readonly onOutput: (text: string) => void;
  /** Called if the server ends without a call of `stop`. */
  readonly onEnd: (how: string) => void;
}

export class ServerProcess {
  /** True if the command itself restarts the server, such as `node --watch`. Then it is started only once. */
  readonly restartsItself: boolean;
  readonly #command: readonly string[];
  readonly #events: ServerEvents;
  #child: ChildProcess | undefined;
  /** Tells the program that its hints were printed before. */
  #marker: { readonly SPECBIND_RESTART?: string } = {};

  constructor(command: readonly string[], restartsItself: boolean, events: ServerEvents) {
    this.#command = command;
    this.restartsItself = restartsItself;
    this.#events = events;
    // If the server ran longer than this process, it would keep the port.
    process.once("exit", () => this.#child?.kill("SIGKILL"));
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** Replaces the running server. @returns the URL when the server listens. Undefined if it ended or restarts itself */
  async restart(): Promise<string | undefined> {
    await this.stop();
    const [program = "", ...args] = this.#command;
    const child = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { SHUTDOWN_SECONDS: "1", ...process.env, ...this.#marker },
    });
    this.#marker = { SPECBIND_RESTART: "1" };
    this.#child = child;
    child.stderr.on("data", (data: Buffer) => this.#events.onOutput(data.toString("utf8")));
    const ended = new Promise<undefined>((resolve) => {
      const end = (how: string): void => {
        resolve(undefined);
        if (this.#child !== child) return;
        this.#child = undefined;
        this.#events.onEnd(how);
      };
      child.once("exit", (status, signal) => end(signal === null ? `with status ${status}` : `by ${signal}`));
      child.once("error", (error) => end(`because it could not be started (${error.message})`));
    });
    if (this.restartsItself) {
      child.stdout.on("data", (data: Buffer) => this.#events.onOutput(data.toString("utf8")));
      return undefined;
    }
    const timer = setTimeout(() => child.kill("SIGKILL"), startWithinMs);
    const url = await Promise.race([this.#listening(child.stdout), ended]);
    clearTimeout(timer);
    return url;
  }

  /** Waits until the server listens. Forwards its output before and after that. */
  #listening(stdout: Readable): Promise<string> {
    return new Promise((resolve) => {
      let line = "";
      stdout.on("data", (data: Buffer) => {
        const text = data.toString("utf8");
        this.#events.onOutput(text);
        const lines = (line + text).split("\n");
        line = lines.pop() ?? "";
        for (const whole of lines) {
          const url = listeningUrl(whole);
          if (url !== undefined) resolve(url);
        }
      });
    });
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    const timer = setTimeout(() => child.kill("SIGKILL"), stopWithinMs);
    child.kill("SIGTERM");
    await ended;
    clearTimeout(timer);
  }
}

function listeningUrl(line: string): string | undefined {
  return /"url":"([^"]+)".*"msg":"listening"/.exec(line)?.[1];
}
