/** The status and the public message of every error code in the spec, and the envelope of errors. */
import { listedProblems, problemCount } from "#specbind/rejection-reasons";
import type { components } from "../generated/types.ts";

export type Problem = components["schemas"]["Problem"];

export const errors = {
  api_key_invalid: { status: 401, message: "The API key is mistyped, unknown, expired or revoked." },
  api_key_kind_forbidden: {
    status: 403,
    message: "The API key may not call this operation. Use a secret key that may call it.",
  },
  api_key_missing: { status: 401, message: 'Send the header "Authorization: Bearer <API_KEY>".' },
  auth_flow_unsupported: {
    status: 422,
    message: "The authentication flow is not supported. Send auth_type 3, mobile and password.",
  },
  content_too_large: { status: 413, message: "The request body is too large." },
  credentials_invalid: { status: 401, message: "The mobile number, the password or the type is wrong." },
  internal_error: {
    status: 500,
    message: "The service failed. Include the request id if you report this error.",
  },
  malformed_content: { status: 400, message: "The request body is not valid JSON." },
  malformed_request: { status: 400, message: "The request is not valid HTTP." },
  method_not_allowed: { status: 405, message: "The path does not support this method." },
  request_invalid: { status: 422, message: "The request has problems." },
  route_not_found: { status: 404, message: "No operation has this path. Check the base URL and the path." },
  too_many_attempts: { status: 429, message: "Too many login attempts. Try again later." },
  totp_invalid: { status: 401, message: "The TOTP code is wrong or was used before." },
  totp_required: { status: 401, message: "The account requires a TOTP code. Send it as `token`." },
  unavailable: { status: 503, message: "The service is temporarily unavailable. Try again later." },
  unsupported_media_type: {
    status: 415,
    message: 'Send the request body with the header "Content-Type: application/json".',
  },
  webhook_not_found: { status: 404, message: "There is no such webhook." },
} as const satisfies Record<components["schemas"]["ErrorCode"], { status: number; message: string }>;

/** The codes of the table. If it lacks a code of the spec, the compiler reports only the table. */
export type ErrorCode = keyof typeof errors;

type ErrorHeaders = Readonly<Record<string, string | number>>;

export interface ErrorDetails<Headers extends ErrorHeaders> {
  /** Replaces the message of the code. It is public, so it must not contain internals. */
  readonly message?: string | undefined;
  readonly problems?: readonly Problem[];
  readonly headers?: Headers;
}

type StatusOf<Code extends ErrorCode> = (typeof errors)[Code]["status"];

/** Discriminated by `status`. */
export type ErrorResponse<Code extends ErrorCode, Headers = unknown> = Code extends ErrorCode
  ? {
      readonly status: StatusOf<Code>;
      readonly body: components["schemas"]["Error"];
      readonly headers: ErrorHeaders & Headers & (StatusOf<Code> extends 401 ? typeof challenge : unknown);
    }
  : never;

/** A 401 must contain the accepted authentication scheme (RFC 9110, section 15.5.2). */
const challenge = { "WWW-Authenticate": "Bearer" };

export function errorResponse<
  Code extends ErrorCode,
  const Headers extends ErrorHeaders = Record<never, never>,
>(
  code: Code,
  requestId: string,
  { message, problems, headers }: ErrorDetails<Headers> = {},
): ErrorResponse<Code, Headers> {
  const { status, message: text } = errors[code];
  const error = {
    code,
    message: message ?? text,
    request_id: requestId,
    ...(problems && { problems: [...problems] }),
  };
  const body: components["schemas"]["Error"] = { status: false, error };
  // The cast is safe, because `errors[code]` determines status and headers at run time and in the type.
  return { status, body, headers: { ...(status === 401 && challenge), ...headers } } as ErrorResponse<
    Code,
    Headers
  >;
}

export function errorCodeOf(body: unknown): ErrorCode | undefined {
  const { code } = (body as { error?: { code?: unknown } } | undefined)?.error ?? {};
  return typeof code === "string" && Object.hasOwn(errors, code) ? (code as ErrorCode) : undefined;
}

export function invalidRequest(
  requestId: string,
  problems: readonly Problem[],
): ErrorResponse<"request_invalid"> {
  return errorResponse("request_invalid", requestId, {
    message: problemCount(problems.length),
    problems: listedProblems(problems),
  });
}
