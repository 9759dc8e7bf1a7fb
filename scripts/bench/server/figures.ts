/** What the bench of the servers has measured, as it stands in its JSON. */
import type { Summary } from "../measure.ts";

export interface Figures {
  readonly machine: string;
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
  readonly rows: readonly ScenarioRow[];
}

export interface ScenarioRow {
  readonly program: string;
  readonly requestsPerSecond: Summary;
  /** Of requests per second to those of Node's own server in the same round. */
  readonly ratio: Summary;
  /** Of all threads of the server, for one request. */
  readonly cpuMicroseconds: Summary;
  /** What of that Node's own server needed in the same round: says the same as `ratio` on a quiet machine. */
  readonly cpuRatio: Summary;
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
  /** From the start of the process to its first answer; of no rounds for a variant. */
  readonly startMs: Summary;
  readonly idleBytes: number;
  /** After all rounds. */
  readonly loadedBytes: number;
}
