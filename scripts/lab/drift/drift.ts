/** Tries random changes of the code or of the spec in a copy of the tree. A record file keeps the results of a run that is cut. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { TypeChecker } from "../../toolkit/dev/type-checker.ts";
import { Copy, filesIn, git } from "./copy.ts";
import { DriftError } from "./drift-error.ts";
import { type RandomChange, randomChanges } from "./random-changes.ts";
import { specChanges, withRaisedVersion } from "./spec-changes.ts";
import { type GateCommand, type Kill, killBy } from "./trial.ts";

export interface DriftOptions {
  readonly count: number;
  readonly seed: number;
  /** Whether the spec is changed, instead of server and client. */
  readonly spec: boolean;
  readonly record: string;
  readonly list: boolean;
  /** If not empty, only these changes are tried, also if they are in the record. */
  readonly only: readonly string[];
}

interface Result extends Omit<RandomChange, "text"> {
  /** The first stage that failed, or null if the change was not noticed. */
  readonly stage: string | null;
  readonly reason: string;
  readonly seconds: number;
}

interface RunRecord {
  /** Seconds that each test file takes without a change. */
  readonly tests: Readonly<{ [file: string]: number }>;
  readonly results: readonly Result[];
}

const root = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
const isSource = (file: string): boolean =>
  /^(?:server|client)\/.*\.ts$/.test(file) &&
  !/(?:\.test|\.suite|\.type-test|\.d)\.ts$|\/testing\//.test(file);
/** These are tests of drift itself, and they would find the changes of every file. */
const isOwnTest = /^scripts\/lab\/drift\/.*\.test\.ts$/;
const pending = "pending";
const specFile = "spec/openapi.yaml";

const npm = (name: string): GateCommand => ({ name, line: `npm run -s ${name}` });
const allTypes: GateCommand = { name: "all types", line: "node node_modules/typescript-7/bin/tsc" };
/** After a change of the spec, the generator runs. So only a stage that compares the spec with written files fails. */
const specStages: readonly GateCommand[] = [
  npm("lint:spec"),
  npm("generate"),
  npm("diff"),
  npm("lint:code"),
  allTypes,
  { name: "tests", line: "RECORDS_COVERAGE=1 vitest run --project fast --bail 1 --retry 1" },
  npm("coverage:contract"),
];

/** @returns the exit status. @throws DriftError if the unchanged tree does not pass */
export async function drift({ count, seed, spec, record, list, only }: DriftOptions): Promise<number> {
  const files = (await filesIn(root)).filter((file) => !isOwnTest.test(file));
  const read = (file: string): string => readFileSync(join(root, file), "utf8");
  const all = spec
    ? specChanges(specFile, read(specFile), count, seed)
    : randomChanges(files.filter(isSource), read, count, seed);
  if (list) {
    process.stdout.write(all.map(lineOf).join(""));
    return 0;
  }
  using copy = await Copy.make(root, files);
  const checker = spec ? undefined : new TypeChecker(join(copy.root, "tsconfig.json"));
  const unchanged = { file: specFile, text: spec ? withRaisedVersion(read(specFile)) : read(specFile) };
  const failed = await firstKill(unchanged, copy, spec ? specStages : [], checker);
  if (failed !== undefined)
    throw new DriftError(`the unchanged tree does not pass ${failed.gate}: ${failed.reason}`);
  const { tests, results: known }: RunRecord = existsSync(record)
    ? JSON.parse(readFileSync(record, "utf8"))
    : { tests: spec ? {} : await secondsOfTests(copy), results: [] };
  const kept = known.filter(({ id }) => !only.includes(id)).map((result) => [result.id, result] as const);
  const results = new Map(kept);
  const testsFor = testFinder(files, read, tests);
  // The slow tests run last, so that a run which is cut has tried most changes.
  for (const isLast of spec ? [true] : [false, true])
    for (const change of all) {
      const known = results.get(change.id);
      if (!(known === undefined || (isLast && known.stage === pending))) continue;
      if (only.length > 0 && !only.includes(change.id)) continue;
      const begun = performance.now();
      const stages = spec ? specStages : stagesFor(change.file, testsFor(change.file), tests, isLast);
      const { gate, reason } = (await firstKill(change, copy, stages, checker)) ?? {
        gate: isLast ? null : pending,
        reason: "",
      };
      const { text: _, ...place } = change;
      const seconds = (known?.seconds ?? 0) + Math.round((performance.now() - begun) / 1000);
      results.set(change.id, { ...place, stage: gate, reason, seconds });
      writeFileSync(record, `${JSON.stringify({ tests, results: [...results.values()] }, undefined, 1)}\n`);
      const result = `${gate ?? "NOT NOTICED"}  ${reason || titleOf(change)}`;
      process.stderr.write(`${results.size}/${count}  ${change.id}  ${seconds} s  ${result}\n`);
    }
  const tried = all.flatMap(({ id }) => results.get(id) ?? []);
  process.stdout.write(`commit ${await git(root, "rev-parse", "HEAD")}seed ${seed}\n${report(tried)}`);
  return tried.every(({ stage }) => stage !== null) ? 0 : 1;
}

function report(tried: readonly Result[]): string {
  const stages = Map.groupBy(tried, ({ stage }) => stage ?? "not noticed");
  const counts = [...stages].map(([stage, { length }]) => `${stage}: ${length}\n`);
  const missed = stages.get("not noticed") ?? [];
  const share = ((1 - missed.length / tried.length) * 100).toFixed(1);
  return `${tried.length - missed.length} of ${tried.length} noticed, ${share} %\n${[...counts, ...missed.map(lineOf)].join("")}`;
}

const lineOf = (change: RandomChange | Result): string => `${change.id}  ${titleOf(change)}\n`;

function titleOf({ file, line, kind, before, after }: Omit<RandomChange, "text">): string {
  const [from, to] = [before, after].map((text) => text.replaceAll(/\s+/g, " ").slice(0, 100));
  return `${file}:${line}  ${kind}  ${from}  →  ${to}`;
}

/** Returns a function that finds the tests which import a file, also through other files, the quickest first. */
function testFinder(
  files: readonly string[],
  read: (file: string) => string,
  tests: RunRecord["tests"],
): (file: string) => string[] {
  const importers = new Map<string, string[]>();
  const { imports }: { imports: Record<string, string | object> } = JSON.parse(read("package.json"));
  const targetsOf = (alias: string | object): string[] =>
    typeof alias === "string" ? [join(alias)] : Object.values(alias).flatMap(targetsOf);
  for (const file of files.filter((each) => /^(?:server|client|generated)\/.*\.ts$/.test(each)))
    for (const { fileName } of ts.preProcessFile(read(file), true, true).importedFiles)
      for (const imported of targetsOf(imports[fileName] ?? join(dirname(file), fileName)))
        importers.set(imported, [...(importers.get(imported) ?? []), file]);
  return (file) => {
    const found = new Set([file]);
    for (const each of found) for (const importer of importers.get(each) ?? []) found.add(importer);
    const seconds = (test: string): number => tests[test] ?? 0;
    return [...found].filter((each) => each in tests).toSorted((a, b) => seconds(a) - seconds(b));
  };
}

/** The tests of the same name first, then the quick ones. The slow ones are last, with the types of all tests. */
function stagesFor(
  file: string,
  related: readonly string[],
  seconds: RunRecord["tests"],
  isLast: boolean,
): GateCommand[] {
  const own = file.replace(/\.ts$/, ".test.ts");
  const groups = Map.groupBy(related, (test) =>
    test === own ? "own tests" : (seconds[test] ?? 0) < 2 ? "quick tests" : "slow tests",
  );
  const tests = (name: "own tests" | "quick tests" | "slow tests"): GateCommand[] => {
    const paths = groups.get(name);
    return paths ? [{ name, line: `vitest run --project fast --bail 1 ${paths.join(" ")}` }] : [];
  };
  return isLast ? [allTypes, ...tests("slow tests")] : [...tests("own tests"), ...tests("quick tests")];
}

export async function firstKill(
  { file, text }: Pick<RandomChange, "file" | "text">,
  copy: Copy,
  stages: readonly GateCommand[],
  checker?: TypeChecker,
): Promise<Kill | undefined> {
  await copy.write(file, text);
  try {
    const [error] = checker?.check() ?? [];
    if (error !== undefined)
      return {
        gate: "types",
        reason: `${error.file.replace(/^.*\/tree\//, "")}:${error.line} ${error.lines[0]}`.slice(0, 200),
      };
    for (const stage of stages) {
      // A change that makes a test wait for ever is noticed too.
      const kill = await killBy(copy, stage, checker ? 3 * 60_000 : undefined);
      if (kill !== undefined) return kill;
    }
    return undefined;
  } finally {
    await copy.restore();
  }
}

/** Runs all tests of server and client. @throws DriftError if one fails */
async function secondsOfTests(copy: Copy): Promise<RunRecord["tests"]> {
  process.stderr.write("running the tests on the unchanged tree\n");
  const file = join(copy.temporary, "tests.json");
  const line = `vitest run --project fast server/ client/ --reporter json --outputFile ${file}`;
  const kill = await killBy(copy, { name: "tests", line });
  if (kill !== undefined) throw new DriftError(`the unchanged tree does not pass: ${kill.reason}`);
  const { testResults }: { testResults: { name: string; startTime: number; endTime: number }[] } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  const secondsOf = testResults.map(({ name, startTime, endTime }) => [
    name.replace(`${copy.root}/`, ""),
    (endTime - startTime) / 1000,
  ]);
  return Object.fromEntries(secondsOf);
}
