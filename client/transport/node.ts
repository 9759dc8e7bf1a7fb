/**
 * Sends by node:http, which unlike fetch sends content with GET, takes TLS options, and says whether a connection failed
 * before it was used. Bun and Deno have it too.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { ContentRequest } from "../content-request.ts";
import { ConfigurationError } from "../errors.ts";
import type { TlsOptions } from "../options.ts";
import type { Answer } from "../result.ts";
import { isIdempotent } from "../retry.ts";
import { createTransport as createFetchTransport } from "./fetch.ts";
import { BodyTooLargeError, type CreateTransport, type Transport } from "./transport.ts";

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** Servers of Node close an idle connection after 5 seconds: to close it first is to send no request into the void. */
const idleMs = 4_000;
/** A Response of these holds no content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5), as Fetch has it. */
const bodylessStatuses: readonly number[] = [204, 205, 304];
const decoders: { readonly [coding: string]: typeof createGunzip | typeof createBrotliDecompress } = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  br: createBrotliDecompress,
};

const sendingContentOfGet: Pick<Transport, "Request" | "sendsContentWith" | "copy"> = {
  Request: ContentRequest,
  sendsContentWith: () => true,
  copy: (request, signal, content) => {
    const isBodyless = /^(?:GET|HEAD)$/.test(request.method);
    return new ContentRequest(request.clone(), { signal, body: (isBodyless && content) || null });
  },
};

interface PlainInit extends Pick<Request, "method" | "headers" | "signal"> {
  readonly body?: string | null;
}

/** As much of a Request as is read here. Fetch's own takes longer to make, and again to copy, than it takes to send. */
class PlainRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  readonly content: string;

  constructor(url: string, { method, headers, signal, body }: PlainInit) {
    this.url = url;
    this.method = method;
    this.headers = headers;
    this.signal = signal;
    this.content = body ?? "";
  }
}

/** Only openapi-fetch and this transport see it. They use no other part of a Request. */
const UnseenRequest = PlainRequest as unknown as typeof Request;

/** Clients that ask for nothing special share their connections. */
let sharedAgents: Agents | undefined;

export const createTransport: CreateTransport = (options) => {
  if (options.fetch) return overGivenFetch(options);
  sharedAgents ??= createAgents();
  const agents = options.tls ? createAgents(options.tls) : sharedAgents;
  return {
    ...sendingContentOfGet,
    UnseenRequest,
    copy: (request, signal, content) =>
      request instanceof PlainRequest
        ? new UnseenRequest(request.url, { ...request, signal, body: content ?? null })
        : sendingContentOfGet.copy(request, signal, content),
    isUnsent,
    exchange: async (request, maxBytes) => {
      const content =
        request instanceof PlainRequest ? request.content : new Uint8Array(await request.arrayBuffer());
      for (;;) {
        const answer = await send(request, content, agents, maxBytes);
        if (answer !== "stale connection") return answer;
      }
    },
  };
};

/** A function like fetch that also reads content with GET, as the one of a mock does. */
function overGivenFetch(options: Parameters<CreateTransport>[0]): Transport {
  const { exchange } = createFetchTransport(options);
  return {
    ...sendingContentOfGet,
    exchange: async (request, maxBytes) => {
      const answer = await exchange(request, maxBytes);
      if ((request as ContentRequest).contentLeftBehind)
        throw new ConfigurationError([
          {
            in: "options",
            pointer: "/fetch",
            message:
              "must send the content of a GET, which is what request.text() answers, not in request.body",
          },
        ]);
      return answer;
    },
  };
}

/** Node says in which step a connection failed; where several addresses failed, there is an error for each. */
function isUnsent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnsent);
  const step = error instanceof Error && "syscall" in error && error.syscall;
  return step === "connect" || step === "getaddrinfo";
}

/** Idle connections do not keep a process from exiting: agents unref them. */
function createAgents(tls: TlsOptions = {}): Agents {
  const named = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"].find((name) => process.env[name]);
  if (named !== undefined && !knowsProxies(process.versions.node))
    process.emitWarning(
      `${named} is set, but Node ${process.versions.node} connects without a proxy; run 22.21 or newer`,
    );
  const options = { keepAlive: true, timeout: idleMs, ...(named && { proxyEnv: process.env }) };
  return { http: new HttpAgent(options), https: new HttpsAgent({ ...options, ...tls }) };
}

/** Agents take `proxyEnv` from Node 22.21 and 24.5 on. */
function knowsProxies(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}

/**
 * A server may close an idle connection just as a request is sent on it. Then a request that may be repeated (RFC 9112,
 * section 9.3.1) is to be sent again. That ends with a new connection, as soon as no idle one is left.
 */
function send(
  request: Request,
  content: Uint8Array | string,
  { http, https }: Agents,
  maxBytes: number,
): Promise<Answer | "stale connection"> {
  const { method, signal } = request;
  const url = new URL(request.url);
  const secure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? httpsRequest : httpRequest)(url, {
      method,
      agent: secure ? https : http,
      headers: headersOf(request, Buffer.byteLength(content)),
    });
    let answered = false;
    const fail = (error: unknown) => {
      reject(error);
      outgoing.destroy();
    };
    const abort = () => fail(signal.reason);
    signal.addEventListener("abort", abort);
    outgoing.on("response", (incoming) => {
      answered = true;
      read(incoming, maxBytes).then(resolve, (error) => {
        incoming.destroy();
        fail(error);
      });
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      if (isStale && !answered && !signal.aborted && isIdempotent(method)) resolve("stale connection");
      else fail(error);
    });
    outgoing.on("close", () => {
      signal.removeEventListener("abort", abort);
      // An unasked switch of protocols ends in no response and no error either.
      if (!answered) reject(new Error("the connection closed without a response"));
    });
    if (signal.aborted) abort();
    else outgoing.end(content);
  });
}

function headersOf(request: Request, contentLength: number): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of request.headers) {
    // Content of a GET that is framed in no way, or in two, smuggles a request (RFC 9112, section 6.1).
    if (name !== "transfer-encoding" && name !== "content-length") headers[name] = value;
  }
  if (contentLength > 0) headers["content-length"] = String(contentLength);
  headers["accept-encoding"] = "gzip, br";
  return headers;
}

async function read(incoming: IncomingMessage, maxBytes: number): Promise<Answer> {
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = incoming;
  // A Response holds no other, and says so in words that are no help.
  if (status < 200 || status > 599)
    throw new Error(`the server answered ${status}, which is no status of HTTP`);
  const response = new Response(null, { status, statusText });
  const { headers } = response;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  if (bodylessStatuses.includes(status)) {
    // Read all the same, so that the connection can be used again.
    await collect(incoming, maxBytes);
    return { response, bytes: new Uint8Array() };
  }
  const decoder = decoders[headers.get("content-encoding")?.toLowerCase() ?? ""];
  const body = decoder === undefined ? incoming : pipeline(incoming, decoder(), () => {});
  return { response, bytes: await collect(body, maxBytes) };
}

/** The chunks of a body as one, no more of them than the limit. */
function collect(body: Readable, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const parts: Buffer<ArrayBuffer>[] = [];
    let length = 0;
    body.on("data", (chunk: Buffer<ArrayBuffer>) => {
      parts.push(chunk);
      length += chunk.byteLength;
      if (length > maxBytes) reject(new BodyTooLargeError(maxBytes));
    });
    body.on("end", () => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)));
    body.on("error", reject);
  });
}
