/** Puts a mutant before the gates of `npm test`, in their order, until one refuses it. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { showingTestFiles } from "../../coverage/record.ts";
import { type Copy, UnmeasurableTreeError } from "./copies.ts";
import { type Gate, saidIn } from "./gates.ts";
import type { Ended, Keeper } from "./keeper.ts";
import type { Mutant } from "./mutant.ts";
import { SpecText } from "./spec-text.ts";
import type { TestOrder } from "./test-order.ts";
import { runTests, type TestsRun } from "./tests-gate.ts";

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
  /** Up to the tests. */
  readonly gates: readonly Gate[];
  /** What comes after the tests, and judges what all of them together have shown of the spec. */
  readonly laterGates: readonly Gate[];
  /** Undefined while it is not known how long each test takes. */
  readonly order: TestOrder | undefined;
  /** The test files that show what the later gates judge. */
  readonly showing: readonly string[];
  /** How many tests run at once in one copy. */
  readonly testers: number;
  readonly limitMs: number;
}

/** Of the unchanged tree. */
const nothing: Mutant = { id: "", kind: "generated", operator: "", title: "", file: "", text: undefined };
const generatedFolders = ["generated", "docs"];
/** What leads on from the spec: tests reach the validators through the contract. */
const generatedModules = ["contract.ts", "openapi.json", "operations.ts", "types.ts"].map(
  (name) => `generated/${name}`,
);
/** What a person runs who has changed the spec (README, "Edit the spec"). */
const regenerate = "npm run -s generate && npm run -s docs:client";

/** That the unchanged tree passes, and how long its tests take. */
export interface Baseline {
  /** By test file. */
  readonly seconds: Readonly<Record<string, number>>;
  /** The test files that show anything of the contract. */
  readonly showing: readonly string[];
}

export class Trial {
  readonly #trials: Trials;
  readonly #copy: Copy;
  readonly #mutant: Mutant;
  #seconds: Readonly<Record<string, number>> = {};
  /** The test files that the last gate of tests has run to their end, where none failed. */
  #ran: readonly string[] = [];

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
   * Somebody who edits the spec goes on: generates, and raises the version where the diff asks for it, unless the version is
   * what was changed. The verdict is that of the last step, which has to be refused by what is not derived from the spec.
   */
  async #ofSpec(): Promise<Pick<Verdict, "kill" | "before">> {
    const { gates } = this.#trials;
    const { file } = this.#mutant;
    const edited = await this.#firstKill(
      gates.filter(({ name }) => name !== "tests"),
      [file],
    );
    const isJudgedAlready = gates
      .slice(
        0,
        gates.findIndex(({ name }) => name === "check:generated"),
      )
      .some(({ name }) => name === edited?.gate);
    // What is said of the spec itself does not change with what is generated from it.
    if (isJudgedAlready) return { kill: edited, before: { edited, generated: edited } };
    const generating = await this.#run(regenerate);
    if (generating.status !== 0) {
      const generated = { gate: "generate", said: saidIn(generating.output, this.#copy.root) };
      return { kill: edited ?? generated, before: { edited, generated } };
    }
    const changed = [file, ...generatedModules];
    const diff = gates.findIndex(({ name }) => name === "diff");
    const generated = await this.#firstKill(gates.slice(0, diff + 1), changed);
    if (generated === null) {
      const kill = (await this.#firstKill(gates.slice(diff + 1), changed)) ?? (await this.#laterKill());
      return { kill, before: { edited, generated: kill } };
    }
    const isOfVersion = this.#mutant.id.endsWith(":/info/version");
    const goesOn = generated.gate === "diff" && !isOfVersion && (await this.#raiseVersion());
    const kill = goesOn ? ((await this.#firstKill(gates, changed)) ?? (await this.#laterKill())) : generated;
    return { kill, before: { edited, generated } };
  }

  /** Sets the version to the least that the diff asks for; false where it asks for none. */
  async #raiseVersion(): Promise<boolean> {
    const { output } = await this.#run("npm run -s diff -- --json 2>/dev/null");
    // A spec that cannot be compared has no verdict.
    if (!output.includes('"leastVersion"')) return false;
    const least: unknown = JSON.parse(output).verdict.leastVersion;
    if (typeof least !== "string") return false;
    const spec = new SpecText(await readFile(join(this.#copy.root, this.#mutant.file), "utf8"));
    await this.#copy.write(this.#mutant.file, spec.with(spec.replaced("/info/version", least)));
    const { status: generating } = await this.#run(regenerate);
    return generating === 0;
  }

  /** Of the copy as it is. @throws UnmeasurableTreeError where a gate refuses it */
  async baseline(): Promise<Baseline> {
    const { gates, laterGates } = this.#trials;
    const kill = await this.#firstKill([...gates, ...laterGates], "all");
    if (kill !== null)
      throw new UnmeasurableTreeError(`the unchanged tree does not pass ${kill.gate}: ${kill.said}`);
    return { seconds: this.#seconds, showing: showingTestFiles(this.#copy.root) };
  }

  /** After all tests that show anything, for what follows them counts what all have shown. */
  async #laterKill(): Promise<Kill | null> {
    const { gates, laterGates, showing } = this.#trials;
    if (laterGates.length === 0) return null;
    if (showing.every((test) => this.#ran.includes(test))) return this.#firstKill(laterGates, "all");
    const tests = gates.filter(({ name }) => name === "tests");
    return this.#firstKill([...tests, ...laterGates], "all");
  }

  async #firstKill(gates: readonly Gate[], changed: readonly string[] | "all"): Promise<Kill | null> {
    for (const gate of gates) {
      const kill = gate.name === "tests" ? await this.#tests(gate, changed) : await this.#plain(gate);
      if (kill !== null) return kill;
    }
    return null;
  }

  async #plain(gate: Gate): Promise<Kill | null> {
    // What the compiler knows of the unchanged files it keeps beside the copy; its verdict is the same.
    const memory = join(dirname(this.#copy.root), "types.tsbuildinfo");
    const more = gate.name === "check:types" ? ` -- --incremental --tsBuildInfoFile '${memory}'` : "";
    const ended = await this.#run(gate.line + more);
    if (ended.status === 0) return null;
    return { gate: gate.name, said: this.#saidBy(ended) };
  }

  /** A test that fails is run once more by itself: only what it refuses then too, it refuses. */
  async #tests(gate: Gate, changed: readonly string[] | "all"): Promise<Kill | null> {
    const { order } = this.#trials;
    let files = changed === "all" ? [] : (order?.for(this.#mutant, changed) ?? []);
    let goesOn = false;
    this.#ran = files;
    do {
      const first = await this.#runTests(gate, files, goesOn);
      if (files.length === 0) this.#seconds = first.seconds;
      if (first.ended.status === 0) return null;
      const again = first.failing.length === 0 ? first : await this.#runTests(gate, first.failing, true);
      if (again.ended.status !== 0) {
        const failure = again.firstFailure;
        if (failure !== undefined) order?.killed(this.#mutant, failure.test);
        return { gate: gate.name, said: this.#saidBy(again.ended), ...failure };
      }
      const done = new Set([...first.passing, ...first.failing]);
      files = files.filter((file) => !done.has(file));
      goesOn = true;
    } while (files.length > 0);
    return null;
  }

  #runTests({ line }: Gate, files: readonly string[], goesOn: boolean): Promise<TestsRun> {
    return runTests({
      line,
      root: this.#copy.root,
      folder: dirname(this.#copy.root),
      testers: this.#trials.testers,
      goesOn,
      files,
      start: (command, env) => this.#run(command, env),
    });
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
