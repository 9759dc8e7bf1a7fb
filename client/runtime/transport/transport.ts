/** Sends requests. `#transport` is node.ts in Node, and fetch.ts elsewhere. */
import type { CommonOptions } from "../options.ts";
import type { ReadResponse } from "../result.ts";

/** The types of Node have no `BodyInit`. */
export type RequestBody = NonNullable<RequestInit["body"]>;

/**
 * Reads a response.
 *
 * @param collect reads the whole body
 * @param open returns the body as a stream. Default: the body of the response
 */
export type Receive = (
  response: Response,
  collect: () => Promise<Uint8Array<ArrayBuffer>>,
  open?: () => ReadableStream | null,
) => Promise<ReadResponse>;

export const receiveWhole: Receive = async (response, collect) => [response, await collect()];

export interface Transport {
  readonly Request: typeof Request;
  /** Returns a faster class for requests that no middleware or hook sees. `copy` gets their body. */
  unseenRequest?(body: RequestBody | undefined): typeof Request | undefined;
  /**
   * Returns a copy that can be sent and is aborted by the signal.
   *
   * @param body the body of a GET, which a plain Request of a middleware has lost
   */
  copy(request: Request, signal: AbortSignal, body: RequestBody | undefined): Request;
  /** Returns true if the transport can send a body with this method. */
  sendsBodyWith(method: string): boolean;
  /**
   * Returns the response and does not follow redirects. Closes the connection unless it can be used again.
   *
   * @throws BodyTooLargeError, ConfigurationError for an unsuitable `fetch`, the signal's reason, or the platform's error
   */
  exchange(request: Request, maxBytes: number, receive: Receive): Promise<ReadResponse>;
  /** Returns true if the error of an exchange proves that nothing was sent. Fetch's errors never prove it. */
  isUnsent?(error: unknown): boolean;
}

/** @throws ConfigurationError if this platform does not support an option */
export type CreateTransport = (options: Pick<CommonOptions, "tls" | "fetch">) => Transport;

/** Thrown by a transport, which does not know the operation. */
export class BodyTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`the response body is larger than ${maxBytes} bytes`);
  }
}
