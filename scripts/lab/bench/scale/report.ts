/** The figures as Markdown: a section for each part, and what a deployment needs, computed from them. */
import type { Summary } from "../measure.ts";
import {
  type Conditions,
  type ContentFigures,
  type Figures,
  type Measured,
  type MemoryFigures,
  type ReplicasFigures,
  type Rounds,
  type RowsFigures,
  stores,
} from "./figures.ts";
import { filledTables } from "./filling.ts";
import { demands, deploymentOf, sizingOf, utilisation } from "./sizing.ts";

export function markdown(figures: Figures): string {
  const { rows, content, replicas, memory } = figures;
  const sections = [
    "# How it scales: the figures",
    "Written by `npm run bench scale`; what follows from them is in [../scaling.md](../scaling.md).",
    sizing(figures),
    rows && rowsSection(rows),
    content && contentSection(content),
    replicas && replicasSection(replicas),
    memory && memorySection(memory),
    "Medians (least–most) of interleaved rounds, after one to warm up; the load is a process of its own on the same machine. CPU time is that of all threads of all servers for one request, the least of all rounds, as other work can only add to it; its ratio is of these. A ratio by requests/s is to the first line in the same round. PostgreSQL's CPU time, of all its processes, counts in hundredths of a second.",
  ];
  return `${sections.filter((section) => section !== undefined).join("\n\n")}\n`;
}

function sizing(figures: Figures): string {
  const quantities = sizingOf(figures);
  const deployments = demands
    .map((demand) => deploymentOf(quantities, demand))
    .filter((deployment) => deployment !== undefined);
  return [
    "## What sizing starts from",
    [
      cells("symbol", "value", "is"),
      `|${"---|".repeat(3)}`,
      ...quantities.map(({ symbol, value, unit, meaning }) =>
        cells(`\`${symbol}\``, `${significant(value)} ${unit}`, meaning),
      ),
    ].join("\n"),
    "## What some deployments need",
    `Cores that are busy at the given requests a second; plan 1 / ${utilisation} of them. By the formulas of [../scaling.md](../scaling.md).`,
    [
      cells(
        "getWebhook/s",
        "known definitions/s",
        "new definitions/s",
        "logins/s",
        "cores of replicas, logins apart",
        "cores for logins",
        "replicas",
        "cores of PostgreSQL",
        "connections in use",
      ),
      `|${"---|".repeat(9)}`,
      ...deployments.map(({ demand, requestCores, loginCores, replicas, databaseCores, connections }) =>
        cells(
          grouped(demand.webhook),
          grouped(demand.repeated),
          grouped(demand.new),
          grouped(demand.login),
          ...[requestCores, loginCores].map(significant),
          String(replicas),
          ...[databaseCores, connections].map(significant),
        ),
      ),
    ].join("\n"),
  ].join("\n\n");
}

function rowsSection(figures: RowsFigures): string {
  const { databases, series } = figures;
  return [
    "## Rows",
    "Each of the four tables has so many rows, all of one tenant, and each request names one of them at random; a login's session takes the place of the one that its user has. All users share one password hash, made once; each login verifies it in full.",
    ...series.flatMap(({ title, store, points }) => [
      `**${title}, ${store}**`,
      loadTable(
        "rows",
        points.map((point) => [grouped(point.rows), point]),
      ),
    ]),
    "**What the rows take**, each table with its indexes",
    [
      cells("database", "rows in each table", "MB", ...filledTables.map((table) => `bytes a row, ${table}`)),
      `|${"---|".repeat(3 + filledTables.length)}`,
      ...stores.flatMap((store) =>
        databases
          .filter((each) => each.store === store)
          .map(({ rows, bytes, tableBytes }) =>
            cells(
              store,
              grouped(rows),
              megabytes(bytes),
              ...filledTables.map((table) => significant(tableBytes[table] / rows)),
            ),
          ),
      ),
    ].join("\n"),
    roundsLine(figures),
  ].join("\n\n");
}

const cases: Readonly<Record<ContentFigures["series"][number]["case"], string>> = {
  known: "a known definition",
  new: "new definitions",
  faulty: "each item with a fault, 422",
};

function contentSection(figures: ContentFigures): string {
  return [
    "## Content",
    "Definitions of so many rules, or of one rule with so many slabs, up to the largest content that is taken; on SQLite. Ratios are to the smallest of the same case.",
    ...figures.series.flatMap(({ items, case: each, points }) => [
      `**${items}, ${cases[each]}**`,
      [
        cells(
          items,
          "bytes",
          "CPU µs a request",
          "CPU µs a KiB",
          "CPU ratio",
          "requests/s",
          "p50 ms",
          "p99 ms",
        ),
        `|${"---|".repeat(8)}`,
        ...points.map((point) =>
          cells(
            grouped(point.count),
            grouped(point.bytes),
            point.cpuMicroseconds.min.toFixed(0),
            (point.cpuMicroseconds.min / (point.bytes / 1024)).toFixed(1),
            point.cpuRatio.toFixed(1),
            spread(point.requestsPerSecond, 0),
            point.p50Ms.median.toFixed(2),
            point.p99Ms.median.toFixed(2),
          ),
        ),
      ].join("\n"),
    ]),
    roundsLine(figures),
  ].join("\n\n");
}

function replicasSection(figures: ReplicasFigures): string {
  const { series, pools, rows, cores, connections } = figures;
  return [
    "## Replicas",
    `Processes of \`server/main.ts\` on one PostgreSQL database of ${grouped(rows)} rows a table, asked over ${connections} connections (8 for logins) by one load. All of them, PostgreSQL and the load share ${cores} cores: where the cores kept busy add up to ${cores}, requests/s say what this machine has, and CPU time for a request says what another would need.`,
    ...series.flatMap(({ title, points }) => [
      `**${title}**`,
      loadTable(
        "replicas",
        points.map((point) => [String(point.replicas), point]),
      ),
    ]),
    "### Pools",
    "One replica, with so many connections to PostgreSQL at most.",
    ...pools.flatMap(({ title, points }) => [
      `**${title}**`,
      loadTable(
        "pool",
        points.map((point) => [String(point.poolSize), point]),
      ),
    ]),
    roundsLine(figures),
  ].join("\n\n");
}

function memorySection(figures: MemoryFigures): string {
  const { servers, packages } = figures;
  return [
    "## Memory",
    "One server under all four operations in turn. Heap is what JavaScript holds after a full collection of garbage; resident is what the process had of the machine before it.",
    [
      cells("database", "requests", "heap MB", "resident MB"),
      `|${"---|".repeat(4)}`,
      ...servers.flatMap(({ store, marks }) =>
        marks.map(({ requests, heapBytes, residentBytes }) =>
          cells(
            store,
            requests === 0 ? "none" : grouped(requests),
            megabytes(heapBytes),
            megabytes(residentBytes),
          ),
        ),
      ),
    ].join("\n"),
    `An installation without development packages has ${packages.count} packages of ${megabytes(packages.bytes)} MB in all.`,
    conditionsLine(figures),
  ].join("\n\n");
}

function loadTable(first: string, points: readonly (readonly [string, Measured])[]): string {
  const hasDatabase = points.some(([, { databaseCpuMicroseconds }]) => databaseCpuMicroseconds !== null);
  const columns = [
    first,
    "CPU µs a request",
    "CPU ratio",
    ...(hasDatabase ? ["PostgreSQL's CPU µs"] : []),
    "requests/s",
    "ratio by requests/s",
    "p50 ms",
    "p99 ms",
    `cores busy: servers, ${hasDatabase ? "PostgreSQL, " : ""}load`,
  ];
  return [
    cells(...columns),
    `|${"---|".repeat(columns.length)}`,
    ...points.map(([label, point]) => {
      const { cores, databaseCpuMicroseconds } = point;
      return cells(
        label,
        point.cpuMicroseconds.min.toFixed(0),
        point.cpuRatio.toFixed(2),
        ...(hasDatabase ? [databaseCpuMicroseconds?.min.toFixed(0) ?? ""] : []),
        spread(point.requestsPerSecond, 0),
        spread(point.rateRatio, 2),
        point.p50Ms.median.toFixed(2),
        point.p99Ms.median.toFixed(2),
        [cores.servers, ...(hasDatabase ? [cores.database ?? Number.NaN] : []), cores.load]
          .map((each) => each.toFixed(2))
          .join(", "),
      );
    }),
  ].join("\n");
}

function roundsLine(figures: Rounds): string {
  return `${figures.rounds} rounds of ${figures.ms / 1000} s each. ${conditionsLine(figures)}`;
}

function conditionsLine({ machine, loadBefore, seconds }: Conditions): string {
  return `${machine}; ${loadBefore.toFixed(1)} processes of others wanted a core at once in the minute before; took ${seconds.toFixed(0)} s.`;
}

const cells = (...texts: readonly string[]): string => `| ${texts.join(" | ")} |`;
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
const grouped = (count: number): string => count.toLocaleString("en").replaceAll(",", " ");
/** Three digits that count. */
const significant = (value: number): string =>
  value >= 100 ? grouped(Math.round(value)) : String(Number(value.toPrecision(3)));
const spread = ({ median, min, max }: Summary, digits: number): string =>
  `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
