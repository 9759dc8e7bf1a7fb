import type { RefusalReason } from "./contract/request.ts";
import { type ErrorCode, type ErrorResponse, errorResponse, invalidRequest } from "./errors.ts";

const malformedContent = {
  encoding: "The content is not valid UTF-8.",
  syntax: "The content is not valid JSON.",
  text: "A string of the content holds half of a surrogate pair.",
};

export function refusalResponse(detail: RefusalReason, requestId: string): ErrorResponse<ErrorCode> {
  switch (detail.reason) {
    case "route_not_found":
      return errorResponse("route_not_found", requestId);
    case "method_not_allowed":
      return errorResponse("method_not_allowed", requestId, {
        headers: { Allow: detail.allowed.join(", ") },
      });
    case "credential_missing":
      return errorResponse("api_key_missing", requestId);
    case "credential_invalid":
      return errorResponse("api_key_invalid", requestId);
    case "role_missing":
      return errorResponse("api_key_kind_forbidden", requestId);
    case "content_too_large":
      return errorResponse("content_too_large", requestId, {
        message: `The content is larger than ${detail.maxBytes} bytes.`,
      });
    case "media_type_unsupported":
      return errorResponse("unsupported_media_type", requestId);
    case "content_coding_unsupported":
      return errorResponse("unsupported_media_type", requestId, {
        message: "Send the content without Content-Encoding.",
      });
    case "content_malformed":
      return errorResponse("malformed_content", requestId, { message: malformedContent[detail.fault] });
    case "request_invalid":
      return invalidRequest(requestId, detail.problems);
    case "not_implemented":
    case "failed":
      return errorResponse("internal_error", requestId);
  }
}
