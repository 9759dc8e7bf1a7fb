/** What sends requests, chosen by package conditions: `#transport` is node.ts in Node and fetch.ts everywhere else. */
import type { ContentRequest } from "../content-request.ts";
import type { TlsOptions } from "../options.ts";
import type { Answer } from "../result.ts";

/** @internal */
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

/** @internal @throws TypeError where this platform cannot do what is asked */
export type CreateTransport = (options: { readonly tls?: TlsOptions | undefined }) => Transport;

/** @internal Thrown by a transport, which does not know which operation it sends. */
export class BodyTooLargeError extends Error {}

/** @internal The chunks of a body as one, no more of them than the limit. */
export async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ArrayBuffer> {
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
  return bytes.buffer;
}
