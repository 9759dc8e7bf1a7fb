/** The formats of the report. Each is for one place where people or programs read it. */
import { visible } from "../../openapi/spec-problems.ts";
import { junit } from "../../report/junit.ts";
import { allRules } from "../rules/index.ts";
import { type Finding, findingsOf, type Presentation, type Report } from "./findings.ts";
import { asMarkdown, heading, hiddenLines, textReport, verdict } from "./text.ts";

export const formats = {
  text: (reports, presentation) => reports.map((each) => textReport(each, presentation)).join("\n"),
  markdown: (reports, presentation) =>
    reports.map((each) => markdown(each, presentation, mostCharacters / reports.length)).join("\n"),
  github,
  json,
  sarif,
  junit: testReport,
} satisfies Record<string, (reports: readonly Report[], presentation: Presentation) => string>;
export type Format = keyof typeof formats;

const marks = { major: "🔴&nbsp;major", minor: "🟢&nbsp;minor", patch: "⚪&nbsp;patch" } as const;

/** GitHub rejects comments with more than 65,536 characters. */
const mostCharacters = 60_000;

/** For a comment of a pull request. @param most the length of the table and of the waivers together */
function markdown(report: Report, { all }: Presentation, most: number): string {
  const { comparison, release } = report;
  const cell = (text: string): string => asMarkdown(text).replaceAll("|", "\\|");
  const rows = findingsOf(comparison, all).map(({ impact, subject, sentence, rule, location }) =>
    [marks[impact], `**${cell(subject)}**<br>${cell(sentence)} \`${rule}\``, cell(`\`${location}\``)].join(
      " | ",
    ),
  );
  const fitting = fittingLines(
    rows.map((row) => `| ${row} |`),
    (most * 2) / 3,
  );
  const left = rows.length - fitting.length;
  const more =
    left === 0 ? [] : ["", `${left} more changes are not listed here. \`--format text\` lists them.`];
  const table = rows.length === 0 ? [] : ["", "| | change | place |", "|---|---|---|", ...fitting, ...more];
  const waiving = findingsOf(comparison, all).flatMap(({ waiver, remedy }) =>
    waiver === undefined ? [] : [`# ${remedy}\n${visible(waiver)}`],
  );
  const waivers = fittingLines([...new Set(waiving)], most / 3);
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
    `### ${cell(verdict(comparison, release, all))}`,
    "",
    cell(heading(report)),
    ...table,
    ...(all ? [] : hiddenLines(comparison).map(cell)),
    ...(waivers.length === 0 ? [] : details),
  ].join("\n")}\n`;
}

/** The first lines, as many as have the length together. */
function fittingLines(lines: readonly string[], most: number): string[] {
  let length = 0;
  return lines.filter((line) => {
    length += line.length + 1;
    return length <= most;
  });
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
function github(reports: readonly Report[], { all }: Presentation): string {
  const escaped = (text: string): string =>
    text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const property = (text: string): string => escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const lines = allFindings(reports, all).map(({ impact, near, subject, sentence, rule, remedy }) => {
    const { file, line, column } = positionOf(near);
    const level = impact === "major" ? "error" : "notice";
    const place = `file=${property(file)},line=${line},col=${column},title=${property(rule)}`;
    const advice = impact === "major" ? `\n${remedy}` : "";
    return `::${level} ${place}::${escaped(visible(`${subject}: ${sentence}`) + advice)}`;
  });
  return lines.map((line) => `${line}\n`).join("");
}

function allFindings(reports: readonly Report[], all: boolean): Finding[] {
  return reports.flatMap(({ comparison }) => findingsOf(comparison, all));
}

/** docs/diff.schema.json describes this format. */
function json(reports: readonly Report[]): string {
  const results = reports.map(({ comparison, release, names }) => {
    const { versions, impact } = comparison;
    const { isRaised, leastVersion, versionFault } = release;
    const verdict = {
      impact: impact ?? "none",
      isRaised,
      leastVersion: leastVersion ?? null,
      versionFault: versionFault ?? null,
    };
    return { files: names, versions, verdict, findings: findingsOf(comparison) };
  });
  return `${JSON.stringify(results.length === 1 ? results[0] : results, null, 2)}\n`;
}

const levels = { major: "error", minor: "note", patch: "none" } as const;

/** The Static Analysis Results Interchange Format 2.1.0, which code hosts show next to the lines. */
function sarif(reports: readonly Report[], { all }: Presentation): string {
  const findings = allFindings(reports, all);
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

/** Each finding is a test, and each break a test that failed. */
function testReport(reports: readonly Report[], { all }: Presentation): string {
  const suites = reports.map((report) => ({
    name: heading(report),
    cases: findingsOf(report.comparison, all).map(
      ({ rule, impact, location, subject, sentence, remedy }) => ({
        group: rule,
        name: `${subject}: ${sentence}`,
        failure: impact === "major" ? { message: sentence, text: `${location}\n${remedy}` } : undefined,
      }),
    ),
  }));
  return junit(suites);
}
