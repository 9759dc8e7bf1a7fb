import { isBrowser } from "./platform.ts";
import { type CallProblem, problemText } from "./problems.ts";
import { type AnyFailure, type AnyResult, parsedJson } from "./result.ts";

/** A failed call, thrown by {@link unwrap}. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  declare readonly operationId: string;
  declare readonly status: number;
  /** Undefined if the response has none. A newer server may send codes that are not in the types. */
  declare readonly code: string | undefined;
  declare readonly requestId: string;
  /** The URL that was called, without its query. */
  declare readonly url: string;
  /** The documented error, or the raw text of an undocumented response. */
  declare readonly body: unknown;
  /** Not enumerable, because a log of the error would contain all of its internals. */
  declare readonly response: Response;

  constructor(result: AnyFailure) {
    const { operationId, requestId, response } = result;
    const isUndocumented = result.status === "undocumented";
    const { status } = response;
    const body = isUndocumented ? result.error.text : result.error;
    const url = response.url.replace(/\?.*/, "");
    const [code, message] = errorOf(
      isUndocumented ? parsedJson(new TextEncoder().encode(result.error.text)) : body,
    );
    const origin = isUndocumented ? `: undocumented response from ${url}` : "";
    super(
      `${operationId} failed: ${status}${code ? ` ${code}` : ""}${origin}${message ? `: ${message}` : ""}`,
    );
    Object.assign(this, { operationId, status, code, requestId, url, body });
    Object.defineProperty(this, "response", { value: response });
  }
}

/** The options are not valid, so no client was created. */
export class ConfigurationError extends TypeError {
  override readonly name = "ConfigurationError";
  declare readonly problems: readonly CallProblem[];

  constructor(problems: readonly CallProblem[], maker = "createClient") {
    super(`${maker}: ${problemText(problems)}`);
    this.problems = problems;
  }
}

/** A call failed without a result. Never thrown for a response of the server, because each response is a result. */
export class CallError extends Error {
  declare readonly operationId: string;
  /** The `X-Request-Id` of the request, or undefined if nothing was sent. */
  declare readonly requestId: string | undefined;

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
 * No complete response arrived, because the connection failed or broke. The server may have processed the call.
 * `cause` is the platform's error.
 */
export class ConnectionError extends CallError {
  override readonly name = "ConnectionError";

  constructor(operationId: string, requestId: string, baseUrl: string, cause: unknown) {
    const reason = `no complete response arrived from ${baseUrl} (${reasonOf(cause)})`;
    // A page cannot see whether CORS was the cause.
    const hint = isBrowser() ? ". Does it allow this page's origin (CORS)?" : "";
    super(operationId, requestId, reason + hint, { cause });
  }
}

/** The call took longer than its `timeoutMs`. The server may have processed it. */
export class TimeoutError extends CallError {
  override readonly name = "TimeoutError";
}

/** The response was longer than `maxResponseBytes`. The rest of it was not read. */
export class ResponseTooLargeError extends CallError {
  override readonly name = "ResponseTooLargeError";
}

/** The call is invalid and was not sent. */
export class InvalidCallError extends CallError {
  override readonly name = "InvalidCallError";
  declare readonly problems: readonly CallProblem[];

  constructor(operationId: string, problems: readonly CallProblem[]) {
    super(operationId, undefined, problemText(problems));
    this.problems = problems;
  }
}

/** The operation needs a request body that this transport cannot send. No browser can send one with GET. */
export class BodyNotSendableError extends CallError {
  override readonly name = "BodyNotSendableError";

  constructor(operationId: string, method: string) {
    super(operationId, undefined, `fetch cannot send a body with ${method}`);
  }
}

type DataOf<Result> = Result extends { readonly data: infer Data; readonly error?: undefined } ? Data : never;

/**
 * Returns the `data` of a result, or of a promise that resolves to a result.
 *
 * @throws ApiError if the call failed
 */
export async function unwrap<Result extends AnyResult>(
  result: Result | Promise<Result>,
): Promise<DataOf<Result>> {
  const settled: AnyResult = await result;
  if (!settled?.operationId) throw new TypeError(`unwrap needs a result, not data: ${typeof settled}`);
  if (settled.error !== undefined) throw new ApiError(settled);
  // Success is the only variant of Result without an error.
  return settled.data as DataOf<Result>;
}

/** Reads problem details (RFC 9457), or the envelope `{ error: { code, message } }`. */
function errorOf(body: unknown): [code: string | undefined, message: string | undefined] {
  const { code, title, detail = title, message = detail, problems } = Object(Object(body).error ?? body);
  const listed = Array.isArray(problems) ? problems.flatMap((each) => each ?? []) : [];
  const details = `${problemText(listed.slice(0, 3))}${listed.length > 3 ? "; …" : ""}`;
  return [
    typeof code === "string" ? code : undefined,
    typeof message === "string" ? (details ? `${message} (${details})` : message) : undefined,
  ];
}

/** Also returns the reason that is in the `cause`, because the message of fetch's error is only "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message, code } = error as Error & { code?: string };
  // OpenSSL's message ends with a line break. The message is empty if all addresses of a host refuse.
  const own = message.trim() || `${code}`;
  return cause ? `${own}: ${reasonOf(cause)}` : own;
}
