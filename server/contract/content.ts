/**
 * Reads the content of a request under a cap, for every method alike. Fetch's Request gives a GET no body (Fetch
 * standard, "Request class"), while HTTP does (RFC 9110, section 9.3.1). The bytes are taken from Node's own message.
 */
import { Readable } from "node:stream";
import type { Awaitable } from "./awaitable.ts";
import { Refusal } from "./refusal.ts";

/** What the server puts next to a request. Tests in process put a stream there. */
export interface ContentBindings {
  readonly incoming?: Readable & {
    /** Whether all of it has been received. */
    readonly complete?: boolean;
    readonly headers?: { readonly expect?: string | undefined };
    readonly rawHeaders?: readonly string[];
    readonly socket?: { readonly remoteAddress?: string | undefined };
  };
  /** Node's response: what tells a caller that waits (`Expect: 100-continue`) to go on. */
  readonly outgoing?: { writeContinue(): void };
}

/** The peer went away before the content was complete, so there is no one to respond to. */
export class ContentAbortedError extends Error {
  constructor() {
    super("the connection ended before the content did");
    this.name = "ContentAbortedError";
  }
}

const noContent = new Uint8Array();

/**
 * The whole content, empty where there is none.
 *
 * @param bindings hold Node's message; without one the content is that of Fetch's request
 * @param maxBytes the cap; content that announces more is not read at all
 * @throws Refusal `content_too_large`
 * @throws ContentAbortedError
 */
export function readContent(
  header: (name: string) => string | undefined,
  bindings: ContentBindings | undefined,
  request: Request,
  maxBytes: number,
): Awaitable<Uint8Array> {
  const { incoming, outgoing } = bindings ?? {};
  const length = header("content-length");
  if (length !== undefined && Number(length) > maxBytes) throw tooLarge(maxBytes);
  if (incoming === undefined)
    return request.body === null ? noContent : collect(Readable.from(request.body), maxBytes);
  // A request has content only where Content-Length or Transfer-Encoding says so (RFC 9112, section 6.3).
  if (length === undefined && header("transfer-encoding") === undefined) return noContent;
  if (incoming.complete && !incoming.destroyed) return received(incoming, maxBytes);
  // Only now: a caller that was rejected before need not send the content (RFC 9110, section 10.1.1).
  if (incoming.headers?.expect?.toLowerCase() === "100-continue") outgoing?.writeContinue();
  return collect(incoming, maxBytes);
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal({ reason: "content_too_large", maxBytes });
}

/** Most requests are in one packet with their content. */
function received(incoming: Readable, maxBytes: number): Uint8Array {
  if (incoming.readableLength > maxBytes) throw tooLarge(maxBytes);
  const first: Uint8Array | null = incoming.read();
  if (first === null) return noContent;
  const chunks = [first];
  while (incoming.readableLength > 0) chunks.push(incoming.read());
  return chunks.length === 1 ? first : Buffer.concat(chunks);
}

function collect(stream: Readable, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const settle = (finish: () => void): void => {
      stream.off("data", onData).off("end", onEnd).off("error", onAbort).off("close", onAbort);
      finish();
    };
    const onData = (chunk: Uint8Array): void => {
      size += chunk.byteLength;
      if (size > maxBytes) settle(() => reject(tooLarge(maxBytes)));
      else chunks.push(chunk);
    };
    const onEnd = (): void =>
      settle(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const onAbort = (): void => {
      // An error may follow the close; without a listener it would end the process.
      stream.on("error", () => {});
      settle(() => reject(new ContentAbortedError()));
    };
    if (stream.destroyed && !stream.readableEnded) onAbort();
    else stream.on("data", onData).on("end", onEnd).on("error", onAbort).on("close", onAbort);
  });
}
