import { type Summary, spread, summaryOf, table } from "../measure.ts";
import type { BenchDatabase } from "./databases.ts";
import type { Slice } from "./running.ts";

export interface Figures {
  readonly database: BenchDatabase["name"];
  readonly note: string;
  readonly scenarios: readonly { readonly title: string; readonly rows: readonly ServerFigures[] }[];
}

export interface ServerFigures {
  readonly name: string;
  readonly requestsPerSecond: Summary;
  /** Requests per second, divided by those of bare node:http in the same round. */
  readonly share: Summary;
  readonly cpuMicroseconds: Summary;
  /** CPU time of bare node:http for a request in the same round, divided by the server's own. */
  readonly cpuShare: Summary;
  /** CPU time of the database for a request, if the database has its own processes. */
  readonly databaseMicroseconds: Summary;
  readonly p99Ms: Summary;
}

/** @param slices for each server, its rounds. The first server is bare node:http */
export function serverFigures(names: readonly string[], slices: readonly Slice[][]): ServerFigures[] {
  const rateOf = ({ requests, ms }: Slice): number => (requests / ms) * 1000;
  const cpuOf = ({ requests, serverCpuMs }: Slice): number => (serverCpuMs / requests) * 1000;
  const bare = slices[0] ?? [];
  return names.map((name, index) => {
    const own = slices[index] ?? [];
    const perRound = (value: (slice: Slice, bare: Slice) => number): Summary =>
      summaryOf(own.map((slice, round) => value(slice, bare[round] ?? slice)));
    return {
      name,
      requestsPerSecond: perRound(rateOf),
      share: perRound((slice, unit) => rateOf(slice) / rateOf(unit)),
      cpuMicroseconds: perRound(cpuOf),
      cpuShare: perRound((slice, unit) => cpuOf(unit) / cpuOf(slice)),
      databaseMicroseconds: perRound(({ requests, databaseCpuMs }) => (databaseCpuMs / requests) * 1000),
      p99Ms: perRound(({ p99Ms }) => p99Ms),
    };
  });
}

const head = ["server", "requests/s", "share", "CPU µs per request", "share by CPU time"];

export function markdown({ database, note, scenarios }: Figures): string {
  const hasProcesses = database !== "SQLite";
  const tables = scenarios.map(({ title, rows }) => {
    const cells = rows.map((row) => [
      row.name,
      row.requestsPerSecond.median.toFixed(0),
      spread(row.share, 2),
      row.cpuMicroseconds.median.toFixed(0),
      spread(row.cpuShare, 2),
      ...(hasProcesses ? [row.databaseMicroseconds.median.toFixed(0)] : []),
      row.p99Ms.median.toFixed(2),
    ]);
    const columns = [...head, ...(hasProcesses ? [`CPU µs of ${database}`] : []), "p99 ms"];
    return `**${title}**\n\n${table(columns, cells)}\n`;
  });
  return `# Figures of the server benchmark on ${database}\n\n${tables.join("")}Medians (least–most). A share is relative to bare node:http in the same round: more is better. ${note}\n`;
}
