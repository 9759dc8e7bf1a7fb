/**
 * What happens after each save: generate, lint, check the types of all that runs, report, exchange the server where all
 * is well, and then look at the tests. One save is looked at after the other, and nothing is told of files that have
 * become others meanwhile: a save while it looks starts a new look, and its verdict takes the older one's place.
 */
import type { SpecProblem } from "../generate/problems.ts";
import { Generator } from "./generator.ts";
import { isOk, type LaterReport, type Report, type ServerState } from "./report.ts";
import type { ServerProcess } from "./server.ts";
import { isTest, TypeChecker } from "./types.ts";
import { changedSince, type Versions, versionsOf } from "./versions.ts";
import type { Batch } from "./watch.ts";

const spec = "spec/openapi.yaml";
const lintConfig = "spec/redocly.yaml";
const out = "generated";
/** What a verdict is about, beside what is generated. */
const sources = ["spec", "server", "client", "scripts", "package.json", "tsconfig.json"];

/** What people are told, in the order of the fields. */
export interface Screen {
  verdict(report: Report, server: ServerState): void;
  /** Left out where something has been saved meanwhile. */
  later(report: LaterReport): void;
  /** @param version when the verdict on what it serves was given */
  serves(url: string, version: string): void;
  /** It was stopped again, for it may have loaded what was never checked. */
  startedTooEarly(changed: readonly string[]): void;
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
  /** Whether nothing has been saved that the problems do not tell of. */
  #specIsKnown = false;
  /** Generated files that became others since the last verdict. */
  #written = new Set<string>();
  /** Whether the code has become another since the server was started. */
  #serverIsOld = true;
  /** When the verdict on what it serves was given. */
  #servedVersion = "";

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
    const before = versionsOf(sources);
    const generatorChanged = files.some((file) => /^scripts\/generate(\.ts$|\/)/.test(file));
    if (generatorChanged || files.some((file) => /^(spec|generated)\//.test(file))) this.#specIsKnown = false;
    if (generatorChanged) await this.#generator.reload();

    const ms: Record<string, number> = {};
    let linting: Promise<readonly SpecProblem[]> | undefined;
    if (!this.#specIsKnown) {
      const generated = await this.#generator.generate(spec, out);
      ms.generate = generated.ms;
      for (const name of generated.written) this.#written.add(`${out}/${name}`);
      this.#specProblems = generated.problems;
      // On its own thread, while the types are checked on this one.
      if (generated.problems.length === 0)
        linting = this.#generator.lint(spec, lintConfig).then((linted) => {
          ms.lint = linted.ms;
          return linted.problems;
        });
    }
    const versions = new Map([...before, ...versionsOf([out])]);
    const started = performance.now();
    const typeFaults = this.#types.check();
    ms.types = performance.now() - started;
    if (linting !== undefined) this.#specProblems = await linting;

    this.#serverIsOld ||= this.#written.size > 0 || files.some(isOfServer);
    const changed = changedFiles(versions);
    if (changed.length > 0 || this.#waiting !== undefined) {
      this.saved({ files: [...files, ...changed], since });
      return;
    }
    this.#specIsKnown = true;
    const report: Report = {
      saved: files,
      written: [...this.#written],
      specProblems: this.#specProblems,
      typeFaults,
      ms,
      totalMs: performance.now() - since,
    };
    this.#written.clear();
    const state = this.#serverState(report);
    this.#screen.verdict(report, state);
    await Promise.all([
      state === "restarts" ? this.#exchangeServer(versions) : undefined,
      this.#lookLater(versions),
    ]);
  }

  /** @param versions of the files as they were checked */
  async #exchangeServer(versions: Versions): Promise<void> {
    this.#serverIsOld = false;
    this.#servedVersion = new Date().toTimeString().slice(0, 8);
    const url = await this.#server.restart();
    if (url === undefined) return;
    const changed = changedFiles(versions).filter(isOfServer);
    if (changed.length === 0) {
      this.#screen.serves(url, this.#servedVersion);
      return;
    }
    await this.#server.stop();
    this.#screen.startedTooEarly(changed);
    this.saved({ files: changed, since: performance.now() });
  }

  async #lookLater(versions: Versions): Promise<void> {
    const started = performance.now();
    const faults = await this.#types.checkLater(() => this.#waiting === undefined);
    if (faults === undefined || changedFiles(versions).length > 0) return;
    this.#screen.later({ faults, ms: performance.now() - started });
  }

  #serverState(report: Report): ServerState {
    if (isOk(report)) return this.#serverIsOld || !this.#server.isRunning ? "restarts" : "unchanged";
    if (!this.#server.isRunning) return "not started";
    return `keeps the version of ${this.#servedVersion}, the last without faults`;
  }
}

function changedFiles(versions: Versions): string[] {
  return changedSince(versions, versionsOf([...sources, out]));
}

/** Whether the server loads it. */
function isOfServer(file: string): boolean {
  return /^(server|generated)\/|^package\.json$/.test(file) && !isTest(file);
}
