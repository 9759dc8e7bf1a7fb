/** Keeps the generator loaded between saves of the spec, and reloads it after a save of its code. */
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Project } from "../commands/project.ts";
import type { SpecProblem } from "../openapi/spec-problems.ts";

export interface Generated {
  readonly problems: readonly SpecProblem[];
  /** Generated files that were written. Empty if there are problems. */
  readonly written: readonly string[];
}

/** In the package, it is JavaScript. */
const thread = new URL(`generator-thread${extname(import.meta.url)}`, import.meta.url);

/** Tasks run one after the other, so results come in the order of the calls. */
export class Generator {
  #worker: Worker | undefined;

  /** If the generator's code cannot be loaded, this is the only problem in the result. */
  generate(project: Project): Promise<Generated> {
    this.#worker ??= new Worker(thread);
    const worker = this.#worker;
    return new Promise((resolve) => {
      const settle = (result: Generated): void => {
        worker.off("message", settle).off("error", onError);
        resolve(result);
      };
      const onError = (error: unknown): void => {
        this.#worker = undefined;
        const message = `the generator failed: ${error instanceof Error ? error.message : error}`;
        settle({ problems: [{ location: project.spec, message }], written: [] });
      };
      worker.on("message", settle).on("error", onError);
      worker.postMessage(project);
    });
  }

  /** The next task loads the code again. */
  async reload(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}
