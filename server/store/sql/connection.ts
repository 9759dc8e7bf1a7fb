/** What the stores share: statements that both databases understand, and transactions of them. */

export type Value = string | number | boolean | null | Uint8Array | readonly string[];
export type Parameters = Readonly<Record<string, Value>>;

/** A statement with its values. In a transaction, `yield*` runs it and returns its rows. */
export class Call<Row> {
  readonly text: string;
  readonly values: readonly Value[];

  /** @param names of the parameters, in the order of their values */
  constructor(text: string, names: readonly string[], parameters: Parameters) {
    this.text = text;
    this.values = names.map((name) => {
      const value = parameters[name];
      if (value === undefined) throw new TypeError(`The statement has no value for ${name}.`);
      return value;
    });
  }

  *[Symbol.iterator](): Steps<Row[]> {
    // `statement` states what guarantees the type.
    return (yield this) as Row[];
  }
}

/** The steps of a transaction: it yields calls, gets their rows, and returns its result. */
export type Steps<Result> = Generator<Call<unknown>, Result, unknown[]>;

export type Statement<Row> = (parameters?: Parameters) => Call<Row>;

export type Connection = {
  /** @param sql has parameters such as `:id`. The caller guarantees that `Row` matches it; the tables check the types */
  statement<Row = never>(sql: string): Statement<Row>;
  /** @throws StoreUnavailableError */
  read<Row>(call: Call<Row>): Promise<Row[]>;
  /** Runs in a separate transaction, and settles after the commit. @throws StoreUnavailableError, OutcomeUnknownError */
  write<Row>(call: Call<Row>): Promise<Row[]>;
  /**
   * Commits when `work` returns, and rolls back if it throws. It may run twice.
   * @param locked a table that nobody else may change meanwhile
   * @throws StoreUnavailableError, OutcomeUnknownError
   */
  transaction<Result>(work: () => Steps<Result>, locked?: string): Promise<Result>;
  /** The column by which rows of tenants and keys are in the order of their creation. */
  position: string;
  /** The clause of a SELECT that locks its rows. Empty if a transaction locks the whole database. */
  lockFor(change: "UPDATE" | "NO KEY UPDATE"): string;
  close(): Promise<void>;
};
