/** The steps after each save: lint and generate, check types, report, restart the server, check tests and scripts. */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { styleText } from "node:util";
import type { Project } from "../commands/project.ts";
import type { SpecProblem } from "../openapi/spec-problems.ts";
import { type CompileError, isTest, type ShortError, shortErrors } from "./compile-error.ts";
import { Generator } from "./generator.ts";
import { isOk, render, renderLater, type SaveReport, type ServerState } from "./screen.ts";
import type { ServerProcess } from "./server-process.ts";
import { TypeChecker } from "./type-checker.ts";
import { type Batch, isIn } from "./watch.ts";

const clearScreen = "\u001B[2J\u001B[3J\u001B[H";

export class Cycle {
  readonly #project: Project;
  readonly #generator = new Generator();
  readonly #types = new TypeChecker("tsconfig.json");
  readonly #server: ServerProcess;
  readonly #print: (text: string) => void;
  #waiting: Batch | undefined;
  #working: Promise<void> | undefined;
  #specProblems: readonly SpecProblem[] = [];
  /** False if `#specProblems` is older than the last save. */
  #specIsKnown = false;
  /** Generated files that were written since the last report. */
  #written = new Set<string>();
  #serverIsOld = true;

  constructor(project: Project, server: ServerProcess, print: (text: string) => void) {
    this.#project = project;
    this.#server = server;
    this.#print = print;
  }

  /** Files saved while a check runs are checked together when it ends. */
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
      await this.#check(batch);
    }
  }

  async #check({ files, since }: Batch): Promise<void> {
    const generatorChanged = files.some((file) =>
      /^scripts\/(generate\.ts$|toolkit\/(openapi|json-schema|generate)\/)/.test(file),
    );
    const { spec, generated: out } = this.#project;
    if (generatorChanged || files.some((file) => isIn(file, dirname(spec)) || isIn(file, out)))
      this.#specIsKnown = false;
    const ms: Record<string, number> = { waiting: performance.now() - since };
    if (!this.#specIsKnown) {
      const begun = performance.now();
      if (generatorChanged) await this.#generator.reload();
      const generated = await this.#generator.generate(this.#project);
      ms.generate = performance.now() - begun;
      for (const name of generated.written) this.#written.add(`${this.#project.generated}/${name}`);
      this.#specProblems = generated.problems;
    }
    if (files.length === 0) this.#print("checking types\n");
    const started = performance.now();
    const compileErrors = this.#shortened(this.#types.check());
    ms.types = performance.now() - started;

    this.#serverIsOld ||= this.#written.size > 0 || files.some((file) => isOfServer(file) || isIn(file, out));
    if (this.#waiting !== undefined) {
      this.saved({ files, since });
      return;
    }
    this.#specIsKnown = true;
    const report: SaveReport = {
      saved: files,
      written: [...this.#written],
      specProblems: this.#specProblems,
      compileErrors,
      ms,
      totalMs: performance.now() - since,
    };
    this.#written.clear();
    const state = this.#serverState(report);
    this.#print((process.stdout.isTTY ? clearScreen : "") + render(report, state));
    await Promise.all([state === "restarts" ? this.#restartServer() : undefined, this.#checkLater()]);
  }

  async #restartServer(): Promise<void> {
    this.#serverIsOld = false;
    const url = await this.#server.restart();
    if (url !== undefined) this.#print(`${styleText("green", "server")} runs this version on ${url}\n`);
  }

  async #checkLater(): Promise<void> {
    const started = performance.now();
    const errors = await this.#types.checkLater(() => this.#waiting === undefined);
    // Undefined if another file was saved before the check ended.
    if (errors !== undefined) this.#print(renderLater(this.#shortened(errors), performance.now() - started));
  }

  #shortened(errors: readonly CompileError[]): ShortError[] {
    return shortErrors(errors, (file) => readFileSync(file, "utf8"), this.#project.generated);
  }

  #serverState(report: SaveReport): ServerState {
    if (!this.#server.isRunning) return isOk(report) ? "restarts" : "not started";
    if (this.#server.restartsItself) return "restarts itself";
    if (isOk(report)) return this.#serverIsOld ? "restarts" : "unchanged";
    return "keeps the last version without errors";
  }
}

function isOfServer(file: string): boolean {
  return /^(server|src)\/|^package\.json$/.test(file) && !isTest(file);
}
