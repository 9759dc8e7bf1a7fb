/** A request as the contract reads it, and why one is rejected before a handler is called. */

/** A value, or a promise of one if something must wait. */
export type Awaitable<T> = T | Promise<T>;

export interface RequestView {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Several headers of one name are one value, joined in their order (RFC 9110, section 5.3). */
  header(name: string): string | undefined;
  /**
   * The whole body, empty if there is none.
   *
   * @throws Refusal `content_too_large`, without reading a body that announces more than `maxBytes`
   * @throws ContentAbortedError
   */
  body(maxBytes: number): Awaitable<Uint8Array>;
  /** The address at the other end of the connection. */
  readonly peer: string | undefined;
  /** Aborted when the caller goes away before the response. */
  readonly signal: AbortSignal;
}

/** One problem of a request. `pointer` is a JSON pointer (RFC 6901) into the body, or to the parameter by its name. */
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

/** `request_malformed` is reported for input that is not an HTTP request and does not reach the contract. */
export type RefusalName = RefusalReason["reason"] | "request_malformed";

/** Ends a request early. The application decides how the response looks. */
export class Refusal extends Error {
  readonly detail: RefusalReason;

  constructor(detail: RefusalReason) {
    super(detail.reason);
    this.name = "Refusal";
    this.detail = detail;
  }
}

/** Thrown by a handler that is still to be written. */
export class NotImplemented extends Refusal {
  constructor() {
    super({ reason: "not_implemented" });
    this.name = "NotImplemented";
  }
}

/** The peer went away before the body was complete, so there is no one to respond to. */
export class ContentAbortedError extends Error {
  constructor() {
    super("the connection ended before the content did");
    this.name = "ContentAbortedError";
  }
}
