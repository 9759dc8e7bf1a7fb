/** The gate that is made of tests: a run of vitest over some of them, and what its report says. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { goesOn as goesOnVariable } from "../../coverage/record.ts";
import { saidIn } from "./gates.ts";
import type { Ended } from "./keeper.ts";

export interface TestsRun {
  readonly ended: Ended;
  /** Test files that failed. */
  readonly failing: readonly string[];
  /** Test files of which every test passed: what was cut off by another's failure is none of them. */
  readonly passing: readonly string[];
  readonly firstFailure: Failure | undefined;
  /** By test file. */
  readonly seconds: Readonly<Record<string, number>>;
}

export interface Failure {
  readonly test: string;
  readonly said: string;
}

export interface TestsCommand {
  /** How the gate runs its tests. */
  readonly line: string;
  /** The copy. */
  readonly root: string;
  /** For the report and what else the run needs. */
  readonly folder: string;
  /** How many run at once. */
  readonly testers: number;
  /** Whether what it shows of the contract adds to what the run before it has shown. */
  readonly goesOn: boolean;
  /** All, in no particular order, where there are none; else these, and no more after the first that fails. */
  readonly files: readonly string[];
  readonly start: (line: string, env: Readonly<Record<string, string>>) => Promise<Ended>;
}

export async function runTests({
  line,
  root,
  folder,
  testers,
  goesOn,
  files,
  start,
}: TestsCommand): Promise<TestsRun> {
  const order = join(folder, "order.json");
  const reportFile = join(folder, "tests.json");
  await writeFile(order, JSON.stringify(files));
  await rm(reportFile, { force: true });
  const options = `--config scripts/lab/drift/vitest.config.mjs --maxWorkers ${testers} --reporter json --outputFile '${reportFile}'`;
  const chosen = files.length > 0 ? ` --bail 1 ${files.join(" ")}` : "";
  const ended = await start(`${line} ${options}${chosen}`, {
    DRIFT_ORDER: order,
    [goesOnVariable]: String(goesOn),
  });
  const results = await resultsIn(reportFile);
  const names = (of: readonly FileResult[]): string[] => of.map(({ name }) => relative(root, name));
  const failed = results.filter(isFailure);
  return {
    ended,
    failing: names(failed),
    passing: names(
      results.filter(
        ({ status, assertionResults: tests }) =>
          status === "passed" && tests.length > 0 && tests.every((test) => test.status === "passed"),
      ),
    ),
    firstFailure: failed[0] && failureOf(failed[0], root),
    seconds: Object.fromEntries(
      results.map(({ name, startTime, endTime }) => [relative(root, name), (endTime - startTime) / 1000]),
    ),
  };
}

/** As much as is read of vitest's report in JSON. */
interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  /** In milliseconds. */
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages?: readonly string[] | null;
  }[];
}

/** None where vitest did not get as far as a report. */
async function resultsIn(reportFile: string): Promise<readonly FileResult[]> {
  const text = await readFile(reportFile, "utf8").catch(() => undefined);
  if (text === undefined) return [];
  const { testResults }: { testResults: readonly FileResult[] } = JSON.parse(text);
  return testResults;
}

/** What vitest had no more time for counts as failed too, without a word. */
function isFailure({ status, message = "", assertionResults: tests }: FileResult): boolean {
  return status === "failed" && (message !== "" || tests.some((test) => test.status === "failed"));
}

function failureOf({ name, message = "", assertionResults }: FileResult, root: string): Failure {
  const failed = assertionResults.find(({ status }) => status === "failed");
  const said = saidIn(failed?.failureMessages?.[0] ?? message, root);
  return { test: relative(root, name), said: failed ? `${failed.fullName}: ${said}` : said };
}
