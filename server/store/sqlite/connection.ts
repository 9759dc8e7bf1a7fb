/** One open database as the aggregates see it: statements with typed rows, reads, and writes that share commits. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { fromDriver } from "./driver-errors.ts";
import { shareCommits } from "./shared-commit.ts";
import { shareSnapshots } from "./shared-snapshot.ts";
import { untilFree } from "./until-free.ts";

/** Values by the name they have in the SQL; a name that the SQL does not have is refused by the driver. */
type Parameters = Record<string, SQLInputValue>;
type Row = Record<string, SQLOutputValue>;

export type Query<Result extends Row> = {
  get(parameters: Parameters): Result | undefined;
  all(parameters: Parameters): Result[];
};

export type Connection = {
  /** Prepares a statement once. What columns it answers is the caller's claim; STRICT tables hold them to their types. */
  query<Result extends Row>(sql: string): Query<Result>;
  /** Prepares a statement that answers nothing but how many rows it changed. */
  command(sql: string): (parameters: Parameters) => number;
  /** Sees what was committed before this turn of the event loop, and nothing else. @throws StoreUnavailableError */
  read<T>(work: () => T): Promise<T>;
  /** Settles once committed. @throws StoreUnavailableError */
  write<T>(work: () => T): Promise<T>;
  /** Settles when the writes asked for have settled and the database is let go. */
  close(): Promise<void>;
};

/** Reads and writes wait up to `busyTimeoutMs` for a lock of another connection. */
export function connect(db: DatabaseSync, busyTimeoutMs: number): Connection {
  const snapshot = shareSnapshots(db);
  const commits = shareCommits(db, busyTimeoutMs, snapshot.leave);
  let closed: Promise<void> | undefined;
  return {
    query<Result extends Row>(sql: string): Query<Result> {
      const statement = db.prepare(sql);
      // The driver takes three times as long to make an object as to make an array.
      statement.setReturnArrays(true);
      const names = statement.columns().map(({ name }) => name);
      return {
        get(parameters) {
          const values = statement.get(parameters);
          return values && (rowOf(names, values) as Result);
        },
        all: (parameters) => statement.all(parameters).map((values) => rowOf(names, values) as Result),
      };
    },
    command(sql) {
      const statement = db.prepare(sql);
      return (parameters) => Number(statement.run(parameters).changes);
    },
    read(work) {
      const attempt = () => {
        snapshot.enter();
        return work();
      };
      try {
        return Promise.resolve(attempt());
      } catch {
        // Tried again, which waits for a lock, and tells any other fault.
        return untilFree(attempt, busyTimeoutMs).catch((error: unknown) => {
          throw fromDriver(error);
        });
      }
    },
    write: commits.write,
    close() {
      closed ??= commits.end().then(() => {
        snapshot.leave();
        db.close();
      });
      return closed;
    },
  };
}

/** @param values by the position of their column */
function rowOf(names: readonly string[], values: { readonly [position: number]: SQLOutputValue }): Row {
  const row: Row = {};
  for (const [index, name] of names.entries()) {
    const value = values[index];
    if (value !== undefined) row[name] = value;
  }
  return row;
}
