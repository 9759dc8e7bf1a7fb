/** What a run found, for people and for programs. */
import type { Explanation } from "./explanations.ts";
import { type Kind, kinds, type Mutant } from "./mutant.ts";
import type { Kill, Verdict } from "./trial.ts";

export interface Judged {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
  /** Of one that survived, where it is explained. */
  readonly why: string | undefined;
}

export function judgedOf(
  mutants: readonly Mutant[],
  verdicts: readonly Verdict[],
  explanations: readonly Explanation[],
): Judged[] {
  const byId = new Map(verdicts.map((verdict) => [verdict.id, verdict]));
  return mutants.flatMap((mutant) => {
    const verdict = byId.get(mutant.id);
    if (verdict === undefined) return [];
    const why =
      verdict.kill === null
        ? explanations.find((explanation) => explanation.mutants.includes(mutant.id))?.why.trim()
        : undefined;
    return [{ mutant, verdict, why }];
  });
}

export function unexplained(judged: readonly Judged[]): Judged[] {
  return judged.filter(({ verdict, why }) => verdict.kill === null && why === undefined);
}

export function jsonReport(judged: readonly Judged[]): string {
  const mutants = judged.map(({ mutant: { id, kind, operator, title, file }, verdict, why }) => ({
    ...{ id, kind, operator, title, file },
    kill: verdict.kill,
    ...(verdict.before && { before: verdict.before }),
    seconds: verdict.seconds,
    ...(why !== undefined && { why }),
  }));
  return `${JSON.stringify({ mutants }, null, 2)}\n`;
}

/** The table, and every survivor that nobody has explained. */
export function terminalReport(judged: readonly Judged[], npmTest: readonly string[]): string {
  const gates = columnsOf(judged, npmTest);
  const rows = [["", "changes", ...gates, "survived"], ...countRows(judged, gates)];
  const widths =
    rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length))) ?? [];
  const table = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  "),
  );
  const survivors = unexplained(judged).map(
    ({ mutant }) => `survived: ${mutant.id}\n          ${mutant.title}`,
  );
  return [...table, ...(survivors.length > 0 ? ["", ...survivors] : [])].map((line) => `${line}\n`).join("");
}

/** The gates of `npm test`, and before them the generating where it has refused anything. */
function columnsOf(judged: readonly Judged[], npmTest: readonly string[]): readonly string[] {
  const gates = judged.flatMap(({ verdict }) => [verdict.kill?.gate, verdict.before?.generated?.gate]);
  return gates.includes("generate") ? ["generate", ...npmTest] : npmTest;
}

/** A row for each kind that there are mutants of, and one for all. */
function countRows(judged: readonly Judged[], gates: readonly string[]): string[][] {
  const groups: [string, readonly Judged[]][] = [
    ...kinds.map((kind): [Kind, readonly Judged[]] => [
      kind,
      judged.filter(({ mutant }) => mutant.kind === kind),
    ]),
    ["all", judged],
  ];
  return groups
    .filter(([, group]) => group.length > 0)
    .map(([name, group]) => [
      name,
      ...counts(
        group.map(({ verdict }) => verdict.kill),
        gates,
      ),
    ]);
}

/** How many there are, how many each gate refused, and how many none did. */
function counts(kills: readonly (Kill | null)[], gates: readonly string[]): string[] {
  return [
    kills.length,
    ...gates.map((gate) => kills.filter((kill) => kill?.gate === gate).length),
    kills.filter((kill) => kill === null).length,
  ].map(String);
}

export function markdownReport(judged: readonly Judged[], npmTest: readonly string[]): string {
  const gates = columnsOf(judged, npmTest);
  const all = judged.length;
  const survivors = judged.filter(({ verdict }) => verdict.kill === null);
  return `# Drift

How surely it is noticed when spec, server, client and generated files stop agreeing: measured, by changing the tree in
one place at a time and looking which gate of \`npm test\` refuses it. Made by \`npm run drift\`; not edited by hand.

${all} single changes: ${survivors.length === 0 ? "all are refused" : `${all - survivors.length} are refused, ${survivors.length} are not; the last section says why`}.

${table(["changed", "changes", ...gates, "not refused"], countRows(judged, gates))}

A change counts for the first gate that refuses it, in the order of \`npm test\`.

## What is changed, and what counts

- **The spec.** Every operator looks for its places in the document itself. Whoever edits the spec goes on as the README
  says, so a change is followed to its end: \`npm run generate\`, \`npm run docs:client\`, and where \`npm run diff\` asks for
  another version, that version. What is counted above is the gate that still refuses it then: one that holds the code,
  the examples or the texts against the spec. Stopping earlier never helps, as the next table shows. \`generate\` means that
  nothing was generated, so that \`check:generated\` refuses it.
- **The server and the client.** Checks, fields, statuses, codes and headers are found in the syntax of the code; what no
  such rule finds, as another tenant's rows or the repeat of a login, is in \`scripts/lab/drift/code-changes.yaml\`. Each is
  formatted as \`npm run format\` does, so that only its meaning counts.
- **Generated files.** Edits by hand of each of them, a file deleted, a file more.

An operator that finds many places that are alike takes some of them, chosen by their names alone; \`npm run drift -- --every\`
takes all. Tests that are known to lead to what is changed, by import or by name, are run first, and all others where these let it
pass; those of this measurement never are. What comes after the tests counts what all of them have shown of the spec.

${specTable(judged, gates)}## By operator

${table(["changed", "operator", "changes", "refused by", "such as"], operatorRows(judged, gates))}

## What no gate refuses

${survivorsText(survivors)}`;
}

function specTable(judged: readonly Judged[], gates: readonly string[]): string {
  const steps = judged.flatMap(({ verdict }) =>
    verdict.before ? [{ ...verdict.before, end: verdict.kill }] : [],
  );
  if (steps.length === 0) return "";
  const rows: [string, (Kill | null)[]][] = [
    ["edited, nothing else done", steps.map(({ edited }) => edited)],
    ["and generated", steps.map(({ generated }) => generated)],
    ["and given the version that the diff asks for", steps.map(({ end }) => end)],
  ];
  const columns = gates.filter((gate) => rows.some(([, kills]) => kills.some((kill) => kill?.gate === gate)));
  return `## A change of the spec, step by step

${table(
  ["the spec is", "changes", ...columns, "not refused"],
  rows.map(([name, kills]) => [name, ...counts(kills, columns)]),
)}

`;
}

function operatorRows(judged: readonly Judged[], gates: readonly string[]): string[][] {
  const groups = Map.groupBy(judged, ({ mutant }) => `${mutant.kind} ${mutant.operator}`);
  return [...groups.values()].map((group) => {
    const kills = group.map(({ verdict }) => verdict.kill);
    const by = gates.flatMap((gate) => {
      const count = kills.filter((kill) => kill?.gate === gate).length;
      return count === 0 ? [] : [`${gate} ${count}`];
    });
    const survived = kills.filter((kill) => kill === null).length;
    const [first] = group;
    const example = group.find(({ verdict }) => verdict.kill !== null) ?? first;
    return [
      first?.mutant.kind ?? "",
      `\`${first?.mutant.operator}\``,
      String(group.length),
      [...by, ...(survived > 0 ? [`none ${survived}`] : [])].join(", "),
      example === undefined ? "" : `${example.mutant.title}: ${example.verdict.kill?.said ?? "not refused"}`,
    ];
  });
}

function survivorsText(survivors: readonly Judged[]): string {
  if (survivors.length === 0) return "Nothing.\n";
  return [...Map.groupBy(survivors, ({ why }) => why ?? "Not explained yet.")]
    .map(
      ([why, group]) =>
        `${why}\n\n${group.map(({ mutant }) => `- ${mutant.title}: \`${mutant.id}\`\n`).join("")}`,
    )
    .join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cellText).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function cellText(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
