/**
 * Sends with node:http, which Bun and Deno also have. Unlike fetch, it can send a body with GET, supports TLS options,
 * and shows by its errors whether a request was sent.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { nearestWord } from "../../../server/runtime/shared/nearest-word.ts";
import { ConfigurationError } from "../errors.ts";
import type { Hooks, TlsOptions } from "../options.ts";
import type { Report } from "../problems.ts";
import { RequestWithBody } from "../request-with-body.ts";
import type { ReadResponse } from "../result.ts";
import { isIdempotent } from "../retry.ts";
import { createTransport as createFetchTransport } from "./fetch.ts";
import { BodyTooLargeError, type CreateTransport, type Receive, type Transport } from "./transport.ts";

const maxNames = 12;

/** Returns a sentence with the nearest name or the only one that contains the word, or with the first names. */
export function didYouMean(word: string, known: object): string {
  const names = Object.keys(known);
  const around = names.filter((name) => name.toLowerCase().includes(word.toLowerCase()));
  const nearest = nearestWord(word, names) ?? (around.length === 1 ? around[0] : undefined);
  if (nearest !== undefined) return `. Did you mean ${nearest}?`;
  const more = names.length > maxNames ? ", …" : "";
  const hint = "body" in known ? `. Does ${word} belong into body or params?` : "";
  return `. Use one of ${names.slice(0, maxNames).join(", ")}${more}${hint}`;
}

const hookNames: Readonly<Record<keyof Hooks, true>> = { onRequest: true, onResponse: true, onRetry: true };

export function checkHooks(hooks: readonly Hooks[] = [], report: Report): void {
  // A hook may be an object of a class, with other fields.
  for (const [index, hook] of hooks.entries())
    for (const name of Object.keys(hook ?? {}))
      if (name.startsWith("on") && !Object.hasOwn(hookNames, name))
        report(`/hooks/${index}/${name}`, `is unknown${didYouMean(name, hookNames)}`);
}

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** Node's servers close an idle connection after 5 seconds. The client closes it earlier, so no request is lost. */
const idleMs = 4_000;
/** Responses with these statuses have no body (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
const bodylessStatuses: readonly number[] = [204, 205, 304];
const decoders: { readonly [coding: string]: typeof createGunzip | typeof createBrotliDecompress } = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  br: createBrotliDecompress,
};

const sendingBodyOfGet: Pick<Transport, "Request" | "sendsBodyWith" | "copy"> = {
  Request: RequestWithBody,
  sendsBodyWith: () => true,
  copy: (request, signal, body) => {
    const isBodyless = /^(?:GET|HEAD)$/.test(request.method);
    return new RequestWithBody(request.clone(), { signal, body: (isBodyless && body) || null });
  },
};

interface PlainInit extends Pick<Request, "method" | "headers" | "signal"> {
  readonly body?: string | null;
}

/** The parts of a Request that this transport needs. Creating and copying Fetch's Request would cost more than sending. */
class PlainRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  readonly body: string;

  constructor(url: string, { method, headers, signal, body }: PlainInit) {
    this.url = url;
    this.method = method;
    this.headers = headers;
    this.signal = signal;
    this.body = body ?? "";
  }
}

/** The cast is safe: only openapi-fetch and this transport use the class, and they need no other part of a Request. */
const UnseenRequest = PlainRequest as unknown as typeof Request;

/** Clients without TLS options share their connections. */
let sharedAgents: Agents | undefined;

/** @param lookup replaces Node's resolution of host names */
export function createTransport(options: Parameters<CreateTransport>[0], lookup?: LookupFunction): Transport {
  if (options.fetch) return overGivenFetch(options);
  sharedAgents ??= createAgents();
  const agents = options.tls || lookup ? createAgents(options.tls, lookup) : sharedAgents;
  return {
    ...sendingBodyOfGet,
    // A stream can be sent only once, so each attempt sends a copy that Fetch makes.
    unseenRequest: (body = "") => (typeof body === "string" ? UnseenRequest : undefined),
    copy: (request, signal, body) =>
      request instanceof PlainRequest
        ? new UnseenRequest(request.url, { ...request, signal, body: body ?? null })
        : sendingBodyOfGet.copy(request, signal, body),
    isUnsent,
    exchange: async (request, maxBytes, receive) => {
      const body =
        request instanceof PlainRequest ? request.body : new Uint8Array(await request.arrayBuffer());
      for (;;) {
        const readResponse = await send(request, body, agents, maxBytes, receive);
        if (readResponse !== "stale connection") return readResponse;
      }
    },
  };
}

/** Rejects a custom `fetch` that does not send the body of a GET. */
function overGivenFetch(options: Parameters<CreateTransport>[0]): Transport {
  const { exchange } = createFetchTransport(options);
  return {
    ...sendingBodyOfGet,
    exchange: async (request, maxBytes, receive) => {
      const readResponse = await exchange(request, maxBytes, receive);
      if ((request as RequestWithBody).isBodyUnread)
        throw new ConfigurationError([
          {
            in: "options",
            pointer: "/fetch",
            message: "must send the body of a GET. request.text() returns it, request.body does not",
          },
        ]);
      return readResponse;
    },
  };
}

/** `syscall` of Node's error is the step that failed. If several addresses failed, there is an error for each. */
function isUnsent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnsent);
  const step = error instanceof Error && "syscall" in error && error.syscall;
  return step === "connect" || step === "getaddrinfo";
}

/** An agent unrefs its idle connections, so they do not keep the process running. */
function createAgents(tls: TlsOptions = {}, lookup?: LookupFunction): Agents {
  const named = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"].find((name) => process.env[name]);
  if (named !== undefined && !knowsProxies(process.versions.node))
    process.emitWarning(
      `${named} is set, but Node ${process.versions.node} does not use proxies. Use Node 22.21 or newer`,
    );
  const options = {
    keepAlive: true,
    timeout: idleMs,
    ...(named && { proxyEnv: process.env }),
    ...(lookup && { lookup }),
  };
  return { http: new HttpAgent(options), https: new HttpsAgent({ ...options, ...tls }) };
}

/** `proxyEnv` is supported since Node 22.21 and 24.5. */
function knowsProxies(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}

/**
 * A server may close an idle connection while a request is sent on it. If the request may be repeated (RFC 9112,
 * section 9.3.1), the caller then sends it again, until it gets a connection that works.
 */
function send(
  request: Request,
  body: Uint8Array | string,
  { http, https }: Agents,
  maxBytes: number,
  receive: Receive,
): Promise<ReadResponse | "stale connection"> {
  const { method, signal } = request;
  const url = new URL(request.url);
  const secure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? httpsRequest : httpRequest)(url, {
      method,
      agent: secure ? https : http,
      headers: headersOf(request, Buffer.byteLength(body)),
    });
    let hasResponse = false;
    const fail = (error: unknown) => {
      reject(error);
      outgoing.destroy();
    };
    const abort = () => fail(signal.reason);
    signal.addEventListener("abort", abort);
    outgoing.on("response", (incoming) => {
      hasResponse = true;
      read(incoming, maxBytes, receive).then(resolve, (error) => {
        incoming.destroy();
        fail(error);
      });
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      if (isStale && !hasResponse && !signal.aborted && isIdempotent(request)) resolve("stale connection");
      else if (error.code === "EPROTO")
        fail(new Error("no TLS connection; does the server expect http?", { cause: error }));
      else fail(error);
    });
    outgoing.on("close", () => {
      signal.removeEventListener("abort", abort);
      // If the server switches protocols without a request to do so, Node emits neither a response nor an error.
      if (!hasResponse) reject(new Error("the connection closed without a response"));
    });
    if (signal.aborted) abort();
    else outgoing.end(body);
  });
}

function headersOf(request: Request, contentLength: number): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of request.headers) {
    // A GET body without a length, or with two lengths, enables request smuggling (RFC 9112, section 6.1).
    if (name !== "transfer-encoding" && name !== "content-length") headers[name] = value;
  }
  if (contentLength > 0) headers["content-length"] = String(contentLength);
  headers["accept-encoding"] = "gzip, br";
  return headers;
}

async function read(incoming: IncomingMessage, maxBytes: number, receive: Receive): Promise<ReadResponse> {
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = incoming;
  // The constructor of Response would throw an error that does not explain the problem.
  if (status < 200 || status > 599)
    throw new Error(`the server returned the status ${status}, which is invalid in HTTP`);
  const response = new Response(null, { status, statusText });
  const { headers } = response;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  if (bodylessStatuses.includes(status)) {
    // Read the body, so that the connection can be used again.
    await collect(incoming, maxBytes);
    return [response, new Uint8Array()];
  }
  const decoder = decoders[headers.get("content-encoding")?.toLowerCase() ?? ""];
  const body = decoder === undefined ? incoming : pipeline(incoming, decoder(), () => {});
  return receive(
    response,
    () => collect(body, maxBytes),
    () => Readable.toWeb(body) as ReadableStream,
  );
}

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
