/** What sends requests, chosen by package conditions: `#transport` is node.ts in Node and fetch.ts everywhere else. */
import type { ContentRequest } from "../content-request.ts";

/** PEM texts, as `tls.connect` of Node takes them. */
export interface TlsOptions {
  /** The authorities to trust instead of the well-known ones. */
  readonly ca?: string | string[];
  /** The client's own certificate and its private key. */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
  /** The name that the server's certificate must have, where it is not the host of `baseUrl`. */
  readonly servername?: string;
}

/** A response that was read as a whole. */
export interface Answer {
  readonly response: Response;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Transport {
  /** Whether content reaches the server with this method. */
  sendsContentWith(method: string): boolean;
  /**
   * Answers whatever response came, redirects too, and leaves no connection open behind it but one that can be used
   * again. Rejects where no whole response came or the request's signal aborted, and with a BodyTooLargeError as soon as
   * the body is over the limit.
   */
  exchange(request: ContentRequest, maxBytes: number): Promise<Answer>;
  /** Whether what an exchange rejected with says that nothing of the request has left. */
  isUnsent(fault: unknown): boolean;
}

/** @throws TypeError where this platform cannot do what is asked */
export type CreateTransport = (options: { readonly tls?: TlsOptions | undefined }) => Transport;

/** Thrown by a transport, which does not know which operation it sends. */
export class BodyTooLargeError extends Error {}

/** The chunks of a body as one, no more of them than the limit. */
export async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number) {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new BodyTooLargeError(`the body is over ${maxBytes} bytes`);
    parts.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.byteLength;
  }
  return bytes;
}
