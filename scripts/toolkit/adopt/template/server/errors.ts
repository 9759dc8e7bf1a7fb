/** The errors that need no handler, with status and public text, as problem details (RFC 9457). */
import { STATUS_CODES } from "node:http";
import type { RequestProblem } from "#specbind/rejection-reasons";
import type { PlainResponse } from "#specbind/server";

const errors = {
  content_too_large: { status: 413, message: "The request body is too large." },
  credential_invalid: { status: 401, message: "The credential is not valid." },
  credential_missing: { status: 401, message: "Send a credential." },
  internal_error: {
    status: 500,
    message: "The service failed. Include the request id if you report this error.",
  },
  malformed_content: { status: 400, message: "The request body cannot be read." },
  malformed_request: { status: 400, message: "The request is not valid HTTP." },
  method_not_allowed: { status: 405, message: "The path does not support this method." },
  not_implemented: { status: 501, message: "The operation is not implemented." },
  request_invalid: { status: 422, message: "The request has problems." },
  role_missing: { status: 403, message: "The credential may not call this operation." },
  route_not_found: { status: 404, message: "No operation has this path. Check the base URL and the path." },
  unsupported_media_type: {
    status: 415,
    message: "The operation does not support the media type of the request body.",
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errors;

export interface ProblemDetails {
  readonly type: "about:blank";
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly request_id: string;
  readonly problems?: readonly RequestProblem[];
}

export interface ErrorDetails {
  readonly status?: number;
  /** Replaces the table's text. Callers see it, so it must not contain internals. */
  readonly message?: string | undefined;
  readonly problems?: readonly RequestProblem[];
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ErrorResponse extends PlainResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ProblemDetails;
}

export function errorResponse(code: ErrorCode, requestId: string, details: ErrorDetails = {}): ErrorResponse {
  const { status = errors[code].status, message = errors[code].message, problems, headers } = details;
  return {
    status,
    headers: { "Content-Type": "application/problem+json", ...headers },
    body: {
      type: "about:blank",
      title: STATUS_CODES[status] ?? "Error",
      status,
      detail: message,
      code,
      request_id: requestId,
      ...(problems && { problems }),
    },
  };
}

export function errorCodeOf(body: unknown): ErrorCode | undefined {
  const { code } = (body as { code?: unknown } | undefined) ?? {};
  return typeof code === "string" && Object.hasOwn(errors, code) ? (code as ErrorCode) : undefined;
}
