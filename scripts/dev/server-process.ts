/** The server as a program of its own. It is exchanged only for a version without faults. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";

/** How long a server that was asked to stop may take before it is made to. */
const stopWithinMs = 3000;
/** How long one may take to listen: no save is looked at meanwhile. */
const startWithinMs = 60_000;

interface ServerEvents {
  readonly onOutput: (text: string) => void;
  /** It ended without having been asked to. */
  readonly onEnd: (how: string) => void;
}

export class ServerProcess {
  readonly #command: readonly string[];
  readonly #events: ServerEvents;
  #child: ChildProcess | undefined;

  /** @param command arguments to Node */
  constructor(command: readonly string[], events: ServerEvents) {
    this.#command = command;
    this.#events = events;
    // However this program ends, no server is left behind on the port.
    process.once("exit", () => this.#child?.kill("SIGKILL"));
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /**
   * Stops the one that runs, and starts another once its port is free. Settles once all its code is loaded.
   *
   * @returns where it listens; undefined where it ended before
   */
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

  /** Hands on all that it prints, also after it listens. */
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

  /** Settles once it has ended. */
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

/** What the server's log says once it can be called. */
function listeningUrl(line: string): string | undefined {
  return /"url":"([^"]+)".*"msg":"listening"/.exec(line)?.[1];
}
