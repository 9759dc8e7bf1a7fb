/**
 * What happens after each save: generate, lint, check the types of all that runs, report, exchange the server where all
 * is well, and then look at the tests.
 */
import type { SpecProblem } from "../generate/problems.ts";
import { Generator } from "./generator.ts";
import { isOk, type Report, type ServerState, type TestsReport } from "./report.ts";
import type { ServerProcess } from "./server.ts";
import { isTest, TypeChecker } from "./types.ts";
import type { Batch } from "./watch.ts";

const spec = "spec/openapi.yaml";
const lintConfig = "spec/redocly.yaml";
const out = "generated";

/** What people are told, in the order of the fields. */
export interface Screen {
  verdict(report: Report, server: ServerState): void;
  /** Left out where something has been saved meanwhile. */
  tests(report: TestsReport): void;
}

export class Cycle {
  readonly #generator = new Generator();
  readonly #types = new TypeChecker("tsconfig.json", out);
  readonly #server: ServerProcess;
  readonly #screen: Screen;
  /** What has been saved and not yet looked at. */
  #waiting: Batch | undefined;
  #working: Promise<void> | undefined;
  #specProblems: readonly SpecProblem[] = [];
  /** Whether the code has become another since the server was started. */
  #serverIsOld = true;

  constructor(server: ServerProcess, screen: Screen) {
    this.#server = server;
    this.#screen = screen;
  }

  /** Saves while it works are taken together afterwards. */
  saved(batch: Batch): void {
    const { files = [], since = batch.since } = this.#waiting ?? {};
    this.#waiting = { files: [...new Set([...files, ...batch.files])].toSorted(), since };
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  async end(): Promise<void> {
    this.#waiting = undefined;
    await Promise.all([this.#server.stop(), this.#generator.reload()]);
  }

  async #work(): Promise<void> {
    while (this.#waiting !== undefined) {
      const batch = this.#waiting;
      this.#waiting = undefined;
      await this.#look(batch);
    }
  }

  async #look({ files, since }: Batch): Promise<void> {
    const isStart = files.length === 0;
    const generatorChanged = files.some((file) => /^scripts\/generate(\.ts$|\/)/.test(file));
    const specChanged = isStart || generatorChanged || files.some((file) => file.startsWith("spec/"));
    if (generatorChanged) await this.#generator.reload();

    const ms: Record<string, number> = {};
    let written: readonly string[] = [];
    let linting: Promise<readonly SpecProblem[]> | undefined;
    if (specChanged) {
      const generated = await this.#generator.generate(spec, out);
      ms.generate = generated.ms;
      written = generated.written.map((name) => `${out}/${name}`);
      this.#specProblems = generated.problems;
      // On its own thread, while the types are checked on this one.
      if (generated.problems.length === 0)
        linting = this.#generator.lint(spec, lintConfig).then((linted) => {
          ms.lint = linted.ms;
          return linted.problems;
        });
    }
    const started = performance.now();
    const typeFaults = this.#types.check();
    ms.types = performance.now() - started;
    if (linting !== undefined) this.#specProblems = await linting;

    this.#serverIsOld ||= written.length > 0 || files.some(isOfServer);
    const report: Report = {
      saved: files,
      written,
      specProblems: this.#specProblems,
      typeFaults,
      ms,
      totalMs: performance.now() - since,
    };
    const state = this.#serverState(report);
    this.#screen.verdict(report, state);
    const restarts = state === "restarts";
    if (restarts) this.#serverIsOld = false;
    await Promise.all([restarts ? this.#server.restart() : undefined, this.#lookAtTests()]);
  }

  async #lookAtTests(): Promise<void> {
    const started = performance.now();
    const faults = await this.#types.checkTests(() => this.#waiting === undefined);
    if (faults !== undefined) this.#screen.tests({ faults, ms: performance.now() - started });
  }

  #serverState(report: Report): ServerState {
    if (!isOk(report))
      return this.#server.isRunning ? "keeps the last version without faults" : "not started";
    return this.#serverIsOld || !this.#server.isRunning ? "restarts" : "unchanged";
  }
}

function isOfServer(file: string): boolean {
  return file.startsWith("server/") && !isTest(file);
}
