import type { RejectionReason } from "./request.ts";

/** The greatest number of problems in a response. Without a limit, the response could be larger than the request. */
export const maxProblems = 100;

const malformed = {
  encoding: "The request body is not valid UTF-8.",
  syntax: "The request body is not valid JSON.",
  text: "A string in the request body contains half of a surrogate pair.",
};

/** The public error message, if it depends on the request. */
export function rejectionText(detail: RejectionReason): string | undefined {
  switch (detail.reason) {
    case "content_too_large":
      return `The request body is larger than ${detail.maxBytes} bytes.`;
    case "content_coding_unsupported":
      return "Send the request body without Content-Encoding.";
    case "content_malformed":
      return malformed[detail.problem];
    case "request_invalid":
      return problemCount(detail.problems.length);
    default:
      return undefined;
  }
}

/** Validators stop at the limit, so the exact number of problems may be unknown. */
export function problemCount(count: number): string {
  return count > maxProblems
    ? `The request has more than ${maxProblems} problems. The first ${maxProblems} are listed.`
    : `The request has ${count} ${count === 1 ? "problem" : "problems"}.`;
}
