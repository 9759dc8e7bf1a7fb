/** The errors that the client throws, and the way to have failed results thrown. */
import type { AnyFailure, AnyResult } from "./result.ts";

/** A failed call, thrown by {@link unwrap}. */
export class ApiError extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** The error's code, where the response is a documented one. A newer server may send codes that the types lack. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  /** The documented error, or the raw text of an undocumented response. */
  readonly body: unknown;

  constructor(result: AnyFailure) {
    const undocumented = result.status === "undocumented";
    const status = undocumented ? result.error.httpStatus : result.status;
    const { code, message } = undocumented ? {} : errorOf(result.error);
    super(
      message ??
        `the server answered ${status}${undocumented ? ", which its interface does not describe" : ""}`,
    );
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.requestId = result.requestId;
    this.body = undocumented ? result.error.text : result.error;
  }
}

/**
 * No whole response came: no connection, or one that broke off. Whether the server carried the call out is unknown.
 * `cause` is what the platform said.
 */
export class ConnectionError extends Error {
  readonly operationId: string;

  constructor(operationId: string, cause: unknown) {
    super(`${operationId}: no whole response came (${reasonOf(cause)})`, { cause });
    this.name = "ConnectionError";
    this.operationId = operationId;
  }
}

/** The operation needs content with a method that this transport cannot send content with, as in every browser. */
export class ContentNotSendableError extends Error {
  readonly operationId: string;

  constructor(operationId: string, method: string) {
    super(
      `${operationId} needs content with ${method}, which fetch cannot send. Call it from Node, or through a server of yours.`,
    );
    this.name = "ContentNotSendableError";
    this.operationId = operationId;
  }
}

type DataOf<Result> = Result extends { readonly data: infer Data; readonly error?: undefined } ? Data : never;

/**
 * The `data` of a result, or of one that is still to come.
 *
 * @throws ApiError where the call failed
 */
export async function unwrap<Result extends AnyResult>(
  result: Result | Promise<Result>,
): Promise<DataOf<Result>> {
  const settled: AnyResult = await result;
  if (settled.error !== undefined) throw new ApiError(settled);
  // The one variant of Result without an error is the one with its data.
  return settled.data as DataOf<Result>;
}

function errorOf(body: unknown): { code?: string; message?: string } {
  if (typeof body !== "object" || body === null || !("error" in body)) return {};
  const { error } = body;
  if (typeof error !== "object" || error === null) return {};
  return {
    ...("code" in error && typeof error.code === "string" && { code: error.code }),
    ...("message" in error && typeof error.message === "string" && { message: error.message }),
  };
}

/** Fetch says no more than "fetch failed" and puts the reason below. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message;
}
