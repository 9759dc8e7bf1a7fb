/** What the contract needs to know of a request. */
import type { Awaitable } from "./awaitable.ts";

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
