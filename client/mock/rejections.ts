/** Responds to invalid requests with the document's examples of errors. */

import type { components } from "../../generated/types.ts";
import type { Binding } from "../../server/contract/pipeline.ts";
import { maxProblems, rejectionText } from "../../server/contract/rejection-text.ts";
import type { RejectionReason } from "../../server/contract/request.ts";
import type { PlainResponse } from "../../server/contract/response.ts";
import { type OperationExamples, responseExamples } from "./examples.ts";

type Schemas = components["schemas"];

const codes = {
  route_not_found: "route_not_found",
  method_not_allowed: "method_not_allowed",
  credential_missing: "api_key_missing",
  credential_invalid: "api_key_invalid",
  role_missing: "api_key_kind_forbidden",
  content_too_large: "content_too_large",
  media_type_unsupported: "unsupported_media_type",
  content_coding_unsupported: "unsupported_media_type",
  content_malformed: "malformed_content",
  request_invalid: "request_invalid",
  not_implemented: "internal_error",
  failed: "internal_error",
} as const satisfies Record<RejectionReason["reason"], Schemas["ErrorCode"]>;

interface Rejecter {
  readonly reject: Binding<unknown>["reject"];
  readonly rejectPreference: (message: string, requestId: string) => PlainResponse;
}

/** @throws Error when it needs an error code that no example in the document has */
export function rejecterOf(document: object, examples: ReadonlyMap<string, OperationExamples>): Rejecter {
  const responses = [
    ...[...examples.values()].flatMap((each) => [...each.responses]),
    ...responseExamples(document, "/x-unmatched-responses"),
  ];
  const documented = new Map<string, { status: number; headers: object; body: Schemas["Error"] }>();
  for (const [status, { headers, bodies }] of responses)
    for (const example of bodies.values()) {
      // The lint rule `errors-use-the-envelope` in spec/redocly.yaml guarantees the schema of every error.
      const body = example as unknown as Schemas["Error"];
      if (!body.status && !documented.has(body.error.code))
        documented.set(body.error.code, { status: Number(status), headers, body });
    }
  const respond = (
    reason: RejectionReason["reason"],
    more: Partial<Schemas["Error"]["error"]>,
  ): PlainResponse => {
    const found = documented.get(codes[reason]);
    if (found === undefined) throw new Error(`the document has no example of ${codes[reason]}`);
    const { status, headers, body } = found;
    const { code, message } = body.error;
    return { status, headers: { ...headers }, body: { status: false, error: { code, message, ...more } } };
  };
  return {
    reject: (detail, requestId) => {
      const response = respond(detail.reason, { ...detailsOf(detail), request_id: requestId });
      if (detail.reason !== "method_not_allowed") return response;
      return { ...response, headers: { ...response.headers, Allow: detail.allowed.join(", ") } };
    },
    rejectPreference: (message, requestId) => respond("route_not_found", { message, request_id: requestId }),
  };
}

function detailsOf(detail: RejectionReason): Partial<Schemas["Error"]["error"]> {
  const message = rejectionText(detail);
  return {
    ...(message !== undefined && { message }),
    ...(detail.reason === "request_invalid" && { problems: detail.problems.slice(0, maxProblems) }),
  };
}
