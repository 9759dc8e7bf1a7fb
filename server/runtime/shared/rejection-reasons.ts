/** Why a request was rejected before its handler ran, and what its caller is told. */

/** `pointer` is a JSON pointer (RFC 6901) into the body, or `/` and the name of the parameter. */
export interface RequestProblem {
  readonly in: "body" | "path" | "query" | "header" | "cookie";
  readonly pointer: string;
  readonly message: string;
}

export type RejectionReason =
  | { readonly reason: "route_not_found"; readonly message?: string }
  | { readonly reason: "method_not_allowed"; readonly allowed: readonly string[] }
  | { readonly reason: "credential_missing" }
  | { readonly reason: "credential_invalid"; readonly message?: string }
  | { readonly reason: "role_missing"; readonly needed: readonly string[] }
  | { readonly reason: "content_too_large"; readonly maxBytes: number }
  | { readonly reason: "media_type_unsupported"; readonly supported: readonly string[] }
  | { readonly reason: "content_coding_unsupported" }
  | { readonly reason: "malformed_content"; readonly problem: "encoding" | "syntax" | "multipart" | "text" }
  | { readonly reason: "request_invalid"; readonly problems: readonly RequestProblem[] }
  | { readonly reason: "not_implemented" }
  | { readonly reason: "failed" }
  /** The input was not HTTP, so it did not reach the contract. */
  | { readonly reason: "request_malformed"; readonly status: number; readonly message: string };

/** The greatest number of problems in a response. Without a limit, the response could be larger than the request. */
const maxProblems = 100;
/** The greatest length of a pointer in a response. Callers choose the names of unknown properties. */
const maxPointer = 1000;

const malformed = {
  encoding: "The request body is not valid UTF-8.",
  syntax: "The request body is not valid JSON.",
  multipart: "The request body is not valid multipart/form-data.",
  text: "A string in the request body contains half of a surrogate pair.",
};

/** The public error message, if it depends on the request. */
export function rejectionText(detail: RejectionReason): string | undefined {
  switch (detail.reason) {
    case "route_not_found":
    case "credential_invalid":
      return detail.message;
    case "content_too_large":
      return `The request body is larger than ${detail.maxBytes} bytes.`;
    case "media_type_unsupported":
      return `Send the request body as ${detail.supported.join(" or ")}, with this Content-Type.`;
    case "content_coding_unsupported":
      return "Send the request body without Content-Encoding.";
    case "malformed_content":
      return malformed[detail.problem];
    case "request_invalid":
      return problemCount(detail.problems.length);
    default:
      return undefined;
  }
}

/** A pointer that is cut ends neither with half of an escape (RFC 6901, section 3) nor with half of a surrogate pair. */
export function listedProblems<Each extends { readonly pointer: string }>(problems: readonly Each[]): Each[] {
  return problems.slice(0, maxProblems).map((problem) => {
    if (problem.pointer.length <= maxPointer) return problem;
    const start = problem.pointer.slice(0, maxPointer).replace(/[~\ud800-\udbff]$/, "");
    return { ...problem, pointer: `${start}…` };
  });
}

/** Validators stop at the limit, so the exact number of problems may be unknown. */
export function problemCount(count: number): string {
  return count > maxProblems
    ? `The request has more than ${maxProblems} problems. The first ${maxProblems} are listed.`
    : `The request has ${count} ${count === 1 ? "problem" : "problems"}.`;
}
