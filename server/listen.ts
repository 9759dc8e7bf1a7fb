/**
 * Writes the responses of one turn of the event loop together. Each write wakes a peer, and then the peer and the
 * waiting requests compete for the processor.
 */
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { SharedBytes } from "./contract/bind.ts";
import type { ContractEnv } from "./contract/hono.ts";
import { endConnection, isEnding } from "./ending.ts";
import { type ListenAddress, listenOn, stopServer } from "./listen-on.ts";
import {
  failureReply,
  type HttpError,
  headerTooLarge,
  httpErrorOf,
  invalid,
  malformedMessage,
  malformedReply,
  type ParserError,
  type ReportMalformed,
} from "./malformed.ts";
import { limitUnread } from "./unread.ts";

export interface ListenOptions extends ListenAddress {
  readonly onMalformed: ReportMalformed;
  /** Called when a new connection was closed because there are too many. */
  readonly onDropped?: () => void;
  readonly limits?: Limits;
}

export interface Limits {
  /** The limit of the request line and the header together. */
  readonly maxHeaderBytes: number;
  readonly maxConnections: number;
  /** The time in which the header must arrive. It begins with the connection or after the previous request. */
  readonly headerMs: number;
  /** The time in which the whole request must arrive. Must not be less than `headerMs`. */
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** The time in which a caller must read a response. */
  readonly responseMs: number;
}

export interface Listening {
  readonly url: string;
  /** From now on, responses end their connections, so that callers connect to another server. */
  drain(): void;
  /** Waits for the open requests. @returns false if the deadline cut off a request */
  stop(deadlineMs: number): Promise<boolean>;
}

const timeoutCheckMs = 1000;
const defaultResponseMs = 60_000;

/** @throws Error of the system if it cannot listen on the address, such as EADDRINUSE */
export async function listen(
  app: Pick<Hono<ContractEnv>, "fetch">,
  options: ListenOptions,
): Promise<Listening> {
  const { limits, onMalformed, onDropped } = options;
  const responseMs = limits?.responseMs ?? defaultResponseMs;
  const respond = getRequestListener(app.fetch, {
    autoCleanupIncoming: false,
    // Used for requests without Host, which HTTP/1.0 allows.
    hostname: "localhost",
    errorHandler: () => {
      const { status, headers, body } = malformedReply(onMalformed);
      return new Response(body, { status, headers });
    },
  });
  const server = createServer<typeof IncomingMessage, typeof QueuedResponse>({
    connectionsCheckingInterval: timeoutCheckMs,
    // If Node rejected a missing Host itself, the response would not have this service's error body.
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
  const unread = limitUnread(responseMs);
  const connections = new Connections({
    begin(outgoing) {
      const error = errorOf(outgoing.req);
      if (error === undefined) {
        respond(outgoing.req, outgoing);
      } else {
        const { status, headers, body } = malformedReply(onMalformed, outgoing.req, error);
        outgoing.writeHead(status, headers).end(body);
      }
    },
    unread(outgoing) {
      // Does not use Node's `finished`, which is true only when the system has accepted all bytes.
      if (outgoing.destroyed || (outgoing.writableEnded && outgoing.writableLength === 0)) return;
      unread.add(outgoing, outgoing.unreadBytes);
    },
  });
  server.on("connection", (socket) => {
    // Node ends a connection when the caller ends it. Responses that are not yet written would be lost.
    socket.prependListener("end", () => endTurnOf(socket));
    // Node removes its own error handler from the socket of a CONNECT. An error without a handler ends the process.
    socket.on("error", () => {});
    // Node calls this after a response with `Connection: close`.
    socket.destroySoon = () => endConnection(socket, responseMs);
    socket.once("close", () => {
      connections.forget(socket);
      unread.forget(socket);
    });
  });
  server.on("request", (incoming, outgoing) => {
    // Upgrades are ignored (RFC 9110, section 7.8). Java's clients ask for h2c. After such a request, Node reads no
    // other request. So the response must contain `Connection: close`, or the next request would wait forever.
    if (incoming.headers.upgrade !== undefined) outgoing.shouldKeepAlive = false;
    if (hasFaultyFraming(incoming)) {
      outgoing.shouldKeepAlive = false;
      stopParser(incoming.socket);
    }
    connections.add(outgoing);
  });
  // The code that reads the body sends the 100. Node would send it before the key is checked.
  server.on("checkContinue", (incoming, outgoing) => server.emit("request", incoming, outgoing));
  // Expectations other than 100-continue may be ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (incoming, outgoing) => server.emit("request", incoming, outgoing));
  const endMalformed = (socket: Socket, ...about: [IncomingMessage | undefined, HttpError?]) => {
    if (isEnding(socket)) return;
    endConnection(socket, responseMs, malformedMessage(malformedReply(onMalformed, ...about)));
  };
  server.on("connect", (incoming, stream) => {
    // If the request has a body, the stream is not the socket, and it has its own errors.
    stream.on("error", () => {});
    connections.whenIdle(incoming.socket, () => endMalformed(incoming.socket, incoming));
  });
  server.on("clientError", (error: ParserError, socket: Socket) => {
    if (isEnding(socket)) return;
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else connections.whenIdle(socket, () => endMalformed(socket, undefined, httpErrorOf(error)));
  });
  server.on("drop", () => onDropped?.());
  return {
    url: await listenOn(server, options),
    drain: () => connections.drain(),
    stop: (deadlineMs) => stopServer(server, connections, deadlineMs),
  };
}

/** The most headers of a request. Proxies add far fewer. Each costs time, and Node silently drops those after 2000. */
const maxHeaders = 100;

function errorOf(incoming: IncomingMessage): HttpError | undefined {
  if (incoming.rawHeaders.length > maxHeaders * 2) return headerTooLarge;
  // A target has no fragment (RFC 9112, section 3.2).
  const isTarget = incoming.url?.includes("#") === false;
  const isValid = isTarget && isHttp1(incoming) && hasOneHost(incoming) && !hasFaultyFraming(incoming);
  return isValid ? undefined : invalid;
}

/** A proxy may find another end of such a body, so what follows it must not be read as a request (RFC 9112, section 6.1). */
function hasFaultyFraming({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === "1.0" && headers["transfer-encoding"] !== undefined;
}

/** Checks the version, because Node's parser also accepts HTTP/0.9 and HTTP/2.0 and reads them as HTTP/1.1. */
function isHttp1({ httpVersion }: IncomingMessage): boolean {
  return httpVersion === "1.1" || httpVersion === "1.0";
}

/** A request must have exactly one Host (RFC 9112, section 3.2), except that HTTP/1.0 may omit it. */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}

/** The most requests of one connection that run at the same time, so that connections take turns. */
const mostAtOnce = 4;
const mostOpen = 100;
/** If all connections together have this many open requests, each connection may have only `mostAtOnce`. */
const mostOpenInAll = 20_000;

interface ResponseEvents {
  readonly begin: (response: QueuedResponse) => void;
  /** Called after the last byte, and when the caller is slower than a streamed body. */
  readonly unread: (response: QueuedResponse) => void;
}

interface Connection {
  /** The responses in the order of their requests (RFC 9112, section 9.3.2). The first `begun` are running. */
  readonly open: QueuedResponse[];
  begun: number;
  onIdle?: () => void;
}

class Connections {
  readonly #events: ResponseEvents;
  readonly #connections = new Map<Duplex, Connection>();
  #openInAll = 0;
  #isDraining = false;

  constructor(events: ResponseEvents) {
    this.#events = events;
  }

  add(response: QueuedResponse): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    const connection = this.#connections.get(socket) ?? { open: [], begun: 0 };
    this.#connections.set(socket, connection);
    if (connection.open.length >= (this.#openInAll < mostOpenInAll ? mostOpen : mostAtOnce)) {
      cutOff(socket);
      return;
    }
    connection.open.push(response);
    this.#openInAll += 1;
    if (this.#isDraining) endWithLast(connection);
    response.on("close", () => this.#end(connection, response));
    if (connection.open.length === connection.begun + 1) this.#beginNext(connection);
  }

  /** Removes all responses of a closed connection. Node emits `close` only for the one that is being sent. */
  forget(socket: Duplex): void {
    this.#openInAll -= this.#connections.get(socket)?.open.splice(0).length ?? 0;
    this.#connections.delete(socket);
  }

  get isEmpty(): boolean {
    return [...this.#connections.values()].every(({ open }) => open.length === 0);
  }

  drain(): void {
    this.#isDraining = true;
    for (const connection of this.#connections.values()) endWithLast(connection);
  }

  whenIdle(socket: Duplex, call: () => void): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || isIdle(connection)) call();
    else connection.onIdle = call;
  }

  #beginNext(connection: Connection): void {
    const next = connection.open[connection.begun];
    if (next === undefined || connection.begun === mostAtOnce || next.req.socket.destroyed) return;
    connection.begun += 1;
    next.events = this.#events;
    requests.push(next);
    schedule();
  }

  #end(connection: Connection, response: QueuedResponse): void {
    discardBody(response.req);
    const index = connection.open.indexOf(response);
    if (index === -1) return;
    connection.open.splice(index, 1);
    connection.begun -= 1;
    this.#openInAll -= 1;
    if (isIdle(connection)) connection.onIdle?.();
    this.#beginNext(connection);
  }
}

/** Closes a connection without a response. */
function cutOff(socket: Socket): void {
  stopParser(socket);
  socket.resetAndDestroy();
}

/**
 * Node would continue to parse what it has already read, perhaps thousands of requests. The result 2 means a request
 * for an upgrade, after which the parser stops.
 */
function stopParser({ parser }: Socket & { readonly parser?: { onIncoming: () => number } | null }): void {
  if (parser) parser.onIncoming = () => 2;
}

/** How long a caller may send a body that is discarded. Then the connection is closed. */
const discardMs = 500;

/** Reads the rest of the body for a limited time, because the next request of the connection comes after it. */
function discardBody(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  incoming.resume();
  const timer = setTimeout(() => incoming.socket.destroySoon(), discardMs);
  timer.unref();
  incoming.once("close", () => clearTimeout(timer));
}

/** Sets `Connection: close` only on the last response. On an earlier one, it would drop the requests after it (RFC 9112, section 9.6). */
function endWithLast({ open }: Connection): void {
  for (const response of open) if (!response.headersSent) response.shouldKeepAlive = response !== open.at(-1);
}

function isIdle({ open }: Connection): boolean {
  return !open.some(({ req }) => req.complete);
}

/** The most requests and the most responses per turn, so that new requests do not wait long. */
const mostPerTurn = 64;

const requests: QueuedResponse[] = [];
const responses: QueuedResponse[] = [];
let isScheduled = false;

/** A response that is not sent when `writeHead` and `end` are called, but at the end of the turn. */
class QueuedResponse extends ServerResponse<IncomingMessage> {
  events: ResponseEvents | undefined = undefined;
  #headers: OutgoingHttpHeaders | undefined;
  #body: string | Uint8Array | undefined;

  /** The bytes of this response alone that its caller has not read. */
  get unreadBytes(): number {
    return this.#body instanceof SharedBytes ? 0 : this.writableLength;
  }

  override writeHead(status: number, ...more: unknown[]): this {
    this.statusCode = status;
    this.#headers = more.at(-1) as OutgoingHttpHeaders | undefined;
    return this;
  }

  override end(...[body]: unknown[]): this {
    this.#body = body as string | Uint8Array | undefined;
    responses.push(this);
    schedule();
    return this;
  }

  /** Writes each part of a streamed body immediately. */
  override write(chunk: Uint8Array): boolean {
    this.#writeHead();
    const isTaken = super.write(chunk);
    if (!isTaken) this.events?.unread(this);
    return isTaken;
  }

  override flushHeaders(): void {
    this.#writeHead();
    super.flushHeaders();
  }

  send(): void {
    try {
      this.#writeHead();
      super.end(this.#body);
      this.events?.unread(this);
    } catch (error) {
      // The error means that the handler set a header that HTTP does not allow.
      console.error(error);
      const { status, headers, body } = failureReply(this.req);
      this.writeHead(status, headers).end(body);
    }
  }

  #writeHead(): void {
    if (!this.headersSent) super.writeHead(this.statusCode, this.#headers);
  }
}

/** Requests begin when all requests of this turn have been read, so a body in the same packet is complete. */
function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  isScheduled = false;
  for (const response of requests.splice(0, mostPerTurn)) response.events?.begin(response);
  for (const response of responses.splice(0, mostPerTurn)) response.send();
  if (requests.length > 0 || responses.length > 0) schedule();
}

/** Serves the requests that a connection sent in this turn, before Node ends the connection. */
function endTurnOf(socket: Socket): void {
  for (const response of taken(requests, socket)) response.events?.begin(response);
  for (const response of taken(responses, socket)) response.send();
}

/** Removes the socket's responses from the list and returns them. */
function taken(list: QueuedResponse[], socket: Socket): QueuedResponse[] {
  const own = list.filter(({ req }) => req.socket === socket);
  if (own.length > 0) list.splice(0, list.length, ...list.filter((item) => !own.includes(item)));
  return own;
}
