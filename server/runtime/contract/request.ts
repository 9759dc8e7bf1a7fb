import type { RejectionReason } from "../shared/rejection-reasons.ts";
import type { Awaitable } from "./awaitable.ts";

export interface RequestView {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** The context of the app that serves the contract. */
  readonly c?: unknown;
  /** Several headers of one name are joined in their order (RFC 9110, section 5.3). */
  header(name: string): string | undefined;
  /**
   * Returns the whole body. It is empty if the request has no body.
   *
   * @throws Rejection `content_too_large`. If Content-Length is over `maxBytes`, the body is not read
   * @throws BodyAbortedError
   */
  body(maxBytes: number): Awaitable<Uint8Array>;
  readonly peer: string | undefined;
  /** The certificate that the caller has sent by TLS, in PEM format. It is "" if no trusted authority has issued it. */
  certificate?(): string | undefined;
  /** Aborted if the caller disconnects before the response. */
  readonly signal: AbortSignal;
  /**
   * Ends the connection, so the caller notices that a response is incomplete. Returns false if there is no
   * connection.
   */
  cutOff?(): boolean;
}

/** Returns the view of a request whose body has been read. */
export function viewOfRequest({ url, method, headers, signal }: Request, body: Uint8Array): RequestView {
  const { pathname, search } = new URL(url);
  return {
    method,
    path: pathname,
    query: search.slice(1),
    header: (name) => headers.get(name) ?? undefined,
    body: (maxBytes) => {
      if (body.byteLength > maxBytes) throw new Rejection({ reason: "content_too_large", maxBytes });
      return body;
    },
    peer: undefined,
    signal,
  };
}

export type RejectionName = RejectionReason["reason"];

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

/** A handler that is not written yet. */
export function notImplemented(): never {
  throw new NotImplemented();
}

/** The caller disconnected before the body was complete, so nobody would receive a response. */
export class BodyAbortedError extends Error {}
