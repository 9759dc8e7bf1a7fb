/** The figures as Markdown tables. */
import type { Summary } from "../measure.ts";
import type { Figures, ScenarioFigures, ScenarioRow } from "./figures.ts";

export function markdown(figures: Figures): string {
  const { machine, loadBefore, rounds, ms, scenarios } = figures;
  return `${scenarios.map(scenarioTable).join("\n")}
${floodTable(figures)}
${programTable(figures)}
Medians (least–most) of ${rounds} interleaved rounds of ${ms / 1000} s each, after one to warm up; the load runs in a process of its own. Ratios are to Node's own server: by requests per second in the same round, by CPU time of the least of all rounds, as other work can only add to it. ${machine}; ${loadBefore.toFixed(1)} processes of others wanted a core at once in the minute before.
`;
}

function scenarioTable({ title, rows }: ScenarioFigures): string {
  const row = (each: ScenarioRow): string =>
    cells(
      each.program,
      each.cpuRatio.toFixed(2),
      each.cpuMicroseconds.min.toFixed(0),
      spread(each.ratio, 2),
      spread(each.requestsPerSecond, 0),
      each.p50Ms.median.toFixed(2),
      each.p99Ms.median.toFixed(2),
      `${Math.round(each.askerShare * 100)} %`,
    );
  return [
    `**${title}**`,
    "",
    "| server | ratio by CPU time | least CPU µs a request | ratio by requests/s | requests/s | p50 ms | p99 ms | load's CPU |",
    "|---|---|---|---|---|---|---|---|",
    ...rows.map(row),
    "",
  ].join("\n");
}

function floodTable({ flood }: Figures): string {
  return [
    "**getWebhook while others log in**",
    "",
    "| server | p99 ms, idle | p99 ms, flood | ratio |",
    "|---|---|---|---|",
    ...flood.map(({ program, idleP99Ms, floodP99Ms }) =>
      cells(program, idleP99Ms.toFixed(2), floodP99Ms.toFixed(2), (floodP99Ms / idleP99Ms).toFixed(1)),
    ),
    "",
  ].join("\n");
}

function programTable({ programs }: Figures): string {
  return [
    "**Start and memory**",
    "",
    "| server | does | start ms | MB at first | MB after all rounds |",
    "|---|---|---|---|---|",
    ...programs.map(({ program, does, startMs, idleBytes, loadedBytes }) =>
      cells(
        program,
        does,
        startMs === null ? "" : spread(startMs, 0),
        megabytes(idleBytes),
        megabytes(loadedBytes),
      ),
    ),
    "",
  ].join("\n");
}

const cells = (...texts: readonly string[]): string => `| ${texts.join(" | ")} |`;
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
const spread = ({ median, min, max }: Summary, digits: number): string =>
  `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
