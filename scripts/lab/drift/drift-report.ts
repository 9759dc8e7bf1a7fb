import { targets } from "./mutant.ts";
import type { TriedMutant } from "./trial.ts";

type TableRow = readonly (string | number)[];

export function markdownReport(
  tried: readonly TriedMutant[],
  gates: readonly string[],
  commit: string,
): string {
  const passed = survivors(tried).map(({ mutant }) => `- ${mutant.title}: \`${mutant.id}\`\n`);
  const byOperator = Map.groupBy(tried, ({ mutant }) => `| ${mutant.target} | \`${mutant.operator}\``);
  const operators = [...byOperator].map(([head, group]) => {
    const counts = Map.groupBy(group, ({ kill }) => kill?.gate ?? "nothing");
    const by = [...counts].map(([gate, { length }]) => `${gate} ${length}`);
    return `${head} | ${group.length} | ${by.join(", ")} |\n`;
  });
  const [head = [], ...rows] = countRows(tried, gates);
  const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`);
  return `# Drift

\`npm run drift\` changes the spec in one place at a time, in a copy. It reports which gate of \`npm test\`
detects each change. This page is its last whole run, of commit \`${commit}\`: ${tried.length - passed.length} of ${tried.length} changes are detected.

${table.join("")}
Each change is counted only for the first gate that failed.

- After a change of the spec, the tool runs the generator and sets the version that \`npm run diff\` requires. So only a gate that compares
  the spec with hand-written files can detect the change.

## By operator

| changed | operator | changes | detected by |
| --- | --- | --- | --- |
${operators.join("")}
## Not detected

${passed.length === 0 ? "Nothing.\n" : passed.join("")}`;
}

export function survivors(tried: readonly TriedMutant[]): TriedMutant[] {
  return tried.filter(({ kill }) => kill === undefined);
}

/** Makes a row for each target, and one for all targets. Gates that detected no change have no column. */
function countRows(tried: readonly TriedMutant[], gates: readonly string[]): TableRow[] {
  const columns = gates.filter((gate) => tried.some(({ kill }) => kill?.gate === gate));
  const counts = (name: string, group: readonly TriedMutant[]): TableRow => [
    name,
    group.length,
    ...columns.map((gate) => group.filter(({ kill }) => kill?.gate === gate).length),
    survivors(group).length,
  ];
  const ofTargets = targets.map((target) =>
    counts(
      target,
      tried.filter(({ mutant }) => mutant.target === target),
    ),
  );
  return [
    ["changed", "changes", ...columns, "not detected"],
    ...ofTargets.filter(([, count]) => count !== 0),
    counts("all", tried),
  ];
}
