/** Keeps the generator loaded between saves of the spec, and reloads it after a save of its code. */
import { Worker } from "node:worker_threads";
import type { SpecProblem } from "../openapi/spec-problems.ts";

export type Task =
  | { readonly kind: "generate"; readonly spec: string; readonly out: string }
  | { readonly kind: "lint"; readonly spec: string; readonly config: string };

export interface Linted {
  readonly problems: readonly SpecProblem[];
  readonly ms: number;
}

export interface Generated extends Linted {
  readonly written: readonly string[];
}

/** Tasks run one after the other, so results come in the order of the calls. */
export class Generator {
  readonly #allowOutside: readonly string[];
  #worker: Worker | undefined;

  constructor(allowOutside: readonly string[] = []) {
    this.#allowOutside = allowOutside;
  }

  generate(spec: string, out: string): Promise<Generated> {
    return this.#ask<Generated>({ kind: "generate", spec, out }, (problems) => ({
      problems,
      written: [],
      ms: 0,
    }));
  }

  lint(spec: string, config: string): Promise<Linted> {
    return this.#ask<Linted>({ kind: "lint", spec, config }, (problems) => ({ problems, ms: 0 }));
  }

  /** The next task loads the code again. */
  async reload(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  /** @param failed the result if the generator's code cannot be loaded */
  #ask<Result>(task: Task, failed: (problems: SpecProblem[]) => Result): Promise<Result> {
    this.#worker ??= new Worker(new URL("./generator-thread.ts", import.meta.url), {
      workerData: this.#allowOutside,
    });
    const worker = this.#worker;
    return new Promise((resolve) => {
      const settle = (result: Result): void => {
        worker.off("message", settle).off("error", onError);
        resolve(result);
      };
      const onError = (error: unknown): void => {
        this.#worker = undefined;
        const message = `the generator failed: ${error instanceof Error ? error.message : error}`;
        settle(failed([{ location: "scripts/generate", message }]));
      };
      worker.on("message", settle).on("error", onError);
      worker.postMessage(task);
    });
  }
}
