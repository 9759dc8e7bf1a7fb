/** Prints only the failed tests, each with the command that runs it alone, and one line at the end. */
import { relative } from "node:path";
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from "vitest/node";
import { printStage } from "../toolkit/commands/gates.ts";

/** Maximum number of lines that are printed for an error. */
const maxLines = 12;

export default class FailureReporter implements Reporter {
  #begun = 0;
  #files = 0;
  #tests = 0;
  #failed = 0;
  #skipped = 0;
  readonly #isTerminal = process.stdout.isTTY === true;

  onTestRunStart(): void {
    this.#begun = performance.now();
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    this.#tests += 1;
    if (state === "skipped") this.#skipped += 1;
    if (state !== "failed") return;
    this.#failed += 1;
    this.#print(`${test.module.relativeModuleId} > ${test.fullName}`, errors, commandFor(test));
  }

  onTestSuiteResult(suite: TestSuite): void {
    this.#printCollected(suite, suite.module.relativeModuleId);
  }

  onTestModuleEnd(module: TestModule): void {
    this.#files += 1;
    this.#printCollected(module, module.relativeModuleId);
    if (this.#isTerminal) process.stdout.write(`\r${this.#tests} tests in ${this.#files} files\x1b[K`);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    for (const error of unhandled) this.#print("an error outside the tests", [error], undefined);
    if (this.#isTerminal) process.stdout.write("\r\x1b[K");
    const project = modules[0]?.project.name ?? "";
    const counts = [
      `${this.#tests - this.#failed - this.#skipped} passed`,
      ...(this.#failed > 0 ? [`${this.#failed} FAILED`] : []),
      ...(this.#skipped > 0 ? [`${this.#skipped} skipped`] : []),
    ];
    const note =
      modules.length === 0 ? "no test file matches" : `${counts.join(", ")} in ${this.#files} files`;
    printStage(`${project} tests`.trimStart(), performance.now() - this.#begun, note);
  }

  /** Prints errors outside of test cases: in imports and hooks. */
  #printCollected(part: TestModule | TestSuite, path: string): void {
    const errors = part.errors();
    if (errors.length > 0) this.#print(path, errors, `npm test -- ${path}`);
  }

  #print(subject: string, errors: readonly SerializedError[], command: string | undefined): void {
    const lines = errors.flatMap(({ message, diff, stacks }) => [
      ...message.split("\n"),
      ...(typeof diff === "string" ? diff.split("\n") : []),
      ...(stacks ?? [])
        .slice(0, 1)
        .map(({ file, line, column }) => `at ${relative(process.cwd(), file)}:${line}:${column}`),
    ]);
    const shown = lines.length > maxLines + 1 ? [...lines.slice(0, maxLines), "…", lines.at(-1)] : lines;
    const text = [`FAILED ${subject}`, ...shown.map((line) => `    ${line}`)];
    if (command !== undefined) text.push(`    run only this: ${command}`);
    console.log(`${this.#isTerminal ? "\r\x1b[K" : ""}${text.join("\n")}`);
  }
}

function commandFor({ module, name }: TestCase): string {
  const script = module.project.name === "slow" ? "npm run -s test:slow" : "npm test";
  const pattern = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return `${script} -- ${module.relativeModuleId} --title '${pattern.replaceAll("'", "'\\''")}'`;
}
