/**
 * Reads a request of Hono. Bodies are read from Node's request: HTTP allows a body with GET (RFC 9110, section 9.3.1),
 * but Fetch's Request does not (Fetch standard, "Request class").
 */
import type { Context } from "hono";
import { type Awaitable, andThen } from "../contract/awaitable.ts";
import { BodyAbortedError, Rejection, type RequestView } from "../contract/request.ts";

/** The part of Node's IncomingMessage that is used here. */
interface Incoming {
  readonly destroyed: boolean;
  readonly readableLength: number;
  /** Null if nothing has begun to read the body. */
  readonly readableFlowing: boolean | null;
  read(): Uint8Array | null;
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<Uint8Array>;
}

export interface ContractEnv {
  /** Tests without a socket set a stream here. */
  Bindings: {
    readonly incoming?: Incoming & {
      readonly complete?: boolean;
      readonly headers?: { readonly expect?: string | undefined };
      readonly rawHeaders?: readonly string[];
      readonly socket?: {
        readonly remoteAddress?: string | undefined;
        /** Set if the connection uses TLS. */
        readonly authorized?: boolean;
        getPeerX509Certificate?(): { readonly validToDate: Date; toString(): string } | undefined;
      };
    };
    /** Node's response. It can ask a caller that waits (`Expect: 100-continue`) for the body. */
    readonly outgoing?: { readonly _sent100?: boolean; writeContinue(): void; destroy(): void };
  };
}

export class HonoRequest implements RequestView {
  readonly c: Context<ContractEnv>;
  readonly #keepsBody: boolean;
  #formType: string | undefined;

  /** @param keepsBody Hono's functions, such as `c.req.json()`, can read the body again */
  constructor(c: Context<ContractEnv>, keepsBody = false) {
    this.c = c;
    this.#keepsBody = keepsBody;
  }

  get method(): string {
    return this.c.req.method;
  }

  get path(): string {
    return this.c.req.path;
  }

  get query(): string {
    return new URL(this.c.req.url).search.slice(1);
  }

  header(name: string): string | undefined {
    if (this.#formType !== undefined && name === "content-type") return this.#formType;
    const rawHeaders = this.c.env?.incoming?.rawHeaders;
    return rawHeaders === undefined ? this.c.req.header(name) : joined(rawHeaders, name);
  }

  body(maxBytes: number): Awaitable<Uint8Array> {
    const body = this.#body(maxBytes);
    return this.#keepsBody ? andThen(body, (bytes) => this.#kept(bytes)) : body;
  }

  #kept(bytes: Uint8Array): Uint8Array {
    // Hono keeps promises here, although its types say otherwise.
    const cache: { arrayBuffer?: unknown } = this.c.req.bodyCache;
    cache.arrayBuffer ??= Promise.resolve(bytes.slice().buffer);
    return bytes;
  }

  #body(maxBytes: number): Awaitable<Uint8Array> {
    const { incoming, outgoing } = this.c.env ?? {};
    const length = this.header("content-length");
    if (length !== undefined && Number(length) > maxBytes) throw tooLarge(maxBytes);
    // A middleware of the host may have read the body, or a part of it.
    if (incoming === undefined || incoming.readableFlowing !== null) return this.#fetchedBody(maxBytes);
    // A request has a body only if Content-Length or Transfer-Encoding says so (RFC 9112, section 6.3).
    if (length === undefined && this.header("transfer-encoding") === undefined) return noBody;
    if (incoming.complete && !incoming.destroyed) return bufferedBody(incoming, maxBytes);
    // A caller that was rejected earlier does not have to send its body (RFC 9110, section 10.1.1).
    // Node has asked for it already, unless the server has a listener for `checkContinue`.
    const isAwaited = incoming.headers?.expect?.toLowerCase() === "100-continue";
    if (isAwaited && outgoing?._sent100 !== true) outgoing?.writeContinue();
    // The connection must stay open for the response.
    return collect(incoming.iterator({ destroyOnReturn: false }), maxBytes);
  }

  #fetchedBody(maxBytes: number): Awaitable<Uint8Array> {
    const { bodyCache, raw } = this.c.req;
    for (const _ in bodyCache) return this.#cachedBody(maxBytes);
    if (raw.bodyUsed)
      throw new Error(
        "a middleware has read the body from `c.req.raw`: read it with `c.req.text()`, `c.req.json()` or `c.req.arrayBuffer()`",
      );
    return raw.body === null ? noBody : collect(raw.body, maxBytes);
  }

  /** Hono keeps a body that was read by `c.req.json()` or a similar function. */
  async #cachedBody(maxBytes: number): Promise<Uint8Array> {
    const { req } = this.c;
    const { formData, ...others } = req.bodyCache;
    let bytes: ArrayBuffer;
    if (formData !== undefined && Object.keys(others).length === 0) {
      // The bytes of the form are gone, so it is written again, with another boundary.
      const isMultipart = /^multipart\//i.test(this.header("content-type") ?? "");
      const form = await Promise.resolve(formData).catch((error: unknown) => {
        throw isMultipart ? new Rejection({ reason: "malformed_content", problem: "multipart" }) : error;
      });
      const written = new Response(isMultipart ? form : new URLSearchParams([...form] as [string, string][]));
      this.#formType = written.headers.get("content-type") ?? undefined;
      bytes = await written.arrayBuffer();
    } else bytes = await req.arrayBuffer();
    if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
    return new Uint8Array(bytes);
  }

  cutOff(): boolean {
    this.c.env?.outgoing?.destroy();
    return this.c.env?.outgoing !== undefined;
  }

  get peer(): string | undefined {
    return this.c.env?.incoming?.socket?.remoteAddress;
  }

  certificate(): string | undefined {
    const { socket } = this.c.env?.incoming ?? {};
    const certificate = socket?.getPeerX509Certificate?.();
    if (certificate === undefined) return undefined;
    // `authorized` is also true for a resumed session without a certificate, and after the certificate has expired.
    const isValid = socket?.authorized === true && certificate.validToDate.getTime() > Date.now();
    return isValid ? certificate.toString() : "";
  }

  get signal(): AbortSignal {
    return this.c.req.raw.signal;
  }
}

/** Node's `headers` keep only the first value of some names. */
function joined(rawHeaders: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const each = rawHeaders[index] as string;
    if (each.length !== name.length || each.toLowerCase() !== name.toLowerCase()) continue;
    const next = rawHeaders[index + 1] as string;
    value = value === undefined ? next : `${value}${name === "cookie" ? "; " : ", "}${next}`;
  }
  return value;
}

const noBody = new Uint8Array();

function tooLarge(maxBytes: number): Rejection {
  return new Rejection({ reason: "content_too_large", maxBytes });
}

/** The fast path: most requests arrive in one packet with their body. */
function bufferedBody(incoming: Incoming, maxBytes: number): Uint8Array {
  if (incoming.readableLength > maxBytes) throw tooLarge(maxBytes);
  const first = incoming.read();
  if (first === null) return noBody;
  const chunks = [first];
  let size = first.byteLength;
  while (incoming.readableLength > 0) {
    const chunk = incoming.read() ?? noBody;
    chunks.push(chunk);
    size += chunk.byteLength;
  }
  return chunks.length === 1 ? first : concatenated(chunks, size);
}

async function collect(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Rejection ? error : new BodyAbortedError();
  }
  return concatenated(chunks, size);
}

function concatenated(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
