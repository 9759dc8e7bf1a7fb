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
  readonly #command: readonly string[];
  readonly #events: ServerEvents;
  #child: ChildProcess | undefined;

  constructor(command: readonly string[], events: ServerEvents) {
    this.#command = command;
    this.#events = events;
    // If the server ran longer than this process, it would keep the port.
    process.once("exit", () => this.#child?.kill("SIGKILL"));
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** Replaces the running server. @returns the URL when the server listens, or undefined if the server ended */
  async restart(): Promise<string | undefined> {
    await this.stop();
    const child = spawn(process.execPath, this.#command, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { SHUTDOWN_SECONDS: "1", ...process.env },
    });
    this.#child = child;
    child.stderr.on("data", (data: Buffer) => this.#events.onOutput(data.toString("utf8")));
    const ended = new Promise<undefined>((resolve) => {
      child.once("exit", (status, signal) => {
        resolve(undefined);
        if (this.#child !== child) return;
        this.#child = undefined;
        this.#events.onEnd(signal === null ? `with status ${status}` : `by ${signal}`);
      });
    });
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
