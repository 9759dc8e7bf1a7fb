/** Makes projects, and runs their tests. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../../testing/run-node.ts";

export const museum = "scripts/toolkit/generate/fixtures/real/museum/openapi.yaml";

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
