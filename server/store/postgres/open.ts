import { isIP } from "node:net";
import { Client, DatabaseError } from "pg";
import type { Connection } from "../sql/connection.ts";
import { sessions } from "../sql/sessions.ts";
import { tenants } from "../sql/tenants.ts";
import { users } from "../sql/users.ts";
import { type Store, StoreNotOpenableError, StoreUnavailableError } from "../store.ts";
import { apiKeys } from "./api-keys.ts";
import { attempts } from "./attempts.ts";
import { clientConfig, type PostgresOptions } from "./client-config.ts";
import { commissions } from "./commissions.ts";
import { connect } from "./connection.ts";
import { isDriverError } from "./driver-errors.ts";
import { migrate, migrations } from "./migrations.ts";
import { cachedTables, createRowCache } from "./row-cache.ts";
import { webhooks } from "./webhooks.ts";
import { writableCheck } from "./writable.ts";

/** A migration may rewrite a table, and other replicas wait for it. */
const migrationTimeoutMs = 60_000;

/**
 * @throws StoreNotOpenableError if the URL is invalid or the database cannot be used
 * @throws NewerDatabaseError if a newer release made the database
 */
export async function openPostgresStore(url: string, options: PostgresOptions = {}): Promise<Store> {
  const config = clientConfig(url, options);
  const disk = { lacksSpace: false };
  const connection = connect(config, disk);
  try {
    if (!(await isCurrent(connection))) {
      const timeouts = { statement_timeout: migrationTimeoutMs, query_timeout: migrationTimeoutMs };
      await prepare(new Client({ ...config, ...timeouts }));
    }
  } catch (error) {
    connection.close().catch(() => {});
    throw error instanceof StoreUnavailableError && isDriverError(error.cause)
      ? notOpenable(new Client(config), error.cause)
      : error;
  }
  // Readiness checks use a separate connection, so that load on the other connections does not delay them.
  const apart = connect({ ...config, max: 1, idleTimeoutMillis: 0 }, disk);
  const cache = createRowCache(connection);
  return {
    tenants: tenants(connection),
    apiKeys: apiKeys(connection, cache),
    users: users(connection),
    sessions: sessions(connection),
    commissions: commissions(connection, cache),
    webhooks: webhooks(connection, cache),
    attempts: attempts(connection),
    assertWritable: writableCheck(apart, disk),
    async close() {
      await Promise.all([connection.close(), apart.close()]);
    },
  };
}

/**
 * Most databases are current, and then this needs no other connection.
 * @throws StoreUnavailableError, StoreNotOpenableError
 */
async function isCurrent({ statement, read }: Connection): Promise<boolean> {
  const version = statement<{ version: number; counted_tables: number }>(
    `SELECT version, (
       SELECT count(*) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
       WHERE tgname = 'cached_row_changed' AND tgenabled = 'A' AND relnamespace = current_schema()::regnamespace
     ) AS counted_tables FROM commerce_schema_version`,
  );
  let row: { version: number; counted_tables: number } | undefined;
  try {
    [row] = await read(version());
  } catch (error) {
    // `prepare` reports every other error, such as a missing table.
    if (error instanceof StoreUnavailableError) throw error;
  }
  if (row?.version !== migrations.length) return false;
  if (row.counted_tables < cachedTables.length) {
    throw new StoreNotOpenableError(
      "The database lacks a trigger that counts changes of api_keys, webhooks or commissions; restore it with all its triggers.",
    );
  }
  return true;
}

async function prepare(client: Client): Promise<void> {
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ encoding: string }>(
      "SELECT current_setting('server_encoding') AS encoding",
    );
    const encoding = rows[0]?.encoding;
    if (encoding !== "UTF8") {
      throw new StoreNotOpenableError(
        `The database ${client.database} has the encoding ${encoding}; create one with ENCODING 'UTF8'.`,
      );
    }
    await migrate(client, migrations);
  } catch (error) {
    throw isDriverError(error) ? notOpenable(client, error) : error;
  } finally {
    // Not awaited: it never settles if the server no longer responds.
    client.end().catch(() => {});
  }
}

function notOpenable(client: Client, cause: Error): StoreNotOpenableError {
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  const reason = cause instanceof DatabaseError ? cause.message : code || cause.message;
  return new StoreNotOpenableError(
    `Cannot open the database ${placeOf(client)} (${reason}); ${remedyOf(code, cause.message)}.`,
    { cause },
  );
}

function placeOf({ database, host, port }: Client): string {
  const name = database === undefined ? "" : `${database} `;
  // If the host is a path, it is the folder of a socket. libpq and the driver derive the file name from the port.
  if (host.startsWith("/")) return `${name}at the socket ${host}/.s.PGSQL.${port}`;
  return `${name}at ${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function remedyOf(code: string, message: string): string {
  if (code.startsWith("28")) return "check user, password and sslmode in DATABASE_URL";
  if (code === "3D000") return "create it, or set DATABASE_URL to another database";
  if (code === "42501" || code === "3F000") return "allow the user in DATABASE_URL to create tables in it";
  if (/SSL|TLS|CERT|SIGNATURE/.test(`${code} ${message}`)) {
    return "check sslmode and sslrootcert in DATABASE_URL";
  }
  return "check that it runs and that DATABASE_URL has the right host and port";
}
