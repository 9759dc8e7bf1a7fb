/** The responses for errors that need no handler. By default, they are problem details (RFC 9457). */
import { type Contract, type ResponseContracts, responseFor } from "#specbind/contract";
import type { PlainResponse } from "../contract/response.ts";
import {
  listedProblems,
  type RejectionReason,
  type RequestProblem,
  rejectionText,
} from "../shared/rejection-reasons.ts";

/** An error, before it becomes a response. Callers see it, so it must not contain internals. */
export interface PublicError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
  readonly problems?: readonly RequestProblem[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes the response for an error, with its status and its headers. */
export type ErrorEnvelope = (error: PublicError) => PlainResponse;

type Reject = (detail: RejectionReason, requestId: string, documented?: ResponseContracts) => PlainResponse;

const errors = {
  content_coding_unsupported: [
    415,
    "unsupported_media_type",
    "The operation does not support the content coding.",
  ],
  content_too_large: [413, "content_too_large", "The request body is too large."],
  credential_invalid: [401, "credential_invalid", "The credential is not valid."],
  credential_missing: [401, "credential_missing", "Send a credential."],
  failed: [500, "internal_error", "The service failed. Include the request id if you report this error."],
  malformed_content: [400, "malformed_content", "The request body cannot be read."],
  media_type_unsupported: [
    415,
    "unsupported_media_type",
    "The operation does not support the media type of the request body.",
  ],
  method_not_allowed: [405, "method_not_allowed", "The path does not support this method."],
  not_implemented: [501, "not_implemented", "The operation is not implemented."],
  request_invalid: [422, "request_invalid", "The request has problems."],
  request_malformed: [400, "malformed_request", "The request is not valid HTTP."],
  role_missing: [403, "role_missing", "The credential may not call this operation."],
  route_not_found: [404, "route_not_found", "No operation has this path. Check the base URL and the path."],
} as const satisfies Record<
  RejectionReason["reason"],
  readonly [status: number, code: string, message: string]
>;

/** Returns the function that makes the responses of the contract's checks. The document does not have to describe them. */
export function errorResponses(
  { operations }: Pick<Contract, "operations">,
  envelope: ErrorEnvelope = problemDetails,
): Reject {
  const challenge = challengeOf(operations);
  return (detail, requestId, documented = {}) => {
    const [status, code, message] = errors[detail.reason];
    const error: PublicError = { status, code, message: rejectionText(detail) ?? message, requestId };
    switch (detail.reason) {
      case "method_not_allowed":
        return envelope({ ...error, headers: { Allow: detail.allowed.join(", ") } });
      case "credential_missing":
      case "credential_invalid":
        return envelope({ ...error, ...(challenge && { headers: { "WWW-Authenticate": challenge } }) });
      case "request_invalid":
        return envelope({
          ...error,
          // Documents use 422 or 400. If neither is documented, callers expect 400.
          status: responseFor(documented, 422) === undefined ? 400 : 422,
          problems: listedProblems(detail.problems),
        });
      case "request_malformed": {
        const { status, message } = detail;
        return envelope({ ...error, status, message, ...(status === 501 && { code: "method_not_allowed" }) });
      }
      default:
        return envelope(error);
    }
  };
}

/** A 401 lists the schemes that the service accepts (RFC 9110, section 15.5.2). */
function challengeOf(operations: Contract["operations"]): string {
  const credentials = Object.values(operations)
    .flatMap(({ security }) => security.flat())
    .map(({ credential = "bearer" }) => (typeof credential === "string" ? credential : "key"));
  return [
    ...(credentials.includes("bearer") ? ["Bearer"] : []),
    ...(credentials.includes("basic") ? ['Basic realm="api", charset="UTF-8"'] : []),
    ...(credentials.includes("key") ? ["ApiKey"] : []),
  ].join(", ");
}

/** An error whose code is the phrase of its status, such as `not_found`. */
export function errorOfStatus(status: number, message: string, requestId: string): PublicError {
  const title = titles[status] ?? "Error";
  return { status, code: title.toLowerCase().replaceAll(" ", "_"), message: message || title, requestId };
}

/** RFC 9457, section 4.2.1: problems of the type `about:blank` have the phrase of their status as title. */
const titles: { readonly [status: number]: string } = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
};

export function problemDetails({
  status,
  code,
  message,
  requestId,
  problems,
  headers,
}: PublicError): PlainResponse {
  return {
    status,
    headers: { "Content-Type": "application/problem+json", ...headers },
    body: {
      type: "about:blank",
      title: titles[status] ?? "Error",
      status,
      detail: message,
      code,
      request_id: requestId,
      ...(problems && { problems }),
    },
  };
}

const codes: ReadonlySet<unknown> = new Set(Object.values(errors).map(([, code]) => code));

/** The code of a response of `errorResponses` that is problem details. Undefined for all other responses. */
export function codeOfProblem(body: unknown): string | undefined {
  const { code } = (body as { code?: unknown } | undefined) ?? {};
  return codes.has(code) ? String(code) : undefined;
}
