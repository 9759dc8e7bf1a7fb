import { type RejectionReason, rejectionText } from "#specbind/rejection-reasons";
import { type ErrorCode, type ErrorResponse, errorResponse, invalidRequest } from "./errors.ts";

const codes = {
  route_not_found: "route_not_found",
  method_not_allowed: "method_not_allowed",
  credential_missing: "api_key_missing",
  credential_invalid: "api_key_invalid",
  role_missing: "api_key_kind_forbidden",
  content_too_large: "content_too_large",
  media_type_unsupported: "unsupported_media_type",
  content_coding_unsupported: "unsupported_media_type",
  malformed_content: "malformed_content",
  request_invalid: "request_invalid",
  not_implemented: "internal_error",
  failed: "internal_error",
} as const satisfies Record<Exclude<RejectionReason["reason"], "request_malformed">, ErrorCode>;

/** Input that is not HTTP has one of four statuses. */
type Rejected = Omit<ErrorResponse<ErrorCode>, "status"> & { readonly status: number };

export function rejectionResponse(detail: RejectionReason, requestId: string): Rejected {
  if (detail.reason === "request_malformed") {
    const { status, message } = detail;
    const code = status === 501 ? "method_not_allowed" : "malformed_request";
    return { ...errorResponse(code, requestId, { message }), status };
  }
  if (detail.reason === "request_invalid") return invalidRequest(requestId, detail.problems);
  return errorResponse(codes[detail.reason], requestId, {
    message: rejectionText(detail),
    headers: detail.reason === "method_not_allowed" ? { Allow: detail.allowed.join(", ") } : {},
  });
}
