/** A Node program as a child process that answers messages, one at a time. */
import { type ChildProcess, spawn } from "node:child_process";
import { RunError } from "../measure.ts";

export class Child implements AsyncDisposable {
  readonly #name: string;
  readonly #process: ChildProcess;
  #said = "";

  constructor(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.#name = name;
    this.#process = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", ...env },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#process.stderr?.on("data", (data: Buffer) => {
      this.#said = `${this.#said}${data}`.slice(-2000);
    });
  }

  /** @throws RunError where it has ended, with the last that it said */
  assertRunning(): void {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null)
      throw new RunError(`${this.#name} ended (${exitCode ?? signalCode}): ${this.#said.trim()}`);
  }

  /**
   * The answer to a message; of what type it is, is the caller's claim.
   *
   * @throws RunError where it ends instead
   */
  ask<Answer>(message: object): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const child = this.#process;
      const onMessage = (answer: unknown): void => {
        child.off("exit", onExit);
        resolve(answer as Answer);
      };
      const onExit = (): void => {
        child.off("message", onMessage);
        reject(new RunError(`${this.#name} ended: ${this.#said.trim()}`));
      };
      child.once("message", onMessage).once("exit", onExit);
      child.send(message);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGKILL");
    await ended;
  }
}
