/** The formats of the report. Each is for one place where people or programs read it. */
import { visible } from "../../openapi/spec-problems.ts";
import { allRules } from "../rules/index.ts";
import { type Finding, findingsOf, type Report } from "./findings.ts";
import { heading, hiddenLines, textReport, verdict } from "./text.ts";

export const formats = {
  text: textReport,
  markdown,
  github,
  json,
  sarif,
  junit,
} satisfies Record<string, (report: Report) => string>;
export type Format = keyof typeof formats;

const marks = { major: "🔴 major", minor: "🟢 minor", patch: "⚪ patch" } as const;

/** For a comment of a pull request. */
function markdown({ comparison, release, names, all }: Report): string {
  const cell = (text: string): string => visible(text).replaceAll("|", "\\|").replaceAll("<", "&lt;");
  const rows = findingsOf(comparison, all).map(({ impact, subject, sentence, rule, location }) =>
    [marks[impact], `**${cell(subject)}**<br>${cell(sentence)} \`${rule}\``, `\`${cell(location)}\``].join(
      " | ",
    ),
  );
  const table =
    rows.length === 0
      ? []
      : ["", "| | change | place |", "|---|---|---|", ...rows.map((row) => `| ${row} |`)];
  const waivers = findingsOf(comparison, all).flatMap(({ waiver, remedy }) =>
    waiver === undefined ? [] : [`# ${remedy}`, waiver],
  );
  const details = [
    "",
    "<details><summary>Waivers to paste</summary>",
    "",
    "```yaml",
    ...waivers,
    "```",
    "",
    "</details>",
  ];
  return `${[
    `### ${cell(verdict(comparison, release))}`,
    "",
    cell(heading(comparison, names)),
    ...table,
    ...(all ? [] : hiddenLines(comparison).map(cell)),
    ...(waivers.length === 0 ? [] : details),
  ].join("\n")}\n`;
}

interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

function positionOf(location: string): Position {
  const [, file = location, line = "1", column = "1"] = /^(.*?):(\d+):(\d+)$/.exec(location) ?? [];
  return { file, line: Number(line), column: Number(column) };
}

/** Commands that GitHub Actions shows as annotations. They point into the newer document. */
function github({ comparison, all }: Report): string {
  const escaped = (text: string): string =>
    text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const property = (text: string): string => escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const lines = findingsOf(comparison, all).map(({ impact, near, subject, sentence, rule }) => {
    const { file, line, column } = positionOf(near);
    const level = impact === "major" ? "error" : "notice";
    const place = `file=${property(file)},line=${line},col=${column},title=${property(rule)}`;
    return `::${level} ${place}::${escaped(visible(`${subject}: ${sentence}`))}`;
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** docs/diff.schema.json describes this format. */
function json({ comparison, release, names }: Report): string {
  const { versions, impact } = comparison;
  const { isRaised, leastVersion, versionFault } = release;
  const verdict = {
    impact: impact ?? "none",
    isRaised,
    leastVersion: leastVersion ?? null,
    versionFault: versionFault ?? null,
  };
  return `${JSON.stringify({ files: names, versions, verdict, findings: findingsOf(comparison) }, null, 2)}\n`;
}

const levels = { major: "error", minor: "note", patch: "none" } as const;

/** The Static Analysis Results Interchange Format 2.1.0, which code hosts show next to the lines. */
function sarif({ comparison, all }: Report): string {
  const findings = findingsOf(comparison, all);
  const used = new Set(findings.map(({ rule }) => rule));
  const rules = allRules
    .filter(({ id }) => used.has(id))
    .map(({ id, description, remedy }) => ({
      id,
      shortDescription: { text: description },
      help: { text: remedy },
    }));
  const results = findings.map(({ rule, impact, near, subject, sentence, fingerprint, waived }) => {
    const { file, line, column } = positionOf(near);
    const region = { startLine: line, startColumn: column };
    return {
      ruleId: rule,
      level: levels[impact],
      message: { text: visible(`${subject}: ${sentence}`) },
      locations: [{ physicalLocation: { artifactLocation: { uri: encodeURI(file) }, region } }],
      partialFingerprints: { "finding/v1": fingerprint },
      ...(waived === undefined ? {} : { suppressions: [{ kind: "external", justification: waived }] }),
    };
  });
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver: { name: "specbind diff", rules } }, columnKind: "utf16CodeUnits", results }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** For servers that show the results of tests. Each finding is a test, and each break a test that failed. */
function junit({ comparison, names, all }: Report): string {
  const escaped = (text: string): string =>
    visible(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const findings = findingsOf(comparison, all);
  const caseOf = ({ rule, impact, location, subject, sentence, remedy }: Finding): string => {
    const head = `    <testcase classname="${rule}" name="${escaped(`${subject}: ${sentence}`)}"`;
    if (impact !== "major") return `${head}/>`;
    return `${head}>\n      <failure message="${escaped(sentence)}">${escaped(location)}\n${escaped(remedy)}</failure>\n    </testcase>`;
  };
  const failures = findings.filter(({ impact }) => impact === "major").length;
  const counts = `tests="${findings.length}" failures="${failures}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
  <testsuite name="${escaped(heading(comparison, names))}" ${counts}>
${findings.map((each) => `${caseOf(each)}\n`).join("")}  </testsuite>
</testsuites>
`;
}
