/** A measured server as it runs, on a database and a port of its own. */
import { copyFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { RunError } from "../measure.ts";
import { exchange } from "./calls.ts";
import { Child } from "./child.ts";
import type { Program } from "./programs.ts";
import type { Use } from "./report-use.ts";
import type { Shop } from "./shop.ts";

const reportUse = fileURLToPath(new URL("report-use.ts", import.meta.url));
/** This server has Node keep what it compiles, so the others do too. */
const compiled = fileURLToPath(new URL("../../../../node_modules/.cache/compile", import.meta.url));
const startLimitMs = 30_000;
const pollMs = 5;

export class Running implements AsyncDisposable {
  readonly program: Program;
  readonly port: number;
  /** From the process' start to its first answer. */
  readonly startMs: number;
  readonly #child: Child;

  private constructor(program: Program, port: number, startMs: number, child: Child) {
    this.program = program;
    this.port = port;
    this.startMs = startMs;
    this.#child = child;
  }

  /** On a copy of the shop's database. @throws RunError where it ends, or does not answer `request` in half a minute */
  static start(program: Program, shop: Shop, folder: string, request: string): Promise<Running> {
    const env = (port: number): Readonly<Record<string, string>> => {
      const database = join(folder, `${port}.db`);
      copyFileSync(shop.database, database);
      return program.env(port, database);
    };
    return Running.startWith(program, env, request);
  }

  /**
   * @param env its whole environment, once its port is known
   * @throws RunError where it ends, or does not answer `request` in half a minute
   */
  static async startWith(
    program: Program,
    env: (port: number) => Readonly<Record<string, string>>,
    request: string,
  ): Promise<Running> {
    const port = await freePort();
    const environment = { NODE_COMPILE_CACHE: compiled, ...env(port) };
    const started = performance.now();
    const child = new Child(program.name, ["--expose-gc", "--import", reportUse, program.file], environment);
    try {
      for (;;) {
        const answer = await exchange(port, request).catch(() => undefined);
        const ms = performance.now() - started;
        if (answer?.status === 200) return new Running(program, port, ms, child);
        child.assertRunning();
        if (ms > startLimitMs)
          throw new RunError(`${program.name} did not answer in ${startLimitMs / 1000} s`);
        await delay(pollMs);
      }
    } catch (error) {
      await child[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** What it has used so far. */
  use(): Promise<Use> {
    return this.#child.ask<Use>({});
  }

  /** The same, once nothing is kept that could be let go. */
  useWithoutGarbage(): Promise<Use> {
    return this.#child.ask<Use>({ collect: true });
  }

  /** Has what Node compiled kept for its next start. */
  async keepCompiled(): Promise<void> {
    await this.#child.ask({ keepCompiled: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#child[Symbol.asyncDispose]();
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
