import { describe, expect, it } from "vitest";
import { faultsOf } from "./explanations.ts";
import type { Mutant } from "./mutant.ts";
import { judgedOf, markdownReport, terminalReport, unexplained } from "./report.ts";
import type { Kill, Verdict } from "./trial.ts";

const mutant = (kind: Mutant["kind"], place: string): Mutant => ({
  id: `${kind}:change:${place}`,
  kind,
  operator: "change",
  title: `${place} | changed`,
  file: "a.txt",
  text: place,
});
const kill = (gate: string): Kill => ({ gate, said: `${gate} said no` });
const mutants = [mutant("spec", "a"), mutant("server", "b"), mutant("server", "c"), mutant("server", "d")];
const [ofSpec = "", seen = "", explained = "", open = ""] = mutants.map(({ id }) => id);
const verdicts: Verdict[] = [
  { id: ofSpec, kill: kill("tests"), before: { edited: kill("fresh"), generated: kill("diff") }, seconds: 1 },
  { id: seen, kill: kill("types"), seconds: 2 },
  { id: explained, kill: null, seconds: 3 },
  { id: open, kill: null, seconds: 4 },
];
const explanations = [{ why: "It means the same.\n", mutants: [explained] }];
const gates = ["fresh", "diff", "types", "tests"];
const judged = judgedOf(mutants, verdicts, explanations);

describe("the report", () => {
  it("counts for each kind which gate refused how many, and names who survived without an explanation", () => {
    expect(terminalReport(judged, gates)).toBe(`        changes  fresh  diff  types  tests  survived
spec          1      0     0      0      1         0
server        3      0     0      1      0         2
all           4      0     0      1      1         2

survived: server:change:d
          d | changed
`);
    expect(unexplained(judged).map(({ mutant: { id } }) => id)).toEqual([open]);
  });

  it("shows the steps of a change of the spec, an example of each operator, and each survivor under its reason", () => {
    const page = markdownReport(judged, gates);
    expect(page).toContain("4 single changes: 2 are refused, 2 are not; the last section says why.");
    expect(page).toContain(`| the spec is | changes | fresh | diff | tests | not refused |
|---|---|---|---|---|---|
| edited, nothing else done | 1 | 1 | 0 | 0 | 0 |
| and generated | 1 | 0 | 1 | 0 | 0 |
| and given the version that the diff asks for | 1 | 0 | 0 | 1 | 0 |
`);
    expect(page).toContain("| server | `change` | 3 | types 1, none 2 | b \\| changed: types said no |\n");
    expect(page).toContain(`It means the same.

- c | changed: \`server:change:c\`

Not explained yet.

- d | changed: \`server:change:d\`
`);
  });
});

describe("an explanation", () => {
  it("is a fault where its change is refused, is not there, or is explained already", () => {
    const wrong = [
      ...explanations,
      { why: "No.", mutants: [seen, "server:change:gone"] },
      { why: "Again.", mutants: [explained] },
    ];
    expect(faultsOf(wrong, mutants, verdicts)).toEqual([
      `scripts/lab/drift/explanations.yaml: ${seen} is refused by types; take its explanation out`,
      "scripts/lab/drift/explanations.yaml: there is no mutant server:change:gone; take it out",
      `scripts/lab/drift/explanations.yaml: ${explained} is explained twice; keep one`,
    ]);
    expect(faultsOf(explanations, mutants, verdicts)).toEqual([]);
  });
});
