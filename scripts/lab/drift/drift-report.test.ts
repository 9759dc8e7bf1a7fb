import { expect, it } from "vitest";
import { markdownReport } from "./drift-report.ts";
import type { Target } from "./mutant.ts";
import { reasonIn, type TriedMutant } from "./trial.ts";

function tried(target: Target, operator: string, gate?: string): TriedMutant {
  const title = `a ${operator} change`;
  const mutant = { id: `${target}:${operator}`, target, operator, title, file: "a.ts", text: () => "" };
  return { mutant, kill: gate === undefined ? undefined : { gate, reason: "error: no" } };
}

const all = [
  tried("spec", "drop", "diff"),
  tried("spec", "drop", "tests"),
  tried("server", "written", "tests"),
  tried("server", "written"),
];
const gates = ["lint", "diff", "tests"];

it("the report has a table of gates, a table of operators, and a list of undetected changes", () => {
  const page = markdownReport(all, gates, "abc1234");
  expect(page).toContain("of commit `abc1234`: 3 of 4 changes are detected.");
  expect(page).toContain(`| changed | changes | diff | tests | not detected |
| --- | --- | --- | --- | --- |
| spec | 2 | 1 | 1 | 0 |
| server | 2 | 0 | 1 | 1 |
| all | 4 | 1 | 2 | 1 |
`);
  expect(page).toContain(`| changed | operator | changes | detected by |
| --- | --- | --- | --- |
| spec | \`drop\` | 2 | diff 1, tests 1 |
| server | \`written\` | 2 | tests 1, nothing 1 |

## Not detected

- a written change: \`server:written\`
`);
});

it.each([
  ["[1] spec/openapi.yaml:3:4 at #/a\n", "[1] spec/openapi.yaml:3:4 at #/a"],
  [
    "> gate\n\u001B[31m/copy/server/a.ts(1,2): error TS2322: No.\u001B[0m\n",
    "server/a.ts(1,2): error TS2322: No.",
  ],
  [" FAIL  unit  server/a.test.ts > it works ━━━\n", "FAIL unit server/a.test.ts > it works"],
  ["\n", "no output"],
])("the reason is the line of %j that has the error", (output, reason) => {
  expect(reasonIn(output, "/copy")).toBe(reason);
});
