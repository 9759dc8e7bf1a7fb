/**
 * Why the contract refuses a request before any handler has answered it. How a refusal looks to the caller is for the
 * application to say.
 */

/** One fault of a request. `pointer` is a JSON pointer (RFC 6901) into the content, or to the parameter by its name. */
export interface RequestProblem {
  readonly in: "body" | "path" | "query" | "header" | "cookie";
  readonly pointer: string;
  readonly message: string;
}

export type RefusalReason =
  | { readonly reason: "route_not_found" }
  | { readonly reason: "method_not_allowed"; readonly allowed: readonly string[] }
  | { readonly reason: "credential_missing" }
  | { readonly reason: "credential_invalid" }
  | { readonly reason: "role_missing"; readonly needed: readonly string[] }
  | { readonly reason: "content_too_large"; readonly maxBytes: number }
  | { readonly reason: "media_type_unsupported"; readonly supported: readonly string[] }
  | { readonly reason: "content_coding_unsupported" }
  | { readonly reason: "content_malformed"; readonly fault: "encoding" | "syntax" | "text" }
  | { readonly reason: "request_invalid"; readonly problems: readonly RequestProblem[] }
  | { readonly reason: "not_implemented" }
  | { readonly reason: "failed" };

/** By name; `request_malformed` is told of what was no request of HTTP, and reached no contract. */
export type RefusalName = RefusalReason["reason"] | "request_malformed";

/** Ends a request early. */
export class Refusal extends Error {
  readonly detail: RefusalReason;

  constructor(detail: RefusalReason) {
    super(detail.reason);
    this.name = "Refusal";
    this.detail = detail;
  }
}

/** What a handler throws that is still to be written. */
export class NotImplemented extends Refusal {
  constructor() {
    super({ reason: "not_implemented" });
    this.name = "NotImplemented";
  }
}
