/** Makes the error responses of the contract's checks. The document does not have to describe them. */
import { type Contract, type ResponseContracts, responseFor } from "#specbind/contract";
import { listedProblems, type RejectionReason, rejectionText } from "#specbind/rejection-reasons";
import { contract } from "../generated/contract.ts";
import { type ErrorResponse, errorResponse } from "./errors.ts";

/** A 401 lists the schemes that the service accepts (RFC 9110, section 15.5.2). */
const { operations }: Contract = contract;
const schemes = new Set(
  Object.values(operations)
    .flatMap(({ security }) => security.flat())
    .map(({ credential = "bearer" }) => (typeof credential === "string" ? credential : "key")),
);
const challenge = [
  ...(schemes.has("bearer") ? ["Bearer"] : []),
  ...(schemes.has("basic") ? ['Basic realm="api", charset="UTF-8"'] : []),
  ...(schemes.has("key") ? ["ApiKey"] : []),
].join(", ");

/** @param documented the document's responses for the operation, or for unknown routes */
export function rejectionResponse(
  detail: RejectionReason,
  requestId: string,
  documented: ResponseContracts = {},
): ErrorResponse {
  const message = rejectionText(detail);
  switch (detail.reason) {
    case "method_not_allowed":
      return errorResponse("method_not_allowed", requestId, {
        headers: { Allow: detail.allowed.join(", ") },
      });
    case "credential_missing":
    case "credential_invalid":
      return errorResponse(detail.reason, requestId, { headers: { "WWW-Authenticate": challenge } });
    case "media_type_unsupported":
      return errorResponse("unsupported_media_type", requestId, {
        message: `Send the request body as ${detail.supported.join(" or ")}, with this Content-Type.`,
      });
    case "content_coding_unsupported":
      return errorResponse("unsupported_media_type", requestId, { message });
    case "malformed_content":
      return errorResponse("malformed_content", requestId, { message });
    case "request_invalid":
      return errorResponse("request_invalid", requestId, {
        message,
        // Documents use 422 or 400. If neither is documented, callers expect 400.
        status: responseFor(documented, 422) === undefined ? 400 : 422,
        problems: listedProblems(detail.problems),
      });
    case "request_malformed":
      return errorResponse(
        detail.status === 501 ? "method_not_allowed" : "malformed_request",
        requestId,
        detail,
      );
    case "failed":
      return errorResponse("internal_error", requestId);
    case "content_too_large":
    case "route_not_found":
    case "role_missing":
    case "not_implemented":
      return errorResponse(detail.reason, requestId, { message });
  }
}
