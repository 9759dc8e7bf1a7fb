import { expect, test } from "vitest";
import { chart } from "./chart.ts";
import { markdown, serverFigures } from "./figures.ts";
import type { Slice } from "./running.ts";

const slice = (requests: number, serverCpuMs: number): Slice => {
  return {
    requests,
    ms: 500,
    cpuMs: 100,
    p99Ms: 2,
    rejected: {},
    serverCpuMs,
    databaseCpuMs: 50,
    longestStallMs: 0,
  };
};
const rows = serverFigures(
  ["node:http", "this server, LOG_LEVEL=warn"],
  [
    [slice(10_000, 200), slice(5000, 200), slice(10_000, 100)],
    [slice(5000, 200), slice(4000, 200), slice(1000, 50)],
  ],
);
const figures = {
  database: "SQLite",
  note: "On a machine.",
  scenarios: [{ title: "getWebhook", rows }],
} as const;

test("a share is relative to bare node:http in the same round, and the median of all rounds is used", () => {
  expect(rows[1]).toEqual({
    name: "this server, LOG_LEVEL=warn",
    requestsPerSecond: { median: 8000, min: 2000, max: 10_000 },
    share: { median: 0.5, min: 0.1, max: 0.8 },
    cpuMicroseconds: { median: 50, min: 40, max: 50 },
    cpuShare: { median: 0.5, min: 0.2, max: 0.8 },
    databaseMicroseconds: { median: 12.5, min: 10, max: 50 },
    p99Ms: { median: 2, min: 2, max: 2 },
  });
});

test("the table shows the medians", () => {
  expect(markdown(figures)).toBe(`# Figures of the server benchmark on SQLite

**getWebhook**

| server | requests/s | share | CPU µs per request | share by CPU time | p99 ms |
| --- | --- | --- | --- | --- | --- |
| node:http | 20000 | 1.00 (1.00–1.00) | 20 | 1.00 (1.00–1.00) | 2.00 |
| this server, LOG_LEVEL=warn | 8000 | 0.50 (0.10–0.80) | 50 | 0.50 (0.20–0.80) | 2.00 |

Medians (least–most). A share is relative to bare node:http in the same round: more is better. On a machine.
`);
});

test("on PostgreSQL, the table also shows the CPU time of the database", () => {
  const text = markdown({ ...figures, database: "PostgreSQL" });
  expect(text).toContain("| share by CPU time | CPU µs of PostgreSQL | p99 ms |");
  expect(text).toContain("| 0.50 (0.20–0.80) | 13 | 2.00 |");
});

test("the chart shows requests per second, with longer bars for more of them, and one bar for all log levels", () => {
  const info = rows.slice(1).map((row) => ({ ...row, name: "this server, LOG_LEVEL=info" }));
  const svg = chart({ ...figures, scenarios: [{ title: "getWebhook", rows: [...rows, ...info] }] });
  expect(svg).toContain('aria-label="Requests per second on SQLite, more is better"');
  expect([...svg.matchAll(/width="(\d+)" height="16"/g)].map(([, width]) => width)).toEqual(["400", "160"]);
  expect([...svg.matchAll(/>([\d,]+ \(\d\.\d\d\))</g)].map(([, value]) => value)).toEqual([
    "20,000 (1.00)",
    "8,000 (0.50)",
  ]);
  expect(svg).toContain(">this server</text>");
});
