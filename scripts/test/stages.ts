import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { compiledFolder } from "#specbind/server/compile-cache";
import packageJson from "../../package.json" with { type: "json" };

interface Gate {
  readonly name: string;
  readonly script: keyof typeof packageJson.scripts;
  readonly fix?: string;
}

/** Each gate is independent of the output of the others. */
export const gates: readonly Gate[] = [
  { name: "types", script: "check:types" },
  { name: "code", script: "lint:code", fix: "npm run format" },
  { name: "layers", script: "lint:layers" },
  { name: "breaking changes", script: "diff" },
  { name: "generated files", script: "check:generated" },
  { name: "spec", script: "lint:spec" },
];

const coverage: Gate = { name: "contract coverage", script: "coverage:contract" };

interface Selection {
  readonly paths: readonly string[];
  readonly title?: string | undefined;
}

/** Maximum number of output lines that are printed for a failed gate. The command below them prints all lines. */
const maxLines = 30;

/** Runs all gates in parallel. @returns true if all passed */
export async function runGates(): Promise<boolean> {
  const passed = await Promise.all(gates.map(runGate));
  return passed.every(Boolean);
}

async function runGate({ name, script, fix }: Gate): Promise<boolean> {
  const begun = performance.now();
  const { status, output } = await run(packageJson.scripts[script]);
  printStage(name, performance.now() - begun, status === 0 ? "" : "FAILED");
  if (status === 0) return true;
  const lines = output.trimEnd().split("\n");
  const shown = lines.slice(0, maxLines);
  if (lines.length > shown.length) shown.push(`… ${lines.length - shown.length} more lines`);
  if (fix !== undefined) shown.push(`fix the format: ${fix}`);
  console.log([...shown, `run only this: npm run -s ${script}`].map((line) => `    ${line}`).join("\n"));
  return false;
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
      await run(`npm --prefix ${tool} install --no-audit --no-fund`);
    const args = ["run", "--project", project, "--reporter", "./scripts/test/reporter.ts", ...paths];
    if (title !== undefined) args.push("--testNamePattern", title);
    const vitest = spawn("vitest", args, { stdio: "inherit" });
    const [status] = await once(vitest, "close");
    isPassed = status === 0 && isPassed;
    const isWholeRun = project === "fast" && paths.length === 0 && title === undefined;
    if (isWholeRun && status === 0) isPassed = (await runGate(coverage)) && isPassed;
  }
  return isPassed;
}

/** True for the tests that install packages and run other tools with them. */
const isConsumersTest = (paths: readonly string[]): boolean =>
  paths.length === 0 ||
  paths.some((path) => "scripts/build/consumers/".startsWith(path) || /consumers|packages/.test(path));

const project = new URL("../../", import.meta.url);

async function run(line: string): Promise<{ readonly status: unknown; readonly output: string }> {
  const env = { ...process.env, NODE_COMPILE_CACHE: compiledFolder(project) };
  const child = spawn("sh", ["-c", `{ ${line}\n} 2>&1`], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, "close")]);
  return { status, output };
}

export function printStage(name: string, ms: number, note: string): void {
  console.log(`${name.padEnd(18)} ${(ms / 1000).toFixed(1).padStart(6)} s  ${note}`.trimEnd());
}
