import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { RunError } from "./measure.ts";

export class Child implements AsyncDisposable {
  readonly #name: string;
  readonly #process: ChildProcess;
  #stderr = "";

  constructor(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.#name = name;
    this.#process = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", ...env },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#process.stderr?.on("data", (data: Buffer) => {
      this.#stderr = `${this.#stderr}${data}`.slice(-2000);
    });
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Returns an error whose message contains the end of the child's standard error. */
  ended(): RunError {
    return new RunError(`${this.#name} ended: ${this.#stderr.trim()}`);
  }

  /**
   * Sends a message and waits for the response, whose type the caller states.
   * @throws RunError if the child ends first
   */
  ask<Response>(message: object): Promise<Response> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(this.ended());
      this.#process.once("exit", onExit);
      this.#process.once("message", (response) => {
        this.#process.off("exit", onExit);
        resolve(response as Response);
      });
      this.#process.send(message);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.isRunning) return;
    const exit = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await exit;
  }
}
