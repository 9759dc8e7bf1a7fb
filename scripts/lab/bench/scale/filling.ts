/** What the bench asks of the programs that hold a database, and what they answer; they run beside each store's driver. */

/** In the order in which they are filled: sessions are of users. */
export const filledTables = ["webhooks", "users", "sessions", "commissions"] as const;

export type FilledTable = (typeof filledTables)[number];

/** Rows of one table, numbered in what a request names them by: `first`, `first + 1` and so on. */
export interface Fill {
  readonly ask: "fill";
  readonly table: FilledTable;
  readonly first: number;
  readonly count: number;
  readonly template: Template;
}

/** What there is one of, and is to be many. */
export interface Template {
  readonly webhookId: number;
  /** Of the user whose password hash and names all others get. */
  readonly mobile: string;
  /** The device that each session is of. */
  readonly uuid: string;
  /** Canonical JSON (RFC 8785), with `digits` where each definition has its number. */
  readonly definition: string;
  readonly digits: string;
  readonly rate: number;
}

/** After filling: what the database itself would do in time is done now, so that it is not measured. */
export interface Settle {
  readonly ask: "settle";
}

export interface AskSizes {
  readonly ask: "sizes";
}

export type FillerMessage = Fill | Settle | AskSizes;

/** In bytes, each table with its indexes. */
export interface Sizes {
  readonly database: number;
  readonly tables: Readonly<Record<FilledTable, number>>;
}

/** Of a database's server: makes an empty database and answers its URL. */
export interface AskDatabase {
  readonly ask: "database";
  readonly name: string;
}

/** Of a database's server: the CPU time of all its processes so far, in milliseconds; null where the system does not tell. */
export interface AskCpu {
  readonly ask: "cpu";
}

export type DatabaseServerMessage = AskDatabase | AskCpu;
