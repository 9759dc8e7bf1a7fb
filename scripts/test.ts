/** `npm test`: the gates in parallel, then the tests, then the coverage of the contract. */
import { runGates, runTests } from "./test/stages.ts";
import { type Command, runProgram } from "./toolkit/command.ts";

const help = `Runs everything that must pass before a commit.

Usage: npm test
       npm test -- PATH… [--title TEXT]
       npm run test:slow [-- PATH… [--title TEXT]]
       npm run test:all

  PATH          run only the test files whose path contains PATH, without the gates
  --title TEXT  run only the tests whose title matches TEXT
  --slow        run only the slow tests: those that start many processes, copy the tree, build packages, install
                tools, need a browser or kill servers
  --all         run the gates, the fast tests and the slow tests
  --help        this text

These gates run in parallel: lint of the spec, freshness of generated files, breaking changes, lint of the code and
its layers, types. Each gate prints one line with its time. The slow tests need Chromium: \`chromium\` on the PATH, or its
path in CHROMIUM.

Exit status: 0 everything passed, 1 something failed, 2 wrong usage.
`;

const command: Command<{
  slow: { type: "boolean" };
  all: { type: "boolean" };
  title: { type: "string" };
}> = {
  name: "npm test --",
  help,
  options: { slow: { type: "boolean" }, all: { type: "boolean" }, title: { type: "string" } },
  takesOperands: true,
  run: async ({ slow = false, all = false, title }, paths) => {
    const isSelection = paths.length > 0 || title !== undefined;
    const begun = performance.now();
    const selection = { paths, title };
    const isPassed =
      isSelection || slow ? await runTests(slow ? ["slow"] : ["fast"], selection) : await runAll(all);
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    console.log(`${isPassed ? "passed" : "FAILED"} in ${seconds} s${noteOf(isSelection, slow, all)}`);
    return isPassed ? 0 : 1;
  },
};

async function runAll(withSlow: boolean): Promise<boolean> {
  if (!(await runGates())) return false;
  return runTests(withSlow ? ["fast", "slow"] : ["fast"], { paths: [] });
}

function noteOf(isSelection: boolean, slow: boolean, all: boolean): string {
  if (isSelection) return "; the gates and the coverage of the contract were skipped";
  if (slow) return "; the gates and the fast tests were skipped";
  return all ? "" : "; the slow tests were skipped: npm run test:all";
}

if (import.meta.main) await runProgram(command);
