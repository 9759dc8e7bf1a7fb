/** The errors that the client throws, and the way to have failed results thrown. */
import { type CallProblem, toldOf } from "./problems.ts";
import type { AnyFailure, AnyResult } from "./result.ts";

/** A failed call, thrown by {@link unwrap}. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The HTTP status. */
  readonly status: number;
  /** The error's code, where the response is a documented one. A newer server may send codes that the types lack. */
  readonly code: string | undefined;
  readonly requestId: string;
  /** The documented error, or the raw text of an undocumented response. */
  readonly body: unknown;
  /** The response itself, for its headers. */
  readonly response: Response;

  constructor(result: AnyFailure) {
    const undocumented = result.status === "undocumented";
    const status = undocumented ? result.error.httpStatus : result.status;
    const { code, message } = undocumented ? {} : errorOf(result.error);
    super(message ?? `the server answered ${status}${undocumented ? ", which is undocumented" : ""}`);
    this.status = status;
    this.code = code;
    this.requestId = result.requestId;
    this.body = undocumented ? result.error.text : result.error;
    this.response = result.response;
  }
}

/** A client cannot be made of these options. */
export class ConfigurationError extends TypeError {
  override readonly name = "ConfigurationError";
  /** Every fault, with its place. */
  readonly problems: readonly CallProblem[];

  constructor(problems: readonly CallProblem[]) {
    super(`createClient: ${toldOf(problems)}`);
    this.problems = problems;
  }
}

/** A call that came to no result. Never an answer of the server: those are results. */
export class CallError extends Error {
  readonly operationId: string;
  /** What the request carried as `X-Request-Id`; undefined where nothing was sent. */
  readonly requestId: string | undefined;

  constructor(
    operationId: string,
    requestId: string | undefined,
    message: string,
    options?: { cause: unknown },
  ) {
    super(`${operationId}: ${message}`, options);
    this.operationId = operationId;
    this.requestId = requestId;
  }
}

/**
 * No whole response came: no connection, or one that broke off. Whether the server carried the call out is unknown.
 * `cause` is what the platform said.
 */
export class ConnectionError extends CallError {
  override readonly name = "ConnectionError";

  constructor(operationId: string, requestId: string, cause: unknown) {
    super(operationId, requestId, `no whole response came (${reasonOf(cause)})`, { cause });
  }
}

/** The call took longer than its `timeoutMs`. Whether the server carried it out is unknown. */
export class TimeoutError extends CallError {
  override readonly name = "TimeoutError";
}

/** The answer was longer than `maxResponseBytes`, and the rest of it was not read. */
export class ResponseTooLargeError extends CallError {
  override readonly name = "ResponseTooLargeError";
}

/** The call could only have been sent wrongly, and was not sent. */
export class InvalidCallError extends CallError {
  override readonly name = "InvalidCallError";
  /** Every fault, with its place. */
  readonly problems: readonly CallProblem[];

  constructor(operationId: string, problems: readonly CallProblem[]) {
    super(operationId, undefined, toldOf(problems));
    this.problems = problems;
  }
}

/** The operation needs content with a method that this transport cannot send content with, as in every browser. */
export class ContentNotSendableError extends CallError {
  override readonly name = "ContentNotSendableError";

  constructor(operationId: string, method: string) {
    super(
      operationId,
      undefined,
      `needs content with ${method}, which fetch cannot send: call it from Node, or through a server`,
    );
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

/** As much of a documented error as makes a message. */
interface ErrorBody {
  readonly error?: {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly problems?: unknown;
  };
}

/** The first few faults stand in the message, for whoever reads it; all of them are in the body. */
function errorOf(body: unknown): { code?: string; message?: string } {
  const { code, message, problems } = (body as ErrorBody | null)?.error ?? {};
  const faults = Array.isArray(problems) ? problems.flatMap((each) => each ?? []) : [];
  const told = `${toldOf(faults.slice(0, 3))}${faults.length > 3 ? "; …" : ""}`;
  return {
    ...(typeof code === "string" && { code }),
    ...(typeof message === "string" && { message: told ? `${message} (${told})` : message }),
  };
}

/** Fetch says no more than "fetch failed" and puts the reason below. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message;
}
