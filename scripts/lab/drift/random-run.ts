/** Tries random changes of server and client in a copy of the tree. A record file keeps the results of a run that is cut. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Copy, filesIn, git } from "./copy.ts";
import { DriftError } from "./mutant.ts";
import { type RandomChange, randomChanges } from "./random-changes.ts";
import { reasonIn, runInCopy } from "./trial.ts";

export interface RandomOptions {
  readonly count: number;
  readonly seed: number;
  readonly record: string;
  readonly list: boolean;
  /** If not empty, only these changes are tried, also if they are in the record. */
  readonly mutant: readonly string[];
}

interface Result extends Omit<RandomChange, "text"> {
  /** The first stage that failed, or null if the change was not noticed. */
  readonly stage: string | null;
  readonly reason: string;
  readonly seconds: number;
}

interface TestFile {
  readonly file: string;
  readonly isQuick: boolean;
}

interface Stage {
  readonly name: string;
  readonly line: string;
}

const root = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
const isSource = (file: string): boolean =>
  /^(?:server|client)\/.*\.ts$/.test(file) &&
  !/(?:\.test|\.suite|\.type-test|\.d)\.ts$|\/testing\//.test(file);
/** These are tests of drift itself, and they would find the changes of every file. */
const isOwnTest = /^scripts\/lab\/drift\/.*\.test\.ts$/;
const limitMs = 3 * 60_000;
const pending = "pending";

/** @returns the exit status. @throws DriftError if the unchanged tree does not pass */
export async function randomDrift({ count, seed, record, list, mutant }: RandomOptions): Promise<number> {
  const files = (await filesIn(root)).filter((file) => !isOwnTest.test(file));
  const read = (file: string): string => readFileSync(join(root, file), "utf8");
  const all = randomChanges(files.filter(isSource), read, count, seed);
  if (list) {
    process.stdout.write(all.map((change) => `${change.id}  ${titleOf(change)}\n`).join(""));
    return 0;
  }
  const known: Result[] = existsSync(record) ? JSON.parse(readFileSync(record, "utf8")) : [];
  const results = new Map(
    known.filter(({ id }) => !mutant.includes(id)).map((result) => [result.id, result]),
  );
  using copy = await Copy.make(root, files);
  process.stderr.write("running the stages on the unchanged tree\n");
  const tests = await testsOf(copy);
  // The slow tests run last, so that a run which is cut has tried most changes.
  for (const isLast of [false, true])
    for (const change of all) {
      const known = results.get(change.id);
      if (!(known === undefined || (isLast && known.stage === pending))) continue;
      if (mutant.length > 0 && !mutant.includes(change.id)) continue;
      const begun = performance.now();
      const failed = await firstFailure(change, copy, stagesFor(change.file, tests, isLast));
      const { text: _, ...place } = change;
      const seconds = (known?.seconds ?? 0) + Math.round((performance.now() - begun) / 1000);
      const stage = failed?.stage ?? (isLast ? null : pending);
      results.set(change.id, { ...place, stage, reason: failed?.reason ?? "", seconds });
      writeFileSync(record, `${JSON.stringify([...results.values()], undefined, 1)}\n`);
      process.stderr.write(
        `${results.size}/${count}  ${change.id}  ${seconds} s  ${stage ?? "NOT NOTICED"}  ${failed?.reason ?? titleOf(change)}\n`,
      );
    }
  const tried = all.flatMap(({ id }) => results.get(id) ?? []);
  process.stdout.write(
    `commit ${(await git(root, "rev-parse", "HEAD")).trim()}, seed ${seed}\n${report(tried)}`,
  );
  return tried.every(({ stage }) => stage !== null) ? 0 : 1;
}

function report(tried: readonly Result[]): string {
  const stages = Map.groupBy(tried, ({ stage }) => stage ?? "not noticed");
  const counts = [...stages].map(([stage, { length }]) => `${stage}: ${length}\n`);
  const missed = stages.get("not noticed") ?? [];
  const share = ((1 - missed.length / tried.length) * 100).toFixed(1);
  const list = missed.map((result) => `${result.id}  ${titleOf(result)}\n`);
  return `${tried.length - missed.length} of ${tried.length} noticed, ${share} %\n${[...counts, ...list].join("")}`;
}

function titleOf({ file, line, kind, before, after }: Omit<RandomChange, "text">): string {
  const [from, to] = [before, after].map((text) => text.replaceAll(/\s+/g, " ").slice(0, 100));
  return `${file}:${line}  ${kind}  ${from}  →  ${to}`;
}

const types =
  "node node_modules/typescript-7/bin/tsc --incremental --tsBuildInfoFile node_modules/.drift.tsbuildinfo";
const vitest = (line: string): string => `vitest ${line} --project fast --bail 1 --passWithNoTests`;

/** Types first, then the tests next to the file, then tests that import it: the quick ones before the others. */
function stagesFor(file: string, tests: readonly TestFile[], isLast: boolean): Stage[] {
  const related = (name: string, wanted: boolean): Stage => {
    const excluded = tests.filter(({ isQuick }) => isQuick !== wanted);
    return {
      name,
      line: vitest(`related ${file} --run${excluded.map((test) => ` --exclude ${test.file}`).join("")}`),
    };
  };
  if (isLast) return [related("slow tests", false)];
  const own = tests.filter((test) => test.file === file.replace(/\.ts$/, ".test.ts"));
  const near = tests.filter((test) => dirname(test.file) === dirname(file) && dirname(file).includes("/"));
  const stages = [own, near]
    .filter(({ length }) => length > 0)
    .map((group, index) => ({
      name: index === 0 && own.length > 0 ? "own tests" : "folder",
      line: vitest(`run ${group.map((test) => test.file).join(" ")}`),
    }));
  return [
    { name: "types", line: types },
    ...stages.slice(0, 1),
    related("quick tests", true),
    ...stages.slice(1),
  ];
}

async function firstFailure(
  change: RandomChange,
  copy: Copy,
  stages: readonly Stage[],
): Promise<{ stage: string; reason: string } | undefined> {
  await copy.write(change.file, change.text);
  try {
    for (const { name, line } of stages) {
      // A change that makes a test wait for ever is noticed too.
      const { succeeded, output } = await runInCopy(copy, line, limitMs);
      if (!succeeded) return { stage: name, reason: reasonIn(output, copy.root) };
    }
    return undefined;
  } finally {
    await copy.restore();
  }
}

/** Runs all tests of server and client once. A quick test takes less than two seconds. */
async function testsOf(copy: Copy): Promise<TestFile[]> {
  const output = join(copy.temporary, "tests.json");
  for (const line of [types, vitest(`run server/ client/ --reporter json --outputFile ${output}`)]) {
    const ended = await runInCopy(copy, line);
    if (!ended.succeeded)
      throw new DriftError(`the unchanged tree does not pass: ${reasonIn(ended.output, copy.root)}`);
  }
  const { testResults }: { testResults: { name: string; startTime: number; endTime: number }[] } = JSON.parse(
    readFileSync(output, "utf8"),
  );
  return testResults.map(({ name, startTime, endTime }) => {
    return { file: name.replace(`${copy.root}/`, ""), isQuick: endTime - startTime < 2000 };
  });
}
