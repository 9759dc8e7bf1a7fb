/** Puts a mutant before the gates of `npm test`, in their order, until one refuses it. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Copy } from "./copies.ts";
import { type Gate, saidIn } from "./gates.ts";
import type { Ended, Keeper } from "./keeper.ts";
import type { Mutant } from "./mutant.ts";
import { SpecText } from "./spec-text.ts";
import type { TestOrder } from "./test-order.ts";

/** A gate that refused, and what it said first. */
export interface Kill {
  readonly gate: string;
  readonly said: string;
  /** The test file, where it was a test. */
  readonly test?: string;
}

export interface Verdict {
  readonly id: string;
  /** Null where every gate let it pass. */
  readonly kill: Kill | null;
  /**
   * Of a change of the spec, what refuses it before somebody goes on: when nothing else is done, and when the spec's
   * files are generated but the version stays. Null where nothing does.
   */
  readonly before?: { readonly edited: Kill | null; readonly generated: Kill | null };
  readonly seconds: number;
}

export interface Trials {
  readonly keeper: Keeper;
  readonly gates: readonly Gate[];
  /** Undefined while it is not known how long each test takes: then all run, in the order that vitest chooses. */
  readonly order: TestOrder | undefined;
  /** How many tests run at once in one copy. */
  readonly testers: number;
  readonly limitMs: number;
}

/** Of the unchanged tree. */
const nothing: Mutant = { id: "", kind: "generated", operator: "", title: "", file: "", text: undefined };
const generatedFolders = ["generated", "docs"];
/** What a person runs who has changed the spec (README, "Edit the spec"). */
const regenerate = "npm run -s generate && npm run -s docs:client";

/** That the unchanged tree passes, and how long its tests take. */
export interface Baseline {
  /** By test file. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** The tree does not pass its own gates, so that no verdict would mean anything. */
export class BaselineError extends Error {}

export class Trial {
  readonly #trials: Trials;
  readonly #copy: Copy;
  readonly #mutant: Mutant;
  #seconds: Readonly<Record<string, number>> = {};

  constructor(trials: Trials, copy: Copy, mutant: Mutant = nothing) {
    this.#trials = trials;
    this.#copy = copy;
    this.#mutant = mutant;
  }

  /** Leaves the copy as it was. */
  async verdict(): Promise<Verdict> {
    const started = performance.now();
    const { id, kind, file, text } = this.#mutant;
    await this.#copy.write(file, text);
    try {
      const judged = kind === "spec" ? await this.#ofSpec() : { kill: await this.#ofFile() };
      return { id, ...judged, seconds: Math.round((performance.now() - started) / 100) / 10 };
    } finally {
      await this.#copy.restore(...(kind === "spec" ? generatedFolders : []));
    }
  }

  /** Formatted as everybody formats, so that the formatter's opinion counts for nothing. */
  async #ofFile(): Promise<Kill | null> {
    const { kind, file, text } = this.#mutant;
    if (kind !== "generated" && text !== undefined) await this.#run(`biome check --write ${file}`);
    return this.#firstKill(this.#trials.gates, [file]);
  }

  /**
   * Somebody who edits the spec goes on: generates, and raises the version where the diff asks for it. The verdict is
   * that of the last step, which has to be refused by what is not derived from the spec.
   */
  async #ofSpec(): Promise<Pick<Verdict, "kill" | "before">> {
    const { gates } = this.#trials;
    const { file } = this.#mutant;
    const edited = await this.#firstKill(
      gates.filter(({ name }) => name !== "tests"),
      [file],
    );
    const generating = await this.#run(regenerate);
    if (generating.status !== 0) {
      const generated = { gate: "generate", said: saidIn(generating.output, this.#copy.root) };
      return { kill: edited ?? generated, before: { edited, generated } };
    }
    const isDiff = ({ name }: Gate): boolean => name === "diff";
    const diff = gates.findIndex(isDiff);
    const changed = [
      file,
      "generated/contract.ts",
      "generated/types.ts",
      "generated/openapi.json",
      "generated/operations.ts",
    ];
    const generated = await this.#firstKill(gates.slice(0, diff + 1), changed);
    if (generated !== null && generated.gate !== "diff")
      return { kill: generated, before: { edited, generated } };
    if (generated !== null && !(await this.#raiseVersion()))
      return { kill: generated, before: { edited, generated } };
    const kill = await this.#firstKill(gates.slice(generated === null ? diff + 1 : 0), changed);
    return { kill, before: { edited, generated: generated ?? kill } };
  }

  /** Sets the version to the least that the diff asks for; false where it asks for none. */
  async #raiseVersion(): Promise<boolean> {
    const { output, status } = await this.#run("npm run -s diff -- --json 2>/dev/null");
    if (status === undefined) return false;
    let least: unknown;
    try {
      least = JSON.parse(output).verdict.leastVersion;
    } catch {
      return false;
    }
    const path = join(this.#copy.root, this.#mutant.file);
    const spec = new SpecText(await readFile(path, "utf8"));
    if (typeof least !== "string") return false;
    await this.#copy.write(this.#mutant.file, spec.with(spec.replaced("/info/version", least)));
    const { status: generating } = await this.#run(regenerate);
    return generating === 0;
  }

  /** Of the copy as it is. @throws BaselineError where a gate refuses it */
  async baseline(): Promise<Baseline> {
    const kill = await this.#firstKill(this.#trials.gates, []);
    if (kill !== null) throw new BaselineError(`the unchanged tree does not pass ${kill.gate}: ${kill.said}`);
    return { seconds: this.#seconds };
  }

  async #firstKill(gates: readonly Gate[], changed: readonly string[]): Promise<Kill | null> {
    for (const gate of gates) {
      const kill = gate.name === "tests" ? await this.#tests(gate, changed) : await this.#plain(gate);
      if (kill !== null) return kill;
    }
    return null;
  }

  async #plain(gate: Gate): Promise<Kill | null> {
    // What the compiler knows of the unchanged files it keeps beside the copy; its verdict is the same.
    const memory = join(this.#copy.temporary, "..", "types.tsbuildinfo");
    const more = gate.name === "check:types" ? ` -- --incremental --tsBuildInfoFile '${memory}'` : "";
    const ended = await this.#run(gate.line + more);
    if (ended.status === 0) return null;
    return { gate: gate.name, said: this.#saidBy(ended) };
  }

  /** A test that fails is run once more by itself: only what it refuses then too, it refuses. */
  async #tests(gate: Gate, changed: readonly string[]): Promise<Kill | null> {
    const { order } = this.#trials;
    let files = order?.for(this.#mutant, changed) ?? [];
    do {
      const { ended, report } = await this.#vitest(gate, files);
      if (ended.status === 0) return null;
      const failing = failingIn(report, this.#copy.root);
      const again = failing.length === 0 ? { ended, report } : await this.#vitest(gate, failing);
      if (again.ended.status !== 0) {
        const failure = failureIn(again.report, this.#copy.root);
        if (failure === undefined) return { gate: gate.name, said: this.#saidBy(ended) };
        order?.killed(this.#mutant, failure.test);
        return { gate: gate.name, ...failure };
      }
      const done = new Set([...passingIn(report, this.#copy.root), ...failing]);
      files = files.filter((file) => !done.has(file));
    } while (files.length > 0);
    return null;
  }

  /** @param files all in no particular order where there are none; else these, and no more after the first that fails */
  async #vitest(
    { line }: Gate,
    files: readonly string[],
  ): Promise<{ ended: Ended; report: Report | undefined }> {
    const orderFile = join(this.#copy.temporary, "..", "order.json");
    const reportFile = join(this.#copy.temporary, "..", "tests.json");
    await writeFile(orderFile, JSON.stringify(files));
    await rm(reportFile, { force: true });
    const bail = files.length > 0 ? "--bail 1 " : "";
    const ended = await this.#run(
      `${line} --config scripts/drift/vitest.config.mjs --maxWorkers ${this.#trials.testers} --reporter json --outputFile '${reportFile}' ${bail}${files.join(" ")}`,
      { DRIFT_ORDER: orderFile },
    );
    const text = await readFile(reportFile, "utf8").catch(() => "");
    const report: Report | undefined = text === "" ? undefined : JSON.parse(text);
    if (files.length === 0) this.#seconds = secondsIn(report, this.#copy.root);
    return { ended, report };
  }

  #saidBy({ status, output }: Ended): string {
    return status === undefined ? "it took too long" : saidIn(output, this.#copy.root);
  }

  #run(line: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const { keeper, limitMs } = this.#trials;
    return keeper.run({ line, cwd: this.#copy.root, env: { ...environmentOf(this.#copy), ...env }, limitMs });
  }
}

/** That of this process, without what npm has put there for the checkout. */
export function environmentOf({ root, temporary }: Copy): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|INIT_CWD$|NODE_|VITEST|TEST$)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}`,
    TMPDIR: temporary,
    NO_COLOR: "1",
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  };
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

function failingIn(report: Report | undefined, root: string): string[] {
  const failed = report?.testResults.filter(({ status }) => status === "failed") ?? [];
  return failed.map(({ name }) => relative(root, name));
}

/** Those of which every test passed: what was cut off by another's failure is none of them. */
function passingIn(report: Report | undefined, root: string): string[] {
  const passed = report?.testResults.filter(
    ({ status, assertionResults: tests }) =>
      status === "passed" && tests.length > 0 && tests.every((test) => test.status === "passed"),
  );
  return passed?.map(({ name }) => relative(root, name)) ?? [];
}

function failureIn(report: Report | undefined, root: string): { test: string; said: string } | undefined {
  const file = report?.testResults.find(({ status }) => status === "failed");
  if (file === undefined) return undefined;
  const failed = file.assertionResults.find(({ status }) => status === "failed");
  const message = saidIn(failed?.failureMessages?.[0] ?? file.message ?? "", root);
  return { test: relative(root, file.name), said: failed ? `${failed.fullName}: ${message}` : message };
}

/** How many seconds each test file took. */
function secondsIn(report: Report | undefined, root: string): Record<string, number> {
  const files = report?.testResults ?? [];
  return Object.fromEntries(
    files.map(({ name, startTime, endTime }) => [relative(root, name), (endTime - startTime) / 1000]),
  );
}
