/**
 * One database as the aggregates see it: prepared statements with typed rows, on a pool whose every wait is bounded.
 * Nothing is tried twice here: only a caller knows which write may be repeated.
 */
import { createHash } from "node:crypto";
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from "pg";
import { StoreUnavailableError } from "../store.ts";
import { fromDriver, isSessionUsable } from "./driver-errors.ts";

export type Value = string | number | boolean | null | Buffer | readonly string[];

/** Takes the values of `$1`, `$2` and so on. What columns the rows have is the caller's claim about its SQL. */
export type Statement<Row> = (...values: Value[]) => Promise<Row[]>;

export type Connection = {
  /** @throws StoreUnavailableError */
  read<Row>(sql: string): Statement<Row>;
  /** A transaction of its own, committed when it settles. @throws StoreUnavailableError, OutcomeUnknownError */
  write<Row = never>(sql: string): Statement<Row>;
  /** Commits when `work` has settled, and undoes everything where it throws. @throws StoreUnavailableError, OutcomeUnknownError */
  transaction<T>(
    work: (run: (sql: string, ...values: Value[]) => Promise<unknown[]>) => Promise<T>,
  ): Promise<T>;
  /** Refuses every further call, and settles when those under way have settled and the connections are closed. */
  close(): Promise<void>;
};

export function connect(config: PoolConfig): Connection {
  const pool = new Pool(config);
  // A connection that breaks is left out of the pool by the pool; without listeners, its event would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));

  const underWay = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  /** Lends a connection to `work`; one that may be in the middle of something, or that may only read, is not used again. */
  async function withClient<T>(kind: "read" | "write", work: (client: PoolClient) => Promise<T>): Promise<T> {
    let client: PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw new StoreUnavailableError(error);
    }
    try {
      const value = await work(client);
      client.release();
      return value;
    } catch (error) {
      client.release(!isSessionUsable(error));
      throw fromDriver(error, kind);
    }
  }

  function track<T>(start: () => Promise<T>): Promise<T> {
    if (closed !== undefined) return Promise.reject(new StoreUnavailableError());
    const running = start();
    underWay.add(running);
    const done = () => underWay.delete(running);
    running.then(done, done);
    return running;
  }

  function statement<Row>(kind: "read" | "write", text: string): Statement<Row> {
    // Named after its text, so that behind a pooler that shares sessions no name can stand for another statement.
    const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
    return (...values) =>
      track(() =>
        withClient(kind, async (client) => (await client.query({ name, text, values })).rows as Row[]),
      );
  }

  return {
    read: (sql) => statement("read", sql),
    write: (sql) => statement("write", sql),
    transaction: (work) =>
      track(() =>
        withClient("write", async (client) => {
          await client.query("BEGIN");
          try {
            const value = await work(async (sql, ...values) => (await client.query(sql, values)).rows);
            await client.query("COMMIT");
            return value;
          } catch (error) {
            if (error instanceof DatabaseError) await client.query("ROLLBACK");
            throw error;
          }
        }),
      ),
    close() {
      closed ??= Promise.allSettled(underWay).then(() => pool.end());
      return closed;
    },
  };
}
