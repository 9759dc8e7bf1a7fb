import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { Call, type Connection, type Steps, type Value } from "../sql/connection.ts";
import type { Awaitable } from "../store.ts";
import type { DatabaseFile } from "./database-file.ts";
import { createRowCache } from "./row-cache.ts";
import { shareCommits } from "./shared-commit.ts";
import { untilFree } from "./until-free.ts";

export type SqliteConnection = Connection & {
  /** Sees the result of every earlier write. @throws StoreUnavailableError */
  readAfterWrites<Result>(work: () => Steps<Result>): Promise<Result>;
  /** Returns a look-up in the cached rows of a table. See row-cache.ts. */
  cachedRows<Row extends object>(
    table: string,
  ): (key: string, callOf: () => Call<Row>) => Awaitable<Row | undefined>;
};

export function connect(db: DatabaseSync, file: DatabaseFile, busyTimeoutMs: number): SqliteConnection {
  const { statement, run } = statementsOf(db);
  const cache = createRowCache(db, file, readNow);
  const commits = shareCommits(db, file, busyTimeoutMs, cache);
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

  /** SQLite blocks the event loop, so the steps need no promises. */
  function runSteps<Result>(steps: Steps<Result>): Result {
    let step = steps.next([]);
    while (!step.done) step = steps.next(run(step.value));
    return step.value;
  }

  async function read<T>(work: () => T): Promise<T> {
    return readNow(work);
  }

  return {
    statement,
    read: (call) => read(() => run(call)),
    readAfterWrites: (work) => (commits.hasWaiting() ? commits.write : read)(() => runSteps(work())),
    write: (call) => commits.write(() => run(call)),
    transaction: (work) => commits.write(() => runSteps(work())),
    position: "rowid",
    lockFor: () => "",
    cachedRows<Row extends object>(table: string) {
      const find = cache.rows<Row>(table);
      return (key: string, callOf: () => Call<Row>) => find(key, () => run(callOf())[0]);
    },
    close() {
      closed ??= commits.end().then(() => {
        cache.endSnapshot();
        db.close();
      });
      return closed;
    },
  };
}

type Prepared = { driver: StatementSync; columns: readonly Column[] };
type Column = { name: string; decode: ((value: SQLOutputValue) => unknown) | undefined };

/** SQLite has neither booleans nor arrays. Only the store writes these columns. */
const decoders: { readonly [column: string]: Column["decode"] } = {
  email_verified: (value) => value === 1,
  events: (value) => JSON.parse(String(value)),
  operations: (value) => JSON.parse(String(value)),
};

function encode(value: Value): SQLInputValue {
  if (typeof value === "boolean") return Number(value);
  return typeof value === "object" && value !== null && "map" in value ? JSON.stringify(value) : value;
}

function statementsOf(db: DatabaseSync) {
  const prepared = new Map<string, Prepared>();

  function prepare(text: string): Prepared {
    const driver = db.prepare(text);
    // Reads rows as arrays, because the driver needs three times as long for objects.
    driver.setReturnArrays(true);
    const columns = driver.columns().map(({ name }) => ({ name, decode: decoders[name] }));
    prepared.set(text, { driver, columns });
    return { driver, columns };
  }

  /** Binds values by position, because the driver needs twice as long to find a value by its name. */
  const statement: Connection["statement"] = (sql) => {
    const names: string[] = [];
    const text = sql.replaceAll(/:([a-z]\w*)/gi, (_, name: string) => {
      names.push(name);
      return "?";
    });
    prepare(text);
    return (parameters = {}) => new Call(text, names, parameters);
  };

  function run<Row>({ text, values }: Call<Row>): Row[] {
    const { driver, columns } = prepared.get(text) ?? prepare(text);
    return driver.all(...values.map(encode)).map((row) => rowOf(columns, row) as Row);
  }

  return { statement, run };
}

function rowOf(columns: readonly Column[], values: { readonly [position: number]: SQLOutputValue }): object {
  const row: Record<string, unknown> = {};
  for (const [index, { name, decode }] of columns.entries()) {
    const value = values[index];
    if (value !== undefined) row[name] = decode ? decode(value) : value;
  }
  return row;
}
