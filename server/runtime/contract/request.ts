/** A promise only if the result is not available immediately. */
export type Awaitable<T> = T | Promise<T>;

export interface RequestView {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Several headers of one name are joined in their order (RFC 9110, section 5.3). */
  header(name: string): string | undefined;
  /**
   * Returns the whole body. It is empty if the request has no body.
   *
   * @throws Rejection `content_too_large`. If Content-Length is over `maxBytes`, the body is not read
   * @throws ContentAbortedError
   */
  body(maxBytes: number): Awaitable<Uint8Array>;
  readonly peer: string | undefined;
  /** Aborted if the caller disconnects before the response. */
  readonly signal: AbortSignal;
  /**
   * Ends the connection, so the caller notices that a response is incomplete. Returns false if there is no
   * connection.
   */
  cutOff?(): boolean;
}

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
  | { readonly reason: "credential_invalid" }
  | { readonly reason: "role_missing"; readonly needed: readonly string[] }
  | { readonly reason: "content_too_large"; readonly maxBytes: number }
  | { readonly reason: "media_type_unsupported"; readonly supported: readonly string[] }
  | { readonly reason: "content_coding_unsupported" }
  | { readonly reason: "content_malformed"; readonly problem: "encoding" | "syntax" | "multipart" | "text" }
  | { readonly reason: "request_invalid"; readonly problems: readonly RequestProblem[] }
  | { readonly reason: "not_implemented" }
  | { readonly reason: "failed" };

/** `request_malformed` means that the input was not HTTP, so it did not reach the contract. */
export type RejectionName = RejectionReason["reason"] | "request_malformed";

export class Rejection extends Error {
  readonly detail: RejectionReason;

  constructor(detail: RejectionReason) {
    super(detail.reason);
    this.detail = detail;
  }
}

/** Thrown by a handler that is not written yet. */
export class NotImplemented extends Rejection {
  constructor() {
    super({ reason: "not_implemented" });
  }
}

/** The caller disconnected before the body was complete, so nobody would receive a response. */
export class ContentAbortedError extends Error {}
