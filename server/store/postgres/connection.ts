/** Every wait has a timeout. No statement is repeated here: only the caller knows which writes may be repeated. */
import { hash } from "node:crypto";
import { DatabaseError, Pool, type PoolClient, type PoolConfig } from "pg";
import { Call, type Connection, type Parameters, type Steps } from "../sql/connection.ts";
import { StoreUnavailableError } from "../store.ts";
import { fromDriver, isOutOfSpace, isSessionUsable } from "./driver-errors.ts";
import { perTurn } from "./per-turn.ts";

/** The disk of the server, for all connections to it. */
export type Disk = {
  /** True if a statement has found no space. */
  lacksSpace: boolean;
};

export type PostgresConnection = Connection & {
  /** See per-turn.ts. `close` waits for these queries too. */
  perTurn<Item, Result>(
    most: number,
    query: (items: readonly Item[]) => Promise<Result>,
  ): (item: Item) => Promise<Result>;
};

export function connect(config: PoolConfig, disk: Disk): PostgresConnection {
  const pool = new Pool(config);
  // The pool removes a broken connection. Without listeners, the error event would stop the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));

  const underWay = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;
  let isClosed = false;

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
    if (isClosed) return Promise.reject(new StoreUnavailableError());
    const running = start();
    watch(running);
    return running;
  }

  function watch(running: Promise<unknown>): void {
    underWay.add(running);
    const done = () => underWay.delete(running);
    running.then(done, done);
  }

  /** Calls may begin others until all have ended. */
  async function end(): Promise<void> {
    while (underWay.size > 0) await Promise.allSettled(underWay);
    isClosed = true;
    await pool.end();
  }

  return {
    statement,
    read: (call) => track(() => withClient("read", (client) => run(client, call))),
    write: (call) => track(() => withClient("write", (client) => run(client, call))),
    transaction: (work, locked) =>
      track(() => withClient("write", (client) => runTransaction(client, work, locked))),
    position: "position",
    lockFor: (change) => `FOR ${change}`,
    perTurn: (most, query) => perTurn(most, query, watch),
    close() {
      closed ??= end();
      return closed;
    },
  };
}

/** The name is a digest of the SQL, so it means the same statement even if a pooler shares sessions. */
async function run<Row>(client: PoolClient, { text, values }: Call<Row>): Promise<Row[]> {
  const name = hash("sha256", text).slice(0, 32);
  return (await client.query({ name, text, values: [...values] })).rows;
}

async function runTransaction<Result>(
  client: PoolClient,
  work: () => Steps<Result>,
  locked: string | undefined,
): Promise<Result> {
  await client.query("BEGIN");
  try {
    if (locked !== undefined) await client.query(`LOCK TABLE ${locked} IN SHARE ROW EXCLUSIVE MODE`);
    const steps = work();
    let step = steps.next([]);
    while (!step.done) step = steps.next(await run(client, step.value));
    await client.query("COMMIT");
    return step.value;
  } catch (error) {
    if (error instanceof DatabaseError) await client.query("ROLLBACK");
    throw error;
  }
}

/** PostgreSQL numbers parameters. The uuid of a session is stored as bytes, because it may contain U+0000. */
export function statement(sql: string) {
  const names: string[] = [];
  const text = sql.replaceAll(/(?<!:):([a-z]\w*)/gi, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return ({ uuid, ...others }: Parameters = {}) =>
    new Call<never>(
      text,
      names,
      uuid === undefined ? others : { ...others, uuid: Buffer.from(String(uuid)) },
    );
}
