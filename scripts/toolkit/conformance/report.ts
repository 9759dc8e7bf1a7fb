/** Writes the results of checks as text, JSON, Markdown or JUnit XML. */
import { styleText } from "node:util";
import { visible } from "../openapi/spec-problems.ts";
import { junit } from "../report/junit.ts";
import { countsOf } from "./checks/operation-checks.ts";
import type { CheckResult } from "./live-checks.ts";

export type Format = "text" | "json" | "markdown" | "junit";

/** The run whose results are reported. */
export interface Run {
  readonly spec: string;
  readonly url: string;
  /** Undefined if no requests are generated. */
  readonly seed: number | undefined;
  readonly results: readonly CheckResult[];
  readonly notes: readonly string[];
}

type Verdict = "FAIL" | "ok" | "skip";

function verdictOf({ findings, statuses }: CheckResult): Verdict {
  if (findings.length > 0) return "FAIL";
  return statuses.size > 0 ? "ok" : "skip";
}

const styles = { FAIL: "red", ok: "green", skip: "gray" } as const;

/** Longer commands are not printed as text. Other formats have them. */
const mostCommand = 2000;

/** The lines of one check. */
export function textOf(result: CheckResult, isColoured: boolean): string {
  const { operationId = "(no operation)", check, statuses, findings } = result;
  const verdict = verdictOf(result);
  const padded = verdict.padEnd(4);
  const label = isColoured ? styleText(styles[verdict], padded, { validateStream: false }) : padded;
  // A request may have several findings.
  const lines = [...Map.groupBy(findings, ({ curl }) => curl).values()].flatMap((found) => [
    ...found.map(({ message, count }) => `        ${count > 1 ? `×${count}  ` : ""}${message}`),
    ...found
      .slice(0, 1)
      .flatMap(({ request, response, curl }) => [
        `          ${found.some(({ count }) => count > 1) ? "first: " : ""}${curl.length > mostCommand ? request : curl}`,
        ...(response === undefined ? [] : [`          returned ${response}`]),
      ]),
  ]);
  const sent = countsOf(statuses) || "no request";
  return `${label}  ${[`${operationId}  ${check} (${sent})`, ...lines].map(visible).join("\n")}\n`;
}

/** Everything that follows the checks. */
export function summaryOf(run: Run, format: Format): string {
  return { text: textSummary, json: jsonOf, markdown: markdownOf, junit: junitOf }[format](run);
}

function textSummary({ results, notes, url, seed }: Run): string {
  const failed = results.filter(({ findings }) => findings.length > 0).length;
  const rows = matrixOf(results);
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  const table =
    failed === 0 ? [] : rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  "));
  const verdict = failed === 0 ? "no difference found" : `${failed} failed`;
  const all = results.length === 1 ? "1 check" : `${results.length} checks`;
  return [
    ...table.map((line) => line.trimEnd()),
    ...notes.map((note) => `note  ${note}`),
    `${all} of ${url}: ${verdict}; ${requestsIn(results)} requests${seed === undefined ? "" : `, seed ${seed}`}`,
    "",
  ].join("\n");
}

function requestsIn(results: readonly CheckResult[]): number {
  return results.flatMap(({ statuses }) => [...statuses.values()]).reduce((sum, count) => sum + count, 0);
}

/** One row for each operation, one column for each check. */
function matrixOf(results: readonly CheckResult[]): string[][] {
  const checks = [...new Set(results.map(({ label }) => label))];
  const groups = Map.groupBy(results, ({ operationId = "(no operation)" }) => operationId);
  const rows = [...groups].map(([id, own]) => [
    id,
    ...checks.map((label) => {
      const result = own.find((each) => each.label === label);
      return result === undefined ? "" : verdictOf(result);
    }),
  ]);
  return [["operation", ...checks], ...rows];
}

function jsonOf({ spec, url, seed, results, notes }: Run): string {
  const checks = results.map(({ operationId = null, check, statuses, findings }) => ({
    operationId,
    check,
    statuses: Object.fromEntries(statuses),
    findings,
  }));
  const conforms = checks.every(({ findings }) => findings.length === 0);
  return `${JSON.stringify({ spec, url, seed, conforms, checks, notes }, null, 2)}\n`;
}

function markdownOf({ url, seed, results, notes }: Run): string {
  const cell = (text: string) => visible(text).replaceAll("|", "\\|").replaceAll("\n", " ");
  const [head = [], ...rows] = matrixOf(results);
  const row = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  const found = results.flatMap(({ operationId = "(no operation)", findings }) =>
    findings.map(
      ({ message, count, curl }) =>
        `- ${operationId}: ${cell(message)} (×${count})\n\n  \`\`\`sh\n  ${visible(curl)}\n  \`\`\``,
    ),
  );
  return [
    `# Conformance of ${url}`,
    "",
    `${requestsIn(results)} requests${seed === undefined ? "" : `, seed ${seed}`}`,
    "",
    row(head),
    row(head.map(() => "---")),
    ...rows.map(row),
    "",
    ...found,
    ...notes.map((note) => `- Note: ${cell(note)}`),
    "",
  ].join("\n");
}

function junitOf({ url, seed, results, notes }: Run): string {
  const cases = results.map((result) => {
    const { operationId = "(no operation)", check, findings } = result;
    const [first] = findings;
    const text = findings
      .map(({ message, curl, response }) => [message, curl, response ?? ""].join("\n"))
      .join("\n\n");
    const failure = first && { message: first.message, text };
    return { group: operationId, name: check, failure, isSkipped: verdictOf(result) === "skip" };
  });
  const name = `${url}${seed === undefined ? "" : ` seed ${seed}`}`;
  return junit([{ name, cases, output: notes.join("\n") }]);
}
