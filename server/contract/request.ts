/** A promise only if something must wait. */
export type Awaitable<T> = T | Promise<T>;

export interface RequestView {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Several headers of one name are joined in their order (RFC 9110, section 5.3). */
  header(name: string): string | undefined;
  /**
   * The whole body, empty if there is none.
   *
   * @throws Rejection `content_too_large`, without reading a body whose announced length is over `maxBytes`
   * @throws ContentAbortedError
   */
  body(maxBytes: number): Awaitable<Uint8Array>;
  readonly peer: string | undefined;
  /** Aborted when the caller goes away before the response. */
  readonly signal: AbortSignal;
  /** Ends the connection, so the caller notices that a response is incomplete. Returns false if there is none. */
  cutOff?(): boolean;
}

/** `pointer` is a JSON pointer (RFC 6901) into the body, or to the parameter by its name. */
export interface RequestProblem {
  readonly in: "body" | "path" | "query" | "header" | "cookie";
  readonly pointer: string;
  readonly message: string;
}

export type RejectionReason =
  | { readonly reason: "route_not_found" }
  | { readonly reason: "method_not_allowed"; readonly allowed: readonly string[] }
  | { readonly reason: "credential_missing" }
  | { readonly reason: "credential_invalid" }
  | { readonly reason: "role_missing"; readonly needed: readonly string[] }
  | { readonly reason: "content_too_large"; readonly maxBytes: number }
  | { readonly reason: "media_type_unsupported"; readonly supported: readonly string[] }
  | { readonly reason: "content_coding_unsupported" }
  | { readonly reason: "content_malformed"; readonly problem: "encoding" | "syntax" | "text" }
  | { readonly reason: "request_invalid"; readonly problems: readonly RequestProblem[] }
  | { readonly reason: "not_implemented" }
  | { readonly reason: "failed" };

/** `request_malformed` is for input that is not HTTP and does not reach the contract. */
export type RejectionName = RejectionReason["reason"] | "request_malformed";

export class Rejection extends Error {
  readonly detail: RejectionReason;

  constructor(detail: RejectionReason) {
    super(detail.reason);
    this.name = "Rejection";
    this.detail = detail;
  }
}

/** Thrown by a handler that is not written yet. */
export class NotImplemented extends Rejection {
  constructor() {
    super({ reason: "not_implemented" });
    this.name = "NotImplemented";
  }
}

/** The peer went away before the body was complete, so there is no one to respond to. */
export class ContentAbortedError extends Error {
  constructor() {
    super("the connection ended before the request body was complete");
    this.name = "ContentAbortedError";
  }
}
