/**
 * Serves an application over HTTP/1.1 with Node's own server: framing faults answered in the one envelope, slow senders
 * and content that nobody read cut off within bounds, and a stop that drops no accepted request.
 */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { Connections } from "./connections.ts";
import type { SettledExchange } from "./contract/exchange.ts";
import type { ContractEnv } from "./contract/hono.ts";
import { errorResponse } from "./errors.ts";
import { type ListenAddress, listenOn } from "./listen-on.ts";
import { requestIdOf } from "./request-id.ts";
import { endTurnOf, QueuedResponse, serveInTurn } from "./turn.ts";

export interface ListenOptions extends ListenAddress {
  /** Called for a request that breaks HTTP's rules, which the application does not see. */
  readonly onMalformed: (exchange: SettledExchange) => void;
  /** Called for a connection that was closed because there were too many. */
  readonly onDropped?: () => void;
  /** Node's own where they are left out. */
  readonly limits?: Limits;
}

export interface Limits {
  /** Of the request line and the header together. */
  readonly maxHeaderBytes: number;
  readonly maxConnections: number;
  /** How long the header may take to arrive, from the connection or the request before. */
  readonly headerMs: number;
  /** How long a whole request may take to arrive; not less than `headerMs`. */
  readonly requestMs: number;
  /** How long a connection may be idle between requests. */
  readonly keepAliveMs: number;
  /** How long a caller may take to read an answer. */
  readonly answerMs: number;
}

export interface Listening {
  /** Where it is reached, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** From now on every answer ends its connection, so that callers open their next one elsewhere. */
  drain(): void;
  /**
   * Takes no further connection, once those that the system has established are taken, and waits for the open requests.
   *
   * @param deadlineMs after which they are cut off
   * @returns false where the deadline had to cut one off
   */
  stop(deadlineMs: number): Promise<boolean>;
}

/** How long a peer may go on sending content that nobody reads before its connection is closed. */
const discardMs = 500;
/**
 * How long a stopping server goes on taking connections and leaves idle ones open. A request may be under way on either,
 * also on a connection that the system has established and Node has not seen yet, and is answered then. From then on it
 * looks for idle ones that often.
 */
const idleGraceMs = 200;
const idleCheckMs = 20;
/** How often Node looks for requests that take too long to arrive. */
const timeoutCheckMs = 1000;
/** Far more than any proxy adds; each costs time to look through. Node leaves out those over 2000. */
const maxHeaders = 100;

/** @throws the system's error where the address cannot be listened on, such as EADDRINUSE */
export async function listen(app: Hono<ContractEnv>, options: ListenOptions): Promise<Listening> {
  const answer = getRequestListener(app.fetch, {
    autoCleanupIncoming: false,
    // A request of HTTP/1.0 may come without Host.
    hostname: "localhost",
    errorHandler: () => {
      const { status, headers, body } = malformed(options);
      return new Response(body, { status, headers });
    },
  });
  const { limits } = options;
  const server = createServer<typeof IncomingMessage, typeof QueuedResponse>({
    connectionsCheckingInterval: timeoutCheckMs,
    // Node would answer a missing Host by itself; it is refused here, in the one envelope.
    requireHostHeader: false,
    ServerResponse: QueuedResponse,
    ...(limits && {
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headerMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
    }),
  });
  if (limits) server.maxConnections = limits.maxConnections;
  const serve = (outgoing: QueuedResponse): void => {
    const incoming = outgoing.req;
    outgoing.onWritten = () => limits && cutOffUnread(incoming.socket, outgoing, limits.answerMs);
    outgoing.onFault = (fault) => sendFailure(outgoing, fault);
    const fault = faultOf(incoming);
    if (fault === undefined) {
      answer(incoming, outgoing);
    } else {
      const { status, headers, body } = malformed(options, incoming, fault);
      outgoing.writeHead(status, headers).end(body);
    }
  };
  const connections = new Connections<QueuedResponse>({
    begin: (outgoing) => serveInTurn(serve, outgoing),
    ended: ({ req }) => discardContent(req),
  });
  server.on("connection", (socket) => {
    // Node ends a connection as soon as its caller has, and what is not written then is lost.
    socket.prependListener("end", () => endTurnOf(socket));
    socket.once("close", () => connections.forget(socket));
  });
  server.on("request", (incoming, outgoing) => {
    if (isUpgrade(incoming)) outgoing.shouldKeepAlive = false;
    connections.add(outgoing);
  });
  // Whoever reads the content says when to send it; Node would ask for it before the key has been looked at.
  server.on("checkContinue", (incoming, outgoing) => server.emit("request", incoming, outgoing));
  // An expectation other than 100-continue may be passed over (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (incoming, outgoing) => server.emit("request", incoming, outgoing));
  server.on("connect", (incoming, socket) => endMalformed(socket, malformed(options, incoming)));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else {
      const fault = faults[error.code ?? ""];
      connections.whenAnswered(socket, () => endMalformed(socket, malformed(options, undefined, fault)));
    }
  });
  server.on("drop", () => options.onDropped?.());
  return {
    url: await listenOn(server, options),
    drain: () => connections.drain(),
    stop: (deadlineMs) => stop(server, connections, deadlineMs),
  };
}

/** What a request is refused for, beside the syntax. */
interface Fault {
  readonly status: number;
  readonly message: string;
}

const headerTooLarge: Fault = { status: 431, message: "The header of the request is too large." };

/** By Node's own codes. */
const faults: { readonly [code: string]: Fault } = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request did not arrive in time." },
  HPE_HEADER_OVERFLOW: headerTooLarge,
};

const invalid: Fault = { status: 400, message: "The request is not valid HTTP." };

function faultOf(incoming: IncomingMessage): Fault | undefined {
  if (incoming.rawHeaders.length > maxHeaders * 2) return headerTooLarge;
  return isHttp1(incoming) && hasOneHost(incoming) ? undefined : invalid;
}

/**
 * Another protocol need not be spoken (RFC 9110, section 7.8), but behind a request that wishes for one, as Java's clients
 * do for h2c, Node reads nothing: the next one would wait in vain unless the caller is told that the connection ends.
 */
function isUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined;
}

/** Node's parser lets HTTP/0.9 and HTTP/2.0 pass, and reads them as HTTP/1.1. */
function isHttp1({ httpVersion }: IncomingMessage): boolean {
  return httpVersion === "1.1" || httpVersion === "1.0";
}

/** RFC 9112, section 3.2: exactly one Host, except in HTTP/1.0, which may do without. */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}

/** What is left of the content must be read before the connection can serve again, but not without end. */
function discardContent(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  incoming.resume();
  const timer = setTimeout(() => incoming.socket.destroySoon(), discardMs);
  timer.unref();
  incoming.once("close", () => clearTimeout(timer));
}

/**
 * An answer that is ready takes memory until its caller has read it, and so does what waits behind it. Without a reset the
 * system would go on keeping what it has been handed.
 */
function cutOffUnread(socket: Socket, outgoing: ServerResponse, answerMs: number): void {
  // Node calls it finished only later, when the system has taken it all.
  if (outgoing.destroyed || (outgoing.writableEnded && outgoing.writableLength === 0)) return;
  const timer = setTimeout(() => socket.resetAndDestroy(), answerMs);
  timer.unref();
  outgoing.once("close", () => clearTimeout(timer));
}

interface OwnResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** An error of the one envelope, for a request that the application never sees. */
function malformed({ onMalformed }: ListenOptions, incoming?: IncomingMessage, fault = invalid): OwnResponse {
  const { status, message } = fault;
  const requestId = idOf(incoming);
  const answer = { ...envelope("malformed_request", requestId, message), status };
  onMalformed({
    requestId,
    address: undefined,
    operation: "unmatched",
    request: undefined,
    content: undefined,
    refusal: "request_malformed",
    response: answer,
    answer,
    seconds: 0,
  });
  return answer;
}

/** For a response with a header that HTTP does not allow. */
function sendFailure(outgoing: QueuedResponse, fault: unknown): void {
  console.error(fault);
  const { status, headers, body } = envelope("internal_error", idOf(outgoing.req));
  outgoing.writeHead(status, headers);
  outgoing.end(body);
}

function idOf(incoming?: IncomingMessage): string {
  return requestIdOf(incoming?.headers["x-request-id"], incoming?.headers.authorization);
}

function envelope(
  code: "malformed_request" | "internal_error",
  requestId: string,
  message?: string,
): OwnResponse {
  const { status, headers, body } = errorResponse(code, requestId, message === undefined ? {} : { message });
  const text = JSON.stringify(body);
  return {
    status,
    headers: {
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(text)),
      "X-Request-Id": requestId,
      "Cache-Control": "no-store",
      ...headers,
    },
    body: text,
  };
}

/** Where HTTP's framing is broken, nothing more can be read from the connection (RFC 9112, section 2.2). */
function endMalformed(socket: Duplex, { status, headers, body }: OwnResponse): void {
  const lines = Object.entries({ ...headers, Connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
}

function stop(
  server: Server<typeof IncomingMessage, typeof QueuedResponse>,
  connections: Connections<QueuedResponse>,
  deadlineMs: number,
): Promise<boolean> {
  connections.drain();
  return new Promise((resolve) => {
    let inTime = true;
    let idleCheck: NodeJS.Timeout | undefined;
    const close = () => {
      clearTimeout(idleGrace);
      // That of node:http would close idle connections at once, requests under way on them and all.
      NetServer.prototype.close.call(server, () => {
        clearInterval(idleCheck);
        clearTimeout(deadline);
        resolve(inTime);
      });
    };
    const idleGrace = setTimeout(() => {
      close();
      idleCheck = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    }, idleGraceMs);
    const deadline = setTimeout(() => {
      inTime = connections.isEmpty;
      if (server.listening) close();
      server.closeAllConnections();
    }, deadlineMs);
  });
}
