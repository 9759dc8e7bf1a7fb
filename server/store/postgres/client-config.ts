import { type PoolConfig, types } from "pg";
import { parse, toClientConfig } from "pg-connection-string";
import { StoreNotOpenableError } from "../store.ts";

export type PostgresOptions = {
  poolSize?: number;
  connectTimeoutMs?: number;
  statementTimeoutMs?: number;
};

/** A connection is closed if it has no response this long after the server's statement timeout. */
const responseDelayMs = 1000;
/** Older connections are replaced, so that they reach a database that has moved to another server. */
const connectionSeconds = 1800;
const idleMs = 60_000;

const sslModes = ["disable", "require", "verify-ca", "verify-full"];

/** The error message omits the URL, which may contain a password. @throws StoreNotOpenableError */
export function clientConfig(
  url: string,
  { poolSize = 10, connectTimeoutMs = 3000, statementTimeoutMs = 4000 }: PostgresOptions,
): PoolConfig {
  return {
    fallback_application_name: "commerce-service",
    ...parseUrl(url),
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + responseDelayMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    idleTimeoutMillis: idleMs,
    maxLifetimeSeconds: connectionSeconds,
    keepAlive: true,
    types: { getTypeParser },
  };
}

function parseUrl(url: string): PoolConfig {
  const sslMode = URL.parse(url)?.searchParams.get("sslmode");
  // libpq's `prefer` and `allow` continue without TLS if the server does not support it, so they protect nothing.
  if (sslMode != null && !sslModes.includes(sslMode)) {
    throw new StoreNotOpenableError(`sslmode in DATABASE_URL must be one of ${sslModes.join(", ")}.`);
  }
  if (sslMode === "verify-ca" && !url.includes("sslrootcert=")) {
    throw new StoreNotOpenableError(
      "sslmode=verify-ca in DATABASE_URL needs sslrootcert=FILE; if you have no CA certificate, use verify-full.",
    );
  }
  try {
    return toClientConfig(parse(url, { useLibpqCompat: true }));
  } catch (error) {
    if (error instanceof Error && "code" in error && "path" in error) {
      throw new StoreNotOpenableError(
        `Cannot read ${error.path} (${error.code}); set sslrootcert, sslcert or sslkey in DATABASE_URL to a file that this user may read.`,
      );
    }
    throw new StoreNotOpenableError(
      "DATABASE_URL is not a valid URL; percent-encode special characters in user and password: postgres://USER:PASSWORD@HOST/DATABASE.",
    );
  }
}

const int8 = 20;
const bytea = 17;

function getTypeParser(oid: number, format?: "text" | "binary") {
  if (oid === int8) return parseInt8;
  const parse = types.getTypeParser(oid, format);
  // Bytes are text that may contain U+0000.
  return oid === bytea ? (text: string) => parse(text).toString("utf8") : parse;
}

/** @throws RangeError for an unsafe integer. The columns do not contain any */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer.`);
  return value;
}
