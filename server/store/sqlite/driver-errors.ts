import { StoreUnavailableError } from "../store.ts";

const full = 13;
const ioError = 10;
const busy = new Set([5 /* SQLITE_BUSY */, 6 /* SQLITE_LOCKED */]);
const unavailable = new Set([
  ...busy,
  7 /* SQLITE_NOMEM */,
  8 /* SQLITE_READONLY */,
  9 /* SQLITE_INTERRUPT */,
  ioError,
  full,
  14 /* SQLITE_CANTOPEN */,
  15 /* SQLITE_PROTOCOL */,
]);
const damaged = new Set([11 /* SQLITE_CORRUPT */, 26 /* SQLITE_NOTADB */]);

export function isBusy(error: unknown): boolean {
  return busy.has(primaryCode(error) ?? 0);
}

export function isDamaged(error: unknown): boolean {
  return damaged.has(primaryCode(error) ?? 0);
}

export function isDriverError(error: unknown): boolean {
  return resultCode(error) !== undefined;
}

export function isFull(error: unknown): boolean {
  return primaryCode(error) === full;
}

/** A quota, unlike a full disk, is reported as an I/O error. */
export function isOutOfSpace(error: unknown): boolean {
  return isFull(error) || primaryCode(error) === ioError;
}

export function fromDriver(error: unknown): unknown {
  if (isClosed(error)) return new StoreUnavailableError(error);
  const code = primaryCode(error);
  if (code === undefined) return error;
  if (unavailable.has(code)) return new StoreUnavailableError(error);
  return new Error("The database failed.", { cause: error });
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_INVALID_STATE";
}

/** Returns the low byte. The other bytes of an extended code only give details, such as the kind of I/O error. */
function primaryCode(error: unknown): number | undefined {
  const code = resultCode(error);
  return code === undefined ? undefined : code & 0xff;
}

function resultCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode
    : undefined;
}
