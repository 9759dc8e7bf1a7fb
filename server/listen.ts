/**
 * The responses of one turn of the event loop are written together. Each write wakes a peer, which then
 * competes with the waiting requests for the processor.
 */
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { ContractEnv } from "./contract/hono.ts";
import { type ListenAddress, listenOn, stopServer } from "./listen-on.ts";
import {
  endMalformed,
  failureReply,
  type HttpError,
  headerTooLarge,
  httpErrorOf,
  invalid,
  malformedReply,
  type ParserError,
  type ReportMalformed,
} from "./malformed.ts";

export interface ListenOptions extends ListenAddress {
  readonly onMalformed: ReportMalformed;
  /** Called for a connection that was closed because there were too many. */
  readonly onDropped?: () => void;
  readonly limits?: Limits;
}

export interface Limits {
  /** The request line and the header together. */
  readonly maxHeaderBytes: number;
  readonly maxConnections: number;
  /** Time for the header to arrive, from the start of the connection or the end of the previous request. */
  readonly headerMs: number;
  /** Must not be less than `headerMs`. */
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** Time for a caller to read a response. */
  readonly responseMs: number;
}

export interface Listening {
  readonly url: string;
  /** Each response ends its connection from now on, so that callers open the next one elsewhere. */
  drain(): void;
  /** Waits for the open requests. @returns false if the deadline cut one off */
  stop(deadlineMs: number): Promise<boolean>;
}

const timeoutCheckMs = 1000;

/** @throws the system's error if it cannot listen on the address, such as EADDRINUSE */
export async function listen(app: Hono<ContractEnv>, options: ListenOptions): Promise<Listening> {
  const { limits, onMalformed, onDropped } = options;
  const respond = getRequestListener(app.fetch, {
    autoCleanupIncoming: false,
    // HTTP/1.0 allows a request without Host.
    hostname: "localhost",
    errorHandler: () => {
      const { status, headers, body } = malformedReply(onMalformed);
      return new Response(body, { status, headers });
    },
  });
  const server = createServer<typeof IncomingMessage, typeof QueuedResponse>({
    connectionsCheckingInterval: timeoutCheckMs,
    // Node would respond to a missing Host without this service's error body.
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
    written(outgoing) {
      if (limits) cutOffUnread(outgoing, limits.responseMs);
    },
  });
  server.on("connection", (socket) => {
    // Node ends a connection when its caller does. Responses that are not written by then are lost.
    socket.prependListener("end", () => endTurnOf(socket));
    socket.once("close", () => connections.forget(socket));
  });
  server.on("request", (incoming, outgoing) => {
    // No other protocol is offered (RFC 9110, section 7.8). After a request for an upgrade, as Java's clients
    // send for h2c, Node reads nothing. The response must say that the connection ends, or the next request
    // would wait forever.
    if (incoming.headers.upgrade !== undefined) outgoing.shouldKeepAlive = false;
    connections.add(outgoing);
  });
  // The reader of the body sends the 100. Node would send it before the key is checked.
  server.on("checkContinue", (incoming, outgoing) => server.emit("request", incoming, outgoing));
  // Expectations other than 100-continue may be ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (incoming, outgoing) => server.emit("request", incoming, outgoing));
  server.on("connect", (incoming, socket) => endMalformed(socket, malformedReply(onMalformed, incoming)));
  server.on("clientError", (error: ParserError, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else {
      connections.whenIdle(socket, () =>
        endMalformed(socket, malformedReply(onMalformed, undefined, httpErrorOf(error))),
      );
    }
  });
  server.on("drop", () => onDropped?.());
  return {
    url: await listenOn(server, options),
    drain: () => connections.drain(),
    stop: (deadlineMs) => stopServer(server, connections, deadlineMs),
  };
}

/** The most headers of a request. Proxies add far fewer. Each takes time, and Node silently drops those over 2000. */
const maxHeaders = 100;

function errorOf(incoming: IncomingMessage): HttpError | undefined {
  if (incoming.rawHeaders.length > maxHeaders * 2) return headerTooLarge;
  // A target has no fragment (RFC 9112, section 3.2).
  const isTarget = incoming.url?.includes("#") === false;
  return isTarget && isHttp1(incoming) && hasOneHost(incoming) ? undefined : invalid;
}

/** Node's parser accepts HTTP/0.9 and HTTP/2.0, and reads them as HTTP/1.1. */
function isHttp1({ httpVersion }: IncomingMessage): boolean {
  return httpVersion === "1.1" || httpVersion === "1.0";
}

/** Exactly one Host (RFC 9112, section 3.2). HTTP/1.0 may omit it. */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}

/** An unread response, and the requests behind it, take memory. A reset frees the system's buffers too. */
function cutOffUnread(outgoing: ServerResponse<IncomingMessage>, responseMs: number): void {
  // Node's `finished` comes only when the system has taken everything.
  if (outgoing.destroyed || (outgoing.writableEnded && outgoing.writableLength === 0)) return;
  const timer = setTimeout(() => outgoing.req.socket.resetAndDestroy(), responseMs);
  timer.unref();
  outgoing.once("close", () => clearTimeout(timer));
}

/** Requests of one connection that run at a time, so that connections take turns. */
const mostAtOnce = 4;
const mostOpen = 100;
/** Open requests of all connections. Above it, each connection may have only `mostAtOnce`. */
const mostOpenInAll = 20_000;

interface ResponseEvents {
  readonly begin: (response: QueuedResponse) => void;
  readonly written: (response: QueuedResponse) => void;
}

interface Connection {
  /** In the order of their requests (RFC 9112, section 9.3.2). The first `begun` of them are running. */
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

  /** Node closes only the response that is being sent, and reports nothing about those behind it. */
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

/**
 * Node continues to parse what it has read from a closed connection, perhaps thousands of requests. Its
 * parser stops after a request for an upgrade, which the result 2 means.
 */
function cutOff(socket: Socket & { readonly parser?: { onIncoming: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2;
  socket.resetAndDestroy();
}

/** How long a peer may send a body that is discarded before its connection is closed. */
const discardMs = 500;

/** The next request of a connection starts after the rest of this body, so the rest is read for a limited time. */
function discardBody(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  incoming.resume();
  const timer = setTimeout(() => incoming.socket.destroySoon(), discardMs);
  timer.unref();
  incoming.once("close", () => clearTimeout(timer));
}

/** `Connection: close` drops the requests behind it (RFC 9112, section 9.6), so only the last one has it. */
function endWithLast({ open }: Connection): void {
  for (const response of open) if (!response.headersSent) response.shouldKeepAlive = response !== open.at(-1);
}

function isIdle({ open }: Connection): boolean {
  return !open.some(({ req }) => req.complete);
}

/** Limits the requests and the responses of a turn, so that new requests do not wait long. */
const mostPerTurn = 64;

const requests: QueuedResponse[] = [];
const responses: QueuedResponse[] = [];
let isScheduled = false;

/** `writeHead` and `end` keep the response until the end of the turn. */
class QueuedResponse extends ServerResponse<IncomingMessage> {
  events: ResponseEvents | undefined = undefined;
  #headers: OutgoingHttpHeaders | undefined;
  #body: string | Uint8Array | undefined;

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

  /** A stream is not queued. */
  override write(chunk: Uint8Array): boolean {
    this.#writeHead();
    return super.write(chunk);
  }

  override flushHeaders(): void {
    this.#writeHead();
    super.flushHeaders();
  }

  send(): void {
    try {
      this.#writeHead();
      super.end(this.#body);
      this.events?.written(this);
    } catch (error) {
      // The handler set a header that HTTP does not allow.
      console.error(error);
      const { status, headers, body } = failureReply(this.req);
      this.writeHead(status, headers).end(body);
    }
  }

  #writeHead(): void {
    if (!this.headersSent) super.writeHead(this.statusCode, this.#headers);
  }
}

/** Requests begin after all of this turn have been read, so a body in the same packet is complete. */
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

/** Serves the requests that a connection sent in this turn, before it is ended. */
function endTurnOf(socket: Socket): void {
  for (const response of taken(requests, socket)) response.events?.begin(response);
  for (const response of taken(responses, socket)) response.send();
}

/** Removes and returns them. */
function taken(list: QueuedResponse[], socket: Socket): QueuedResponse[] {
  const own = list.filter(({ req }) => req.socket === socket);
  if (own.length > 0) list.splice(0, list.length, ...list.filter((item) => !own.includes(item)));
  return own;
}
