/** Classifies errors by SQLSTATE (PostgreSQL documentation, appendix A). Connection errors have no SQLSTATE. */
import { DatabaseError } from "pg";
import {
  DuplicateUserError,
  NewerDatabaseError,
  OutcomeUnknownError,
  StoreNotOpenableError,
  StoreUnavailableError,
  UnstorableTextError,
} from "../store.ts";

/** The session is lost, or it is unknown whether the statement was executed. */
const broken = [
  "08", // connection exceptions
  "25P03", // idle_in_transaction_session_timeout
  "25P04", // transaction_timeout
  "40003", // statement_completion_unknown
  "57P", // operator intervention: shutdown, crash, database dropped, idle session
  "58", // system errors
  "XX", // internal errors
];

/** The server undid the statement. It never succeeds on this session, but another session may reach a writable server. */
const readOnly = [
  "25006", // read_only_sql_transaction: a standby, a demoted primary, or a session that was opened to read only
];

const diskFull = "53100";

/** The server undid the statement. It may succeed later. */
const passing = [
  ...readOnly,
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "53", // insufficient resources: disk, memory, connections
  "55P03", // lock_not_available
  "57014", // query_canceled, as by statement_timeout
];

/** U+0000 in a `text` or in a `jsonb` value. */
const unstorable = ["22021", "22P05"];

/** True if the server undid the statement and the session can be used again. */
export function isSessionUsable(error: unknown): boolean {
  return error instanceof DatabaseError && !matches(error, [...broken, ...readOnly]);
}

export function isOutOfSpace(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === diskFull;
}

export function fromDriver(error: unknown, kind: "read" | "write"): unknown {
  if (!isDriverError(error)) return error;
  if (error instanceof DatabaseError && matches(error, unstorable)) return new UnstorableTextError(error);
  if (error instanceof DatabaseError && !matches(error, broken)) {
    return matches(error, passing)
      ? new StoreUnavailableError(error)
      : new Error("The database failed.", { cause: error });
  }
  return kind === "read" ? new StoreUnavailableError(error) : new OutcomeUnknownError(error);
}

/** The driver also throws plain errors, so all errors count as its own except those of this project and JavaScript. */
export function isDriverError(error: unknown): error is Error {
  return error instanceof Error && !others.some((type) => error instanceof type);
}

const others = [
  DuplicateUserError,
  NewerDatabaseError,
  RangeError,
  StoreNotOpenableError,
  StoreUnavailableError,
  TypeError,
  UnstorableTextError,
];

function matches({ code = "" }: DatabaseError, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => code.startsWith(prefix));
}
