import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { Awaitable } from "../store.ts";
import type { DatabaseFile } from "./database-file.ts";
import { createRowCache, type RowCache } from "./row-cache.ts";
import { shareCommits } from "./shared-commit.ts";
import { untilFree } from "./until-free.ts";

type Parameters = Record<string, SQLInputValue>;
type Row = Record<string, SQLOutputValue>;

export type Query<Result extends Row> = {
  get(parameters: Parameters): Result | undefined;
  all(parameters: Parameters): Result[];
};

export type Connection = {
  /** The caller guarantees that `Result` matches the SQL; STRICT tables check the types. */
  query<Result extends Row>(sql: string): Query<Result>;
  /** Returns the number of changed rows. */
  command(sql: string): (parameters: Parameters) => number;
  /** @throws StoreUnavailableError */
  read<T>(work: () => T): Promise<T>;
  /** Sees the result of every earlier call of `write`. @throws StoreUnavailableError */
  readAfterWrites<T>(work: () => T): Promise<T>;
  cachedRows: RowCache["rows"];
  /** Settles after the commit. @throws StoreUnavailableError */
  write<T>(work: () => T): Promise<T>;
  close(): Promise<void>;
};

export function connect(db: DatabaseSync, file: DatabaseFile, busyTimeoutMs: number): Connection {
  const cache = createRowCache(db, file, readNow);
  const commits = shareCommits(db, file, busyTimeoutMs, cache.endSnapshot);
  let closed: Promise<void> | undefined;

  function readNow<T>(work: () => T): Awaitable<T> {
    const readOnce = () => {
      file.assertInPlace();
      return work();
    };
    try {
      return readOnce();
    } catch {
      // Repeats the read while the database is locked. After any other error, the second attempt throws it again.
      return untilFree(readOnce, busyTimeoutMs).catch((error: unknown) => {
        throw file.errorOf(error);
      });
    }
  }

  async function read<T>(work: () => T): Promise<T> {
    return readNow(work);
  }

  return {
    query<Result extends Row>(sql: string): Query<Result> {
      const { statement, values } = prepare(db, sql);
      // Reads rows as arrays, because the driver needs three times as long for objects.
      statement.setReturnArrays(true);
      const names = statement.columns().map(({ name }) => name);
      return {
        get(parameters) {
          const row = statement.get(...values(parameters));
          return row && (rowOf(names, row) as Result);
        },
        all: (parameters) => statement.all(...values(parameters)).map((row) => rowOf(names, row) as Result),
      };
    },
    command(sql) {
      const { statement, values } = prepare(db, sql);
      return (parameters) => Number(statement.run(...values(parameters)).changes);
    },
    read,
    readAfterWrites: (work) => (commits.hasWaiting() ? commits.write(work) : read(work)),
    cachedRows: cache.rows,
    write: commits.write,
    close() {
      closed ??= commits.end().then(() => {
        cache.endSnapshot();
        db.close();
      });
      return closed;
    },
  };
}

/** Binds values by position, because the driver needs twice as long to find a value by its name. */
function prepare(db: DatabaseSync, sql: string) {
  const names: string[] = [];
  const positional = sql.replaceAll(/:([a-z]\w*)/gi, (_, name: string) => {
    names.push(name);
    return "?";
  });
  const values = (parameters: Parameters): SQLInputValue[] =>
    names.map((name) => {
      const value = parameters[name];
      if (value === undefined) throw new TypeError(`The statement has no value for ${name}.`);
      return value;
    });
  return { statement: db.prepare(positional), values };
}

function rowOf(names: readonly string[], values: { readonly [position: number]: SQLOutputValue }): Row {
  const row: Row = {};
  for (const [index, name] of names.entries()) {
    const value = values[index];
    if (value !== undefined) row[name] = value;
  }
  return row;
}
