/** What the bench of the servers has measured, as it stands in its JSON. */
import type { Summary } from "../measure.ts";

export interface Figures {
  readonly machine: string;
  /** Of the machine in the minute before, by others: how many processes wanted a core at once. */
  readonly loadBefore: number;
  readonly rounds: number;
  /** Of one load. */
  readonly ms: number;
  readonly scenarios: readonly ScenarioFigures[];
  readonly flood: readonly FloodFigures[];
  readonly programs: readonly ProgramFigures[];
}

export interface ScenarioFigures {
  readonly name: string;
  readonly title: string;
  /** What tells most of it, and is charted where it is given: CPU time where that is the limit, else requests per second. */
  readonly charted: "cpu" | "rate" | null;
  readonly rows: readonly ScenarioRow[];
}

export interface ScenarioRow {
  readonly program: string;
  readonly requestsPerSecond: Summary;
  /** Of requests per second to those of Node's own server in the same round. */
  readonly ratio: Summary;
  /** Of all threads of the server, for one request. Other work on the machine can only add to it: the least is nearest. */
  readonly cpuMicroseconds: Summary;
  /** The least of Node's own server by the least of this one: what `ratio` is on a quiet machine. */
  readonly cpuRatio: number;
  readonly p50Ms: Summary;
  readonly p99Ms: Summary;
  /** How much of one core the load itself took: near 1, it is the load that was measured. */
  readonly askerShare: number;
}

/** How long getWebhook takes while others log in. */
export interface FloodFigures {
  readonly program: string;
  readonly idleP99Ms: number;
  readonly floodP99Ms: number;
}

export interface ProgramFigures {
  readonly program: string;
  readonly does: string;
  /** From the start of the process to its first answer; null for a variant, which starts like what it varies. */
  readonly startMs: Summary | null;
  readonly idleBytes: number;
  /** After all rounds. */
  readonly loadedBytes: number;
}
