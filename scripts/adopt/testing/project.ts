/** Makes projects, and runs programs in them. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export const museum = "scripts/generate/fixtures/real/museum/openapi.yaml";

export interface Ended {
  readonly status: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

export function run(cwd: string, ...args: string[]): Promise<Ended> {
  // Colours must not depend on the environment of the test run.
  const env = { ...process.env, NO_COLOR: "1", CI: "1" };
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      done({ status: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

export const adopt = (...args: string[]) => run(".", "scripts/adopt.ts", ...args);

interface TestResult {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

export async function testsOf(project: string): Promise<TestResult[]> {
  const report = join(project, "..", "tests.json");
  const reporting = ["--reporter=json", `--outputFile.json=${report}`];
  await run(project, "node_modules/vitest/vitest.mjs", "run", ...reporting);
  const { testResults } = JSON.parse(await readFile(report, "utf8"));
  return testResults.flatMap((file: { assertionResults: TestResult[] }) => file.assertionResults);
}
