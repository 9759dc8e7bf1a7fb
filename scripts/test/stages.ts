import { spawn } from "node:child_process";
import { once } from "node:events";
import { compiledFolder } from "#specbind/server/compile-cache";
import packageJson from "../../package.json" with { type: "json" };
import { runGates as inParallel, outputOf } from "../toolkit/commands/gates.ts";

interface Gate {
  readonly name: string;
  readonly script: keyof typeof packageJson.scripts;
  readonly fix?: string;
}

/** Each gate is independent of the output of the others. The first ones name the fix of an error of the spec. */
export const gates: readonly Gate[] = [
  { name: "generated files", script: "check:generated" },
  { name: "spec", script: "lint:spec" },
  { name: "breaking changes", script: "diff" },
  { name: "code", script: "lint:code", fix: "npm run format" },
  { name: "layers", script: "lint:layers" },
  { name: "types", script: "check:types" },
];

const coverage: Gate = { name: "contract coverage", script: "coverage:contract" };

interface Selection {
  readonly paths: readonly string[];
  readonly title?: string | undefined;
}

/** @returns true if all passed */
export function runGates(wanted = gates): Promise<boolean> {
  const env = { ...process.env, NODE_COMPILE_CACHE: compiledFolder(project) };
  return inParallel(
    wanted.map(({ name, script, fix }) => ({
      name,
      command: ["sh", "-c", packageJson.scripts[script]],
      shown: `npm run -s ${script}`,
      fix: fix && `fix the format: ${fix}`,
    })),
    env,
  );
}

/** Runs the tests. If these are all fast tests, it runs the coverage gate too. @returns true if everything passed */
export async function runTests(
  projects: readonly ("fast" | "slow")[],
  selection: Selection,
): Promise<boolean> {
  const { paths, title } = selection;
  let isPassed = true;
  for (const project of projects) {
    const tool = "scripts/build/consumers/tools";
    if (project === "slow" && isConsumersTest(paths))
      await outputOf(["npm", "--prefix", tool, "install", "--no-audit", "--no-fund"], process.env);
    const args = ["run", "--project", project, "--reporter", "./scripts/test/reporter.ts", ...paths];
    if (title !== undefined) args.push("--testNamePattern", title);
    const isWholeRun = project === "fast" && paths.length === 0 && title === undefined;
    const env = { ...process.env, ...(isWholeRun && { RECORDS_COVERAGE: "1" }) };
    const vitest = spawn("vitest", args, { stdio: "inherit", env });
    const [status] = await once(vitest, "close");
    isPassed = status === 0 && isPassed;
    if (isWholeRun && status === 0) isPassed = (await runGates([coverage])) && isPassed;
  }
  return isPassed;
}

/** True for the tests that run tools which this project does not install. */
const isConsumersTest = (paths: readonly string[]): boolean =>
  paths.length === 0 ||
  paths.some(
    (path) => "scripts/build/consumers/".startsWith(path) || /consumers|packages|deployment/.test(path),
  );

const project = new URL("../../", import.meta.url);
