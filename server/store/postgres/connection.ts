/** Every wait has a timeout. No statement is repeated here: only the caller knows which writes may be repeated. */
import { createHash } from "node:crypto";
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from "pg";
import { StoreUnavailableError } from "../store.ts";
import { fromDriver, isOutOfSpace, isSessionUsable } from "./driver-errors.ts";

export type Value = string | number | boolean | null | Buffer | readonly string[];

/** The parameters are the values of `$1`, `$2` and so on. The caller guarantees that `Row` matches the SQL. */
export type Statement<Row> = (...values: Value[]) => Promise<Row[]>;

export type Connection = {
  /** @throws StoreUnavailableError */
  read<Row>(sql: string): Statement<Row>;
  /** Runs in a separate transaction. @throws StoreUnavailableError, OutcomeUnknownError */
  write<Row = never>(sql: string): Statement<Row>;
  /** Commits when `work` resolves and rolls back if it rejects. @throws StoreUnavailableError, OutcomeUnknownError */
  transaction<T>(
    work: (run: (sql: string, ...values: Value[]) => Promise<unknown[]>) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
};

/** The disk of the server, for all connections to it. */
export type Disk = {
  /** True if a statement has found no space. */
  lacksSpace: boolean;
};

export function connect(config: PoolConfig, disk: Disk): Connection {
  const pool = new Pool(config);
  // The pool removes a broken connection. Without listeners, the error event would stop the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));

  const underWay = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  /** Closes the connection after an error if its state is unknown or its server is read-only. */
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
      if (isOutOfSpace(error)) disk.lacksSpace = true;
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
    // The name is a digest of the SQL, so it means the same statement even if a pooler shares sessions.
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
