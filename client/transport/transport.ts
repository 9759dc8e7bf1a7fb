/** What sends requests, chosen by package conditions: `#transport` is node.ts in Node and fetch.ts everywhere else. */
import type { ClientOptions } from "../options.ts";
import type { Answer } from "../result.ts";

/** @internal */
export interface Transport {
  /** The class of its requests. */
  readonly Request: typeof Request;
  /**
   * The class of requests that neither middleware nor a hook sees, if it has one of its own. Their content is the one that
   * `copy` is given, which is text.
   */
  readonly UnseenRequest?: typeof Request;
  /**
   * A copy that ends with the signal and can be sent as well as the first.
   *
   * @param content what a GET carries: a plain request that a middleware has put in the place of the first has lost it
   */
  copy(request: Request, signal: AbortSignal, content: BodyInit | undefined): Request;
  /** Whether content reaches the server with this method. */
  sendsContentWith(method: string): boolean;
  /**
   * Answers whatever response came, redirects too, and leaves no connection open behind it but one that can be used
   * again. Rejects where no whole response came or the request's signal aborted, and with a BodyTooLargeError as soon as
   * the body is over the limit, or with a ConfigurationError where the given `fetch` is no good.
   */
  exchange(request: Request, maxBytes: number): Promise<Answer>;
  /** Whether what an exchange rejected with says that nothing of the request has left. Fetch does not tell. */
  isUnsent?(error: unknown): boolean;
}

/** @internal @throws ConfigurationError where this platform cannot do what is asked */
export type CreateTransport = (options: Pick<ClientOptions, "tls" | "fetch">) => Transport;

/** @internal Thrown by a transport, which does not know which operation it sends. */
export class BodyTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`the body is over ${maxBytes} bytes`);
  }
}
