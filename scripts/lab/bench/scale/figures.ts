/** What the bench of scale has measured, as it stands in its JSON: each part with the conditions that it was measured under. */
import type { Summary } from "../measure.ts";
import type { FilledTable } from "./filling.ts";

/** A part is missing where it has not been measured. */
export interface Figures {
  readonly rows?: RowsFigures;
  readonly content?: ContentFigures;
  readonly replicas?: ReplicasFigures;
  readonly memory?: MemoryFigures;
}

export interface Conditions {
  readonly machine: string;
  readonly cores: number;
  /** Of the machine in the minute before, by others: how many processes wanted a core at once. */
  readonly loadBefore: number;
  /** Of the whole part. */
  readonly seconds: number;
}

/** The fewest rounds that any load had; none is begun once the part's time is up. */
export interface Rounds extends Conditions {
  readonly rounds: number;
  /** Of one load. */
  readonly ms: number;
}

/** One load, over all rounds. What it is a ratio to is the first of its series. */
export interface Measured {
  readonly requestsPerSecond: Summary;
  /** Of requests per second in the same round. */
  readonly rateRatio: Summary;
  /** Of all threads of all servers, for one request. Other work on the machine can only add to it: the least is nearest. */
  readonly cpuMicroseconds: Summary;
  /** Of the least to the least: 2 is twice the work. */
  readonly cpuRatio: number;
  /** Of all processes of PostgreSQL, for one request; null on SQLite, and where the system does not tell. */
  readonly databaseCpuMicroseconds: Summary | null;
  readonly p50Ms: Summary;
  readonly p99Ms: Summary;
  /** Cores that each kept busy, in the median. */
  readonly cores: { readonly servers: number; readonly database: number | null; readonly load: number };
}

export const stores = ["SQLite", "PostgreSQL"] as const;
export type StoreName = (typeof stores)[number];

export interface RowsFigures extends Rounds {
  readonly databases: readonly {
    readonly store: StoreName;
    readonly rows: number;
    /** Of the file, or of the database. */
    readonly bytes: number;
    /** Each with its indexes. */
    readonly tableBytes: Readonly<Record<FilledTable, number>>;
  }[];
  readonly series: readonly {
    readonly operation: OperationName;
    readonly title: string;
    readonly store: StoreName;
    readonly points: readonly (Measured & { readonly rows: number })[];
  }[];
}

export type OperationName = "webhook" | "repeated" | "new" | "login";

export interface ContentFigures extends Rounds {
  readonly series: readonly {
    readonly items: "rules" | "slabs";
    readonly case: "known" | "new" | "faulty";
    readonly points: readonly (Measured & { readonly count: number; readonly bytes: number })[];
  }[];
}

export interface ReplicasFigures extends Rounds {
  /** In each table. */
  readonly rows: number;
  readonly connections: number;
  readonly series: readonly {
    readonly operation: OperationName;
    readonly title: string;
    readonly points: readonly (Measured & { readonly replicas: number })[];
  }[];
  /** One replica, with pools of several sizes. */
  readonly pools: readonly {
    readonly operation: OperationName;
    readonly title: string;
    readonly points: readonly (Measured & { readonly poolSize: number })[];
  }[];
}

export interface MemoryFigures extends Conditions {
  readonly servers: readonly {
    readonly store: StoreName;
    /** The first is at idle. Whether it grows is seen in the heap; what is resident is what the machine must have. */
    readonly marks: readonly {
      readonly requests: number;
      readonly residentBytes: number;
      /** After a full collection of garbage. */
      readonly heapBytes: number;
    }[];
  }[];
  /** What `npm ci --omit=dev` installs on this platform. */
  readonly packages: { readonly count: number; readonly bytes: number };
}
