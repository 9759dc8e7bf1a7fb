/** `npm test`: the gates in parallel, then the tests, then the coverage of the contract. */
import { runGates, runTests } from "./test/stages.ts";
import { action, createCommand, runProgram } from "./toolkit/commands/command-line.ts";

interface Options {
  readonly title: string | undefined;
  readonly gates: boolean;
  readonly slow: boolean;
  readonly all: boolean;
}

async function main(paths: readonly string[], { title, gates, slow, all }: Options): Promise<number> {
  if (paths.includes("")) command.error("PATH must not be empty");
  if (gates) return (await runGates()) ? 0 : 1;
  const isSelection = paths.length > 0 || title !== undefined;
  const begun = performance.now();
  const selection = { paths, title };
  const isPassed =
    isSelection || slow ? await runTests(slow ? ["slow"] : ["fast"], selection) : await runAll(all);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  console.log(`${isPassed ? "passed" : "FAILED"} in ${seconds} s${noteOf(isSelection, slow, all)}`);
  return isPassed ? 0 : 1;
}

async function runAll(withSlow: boolean): Promise<boolean> {
  if (!(await runGates())) return false;
  return runTests(withSlow ? ["fast", "slow"] : ["fast"], { paths: [] });
}

function noteOf(isSelection: boolean, slow: boolean, all: boolean): string {
  if (isSelection) return "; the gates and the coverage of the contract were skipped";
  if (slow) return "; the gates and the fast tests were skipped";
  return all ? "" : "; the slow tests were skipped: npm run test:all";
}

const command = createCommand(
  "npm test --",
  `Runs everything that must pass before a commit. \`npm run check\` is \`npm test -- --gates\`, \`npm run test:slow\` is
\`npm test -- --slow\`, and \`npm run test:all\` is \`npm test -- --all\`.

These gates run in parallel: lint of the spec, freshness of generated files, breaking changes, lint of the code and
its layers, types. Each gate prints one line with its time. The slow tests need Chromium: \`chromium\` on the PATH, or its
path in CHROMIUM.`,
  "0 everything passed, 1 something failed, 2 wrong usage.",
)
  .argument("[PATH...]", "run only the test files whose path contains PATH, without the gates")
  .option("-t, --title <TEXT>", "run only the tests whose title matches TEXT")
  .option("--gates", "run only the gates", false)
  .option(
    "--slow",
    "run only the slow tests: those that start many processes, copy the tree, build packages, install tools, need a browser or kill servers",
    false,
  )
  .option("--all", "run the gates, the fast tests and the slow tests", false)
  .action(action(main));

if (import.meta.main) await runProgram(command);
