/** Every error code of the spec with its status and its public text, in one table, and the one envelope they come in. */
import type { components } from "../generated/types.ts";

export type ErrorCode = components["schemas"]["ErrorCode"];
export type Problem = components["schemas"]["Problem"];

const errors = {
  api_key_invalid: { status: 401, message: "The API key is not valid." },
  api_key_kind_forbidden: {
    status: 403,
    message: "A publishable key may not call this operation. Use a secret key.",
  },
  api_key_missing: { status: 401, message: 'Send the header "Authorization: Bearer <API_KEY>".' },
  auth_flow_unsupported: {
    status: 422,
    message: "The authentication flow is not supported. Send auth_type 3, mobile and password.",
  },
  content_too_large: { status: 413, message: "The content is too large." },
  credentials_invalid: { status: 401, message: "The mobile number, the password or the type is wrong." },
  internal_error: {
    status: 500,
    message: "The service failed. Quote the request id when asking for help.",
  },
  malformed_content: { status: 400, message: "The content is not valid JSON." },
  malformed_request: { status: 400, message: "The request is not valid HTTP." },
  method_not_allowed: { status: 405, message: "The address does not take this method." },
  request_invalid: { status: 422, message: "The request has faults." },
  route_not_found: { status: 404, message: "No operation has this address." },
  too_many_attempts: { status: 429, message: "Too many login attempts. Try again later." },
  totp_invalid: { status: 401, message: "The TOTP code is wrong or was used before." },
  totp_required: { status: 401, message: "The account asks for a TOTP code. Send it as `token`." },
  unavailable: { status: 503, message: "The service is unavailable for the moment. Try again later." },
  unsupported_media_type: {
    status: 415,
    message: 'Send the content with the header "Content-Type: application/json".',
  },
  webhook_not_found: { status: 404, message: "There is no such webhook." },
} as const satisfies Record<ErrorCode, { status: number; message: string }>;

/** The codes with their statuses. */
export const errorStatuses: Readonly<Record<ErrorCode, number>> = Object.freeze(
  Object.fromEntries(Object.entries(errors).map(([code, { status }]) => [code, status])) as Record<
    ErrorCode,
    number
  >,
);

export interface ErrorDetails {
  /** Replaces the text of the table. Public: it names nothing of the inside. */
  readonly message?: string;
  readonly problems?: Problem[];
  readonly headers?: Readonly<Record<string, string | number>>;
}

export interface ErrorResponse<Code extends ErrorCode> {
  readonly status: (typeof errors)[Code]["status"];
  readonly body: components["schemas"]["Error"];
  readonly headers: Readonly<Record<string, string | number>>;
}

/** The response for an error. A 401 names the scheme that the service accepts (RFC 9110, section 15.5.2). */
export function errorResponse<Code extends ErrorCode>(
  code: Code,
  requestId: string,
  { message, problems, headers }: ErrorDetails = {},
): ErrorResponse<Code> {
  const { status, message: text } = errors[code];
  return {
    status,
    body: {
      status: false,
      error: { code, message: message ?? text, request_id: requestId, ...(problems && { problems }) },
    },
    headers: { ...(status === 401 && { "WWW-Authenticate": "Bearer" }), ...headers },
  };
}

/** The response for values that break the interface: every fault, with its place. */
export function invalidRequest(
  requestId: string,
  problems: readonly Problem[],
): ErrorResponse<"request_invalid"> {
  const message = `The request has ${problems.length} ${problems.length === 1 ? "fault" : "faults"}.`;
  return errorResponse("request_invalid", requestId, { message, problems: [...problems] });
}
