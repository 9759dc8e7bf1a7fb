/**
 * Serves an application over HTTP/1.1 with Node's own server. The requests of one turn of the event loop are served
 * together, once all of them have been read, and their responses are written together: each write wakes the peer, which
 * then competes for the processor with the requests that are still waiting.
 */
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { ContractEnv } from "./contract/hono.ts";
import type { SettledExchange } from "./contract/pipeline.ts";
import { type ListenAddress, listenOn, stopServer } from "./listen-on.ts";
import {
  endMalformed,
  failureAnswer,
  faultsByCode,
  type HttpFault,
  headerTooLarge,
  invalid,
  malformedAnswer,
} from "./malformed.ts";

export interface ListenOptions extends ListenAddress {
  /** Called for a request that breaks HTTP's rules, which the application does not see. */
  readonly onMalformed: (exchange: SettledExchange) => void;
  /** Called for a connection that was closed because there were too many. */
  readonly onDropped?: () => void;
  /** Node's own if they are left out. */
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
  /** How long a caller may take to read a response. */
  readonly answerMs: number;
}

export interface Listening {
  /** Where it is reached, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** From now on every response ends its connection, so that callers open their next one elsewhere. */
  drain(): void;
  /**
   * Takes no further connection, once those that the system has established are taken, and waits for the open requests.
   *
   * @param deadlineMs after which they are cut off
   * @returns false if the deadline had to cut one off
   */
  stop(deadlineMs: number): Promise<boolean>;
}

/** How often Node looks for requests that take too long to arrive. */
const timeoutCheckMs = 1000;

/** @throws the system's error if it cannot listen on the address, such as EADDRINUSE */
export async function listen(app: Hono<ContractEnv>, options: ListenOptions): Promise<Listening> {
  const { limits, onMalformed, onDropped } = options;
  const respond = getRequestListener(app.fetch, {
    autoCleanupIncoming: false,
    // A request of HTTP/1.0 may come without Host.
    hostname: "localhost",
    errorHandler: () => {
      const { status, headers, body } = malformedAnswer(onMalformed);
      return new Response(body, { status, headers });
    },
  });
  const server = createServer<typeof IncomingMessage, typeof QueuedResponse>({
    connectionsCheckingInterval: timeoutCheckMs,
    // Node would answer a missing Host by itself; it is rejected here, with the error body of this service.
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
      const fault = faultOf(outgoing.req);
      if (fault === undefined) {
        respond(outgoing.req, outgoing);
      } else {
        const { status, headers, body } = malformedAnswer(onMalformed, outgoing.req, fault);
        outgoing.writeHead(status, headers).end(body);
      }
    },
    written(outgoing) {
      if (limits) cutOffUnread(outgoing, limits.answerMs);
    },
  });
  server.on("connection", (socket) => {
    // Node ends a connection as soon as its caller has, and what is not written then is lost.
    socket.prependListener("end", () => endTurnOf(socket));
    socket.once("close", () => connections.forget(socket));
  });
  server.on("request", (incoming, outgoing) => {
    // No other protocol is offered (RFC 9110, section 7.8). Behind a request that asks for one, as Java's clients do for
    // h2c, Node reads nothing: the next request would wait in vain unless the caller is told that the connection ends.
    if (incoming.headers.upgrade !== undefined) outgoing.shouldKeepAlive = false;
    connections.add(outgoing);
  });
  // Whoever reads the body says when to send it; Node would ask for it before the key has been checked.
  server.on("checkContinue", (incoming, outgoing) => server.emit("request", incoming, outgoing));
  // An expectation other than 100-continue may be ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (incoming, outgoing) => server.emit("request", incoming, outgoing));
  server.on("connect", (incoming, socket) => endMalformed(socket, malformedAnswer(onMalformed, incoming)));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else {
      const fault = faultsByCode[error.code ?? ""];
      connections.whenAnswered(socket, () =>
        endMalformed(socket, malformedAnswer(onMalformed, undefined, fault)),
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

/** Far more than any proxy adds; each costs time to look through. Node leaves out those over 2000. */
const maxHeaders = 100;

function faultOf(incoming: IncomingMessage): HttpFault | undefined {
  if (incoming.rawHeaders.length > maxHeaders * 2) return headerTooLarge;
  return isHttp1(incoming) && hasOneHost(incoming) ? undefined : invalid;
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

/**
 * A response takes memory until its caller has read it, and so does what waits behind it. Without a reset the system would
 * go on keeping what it has been handed.
 */
function cutOffUnread(outgoing: ServerResponse<IncomingMessage>, answerMs: number): void {
  // Node calls it finished only later, when the system has taken it all.
  if (outgoing.destroyed || (outgoing.writableEnded && outgoing.writableLength === 0)) return;
  const timer = setTimeout(() => outgoing.req.socket.resetAndDestroy(), answerMs);
  timer.unref();
  outgoing.once("close", () => clearTimeout(timer));
}

/** Requests of one connection that are handled at a time, so that it takes turns with the others. */
const mostAtOnce = 4;
/** Requests of one connection that may be open. Each takes memory. */
const mostOpen = 100;

interface ResponseEvents {
  /** The request may be handled, after those of other connections that have begun. */
  readonly begin: (response: QueuedResponse) => void;
  /** The response has been handed to the system. */
  readonly written: (response: QueuedResponse) => void;
}

interface Connection {
  /** In the order of their requests (RFC 9112, section 9.3.2). The first `begun` of them are being handled. */
  readonly open: QueuedResponse[];
  begun: number;
  onAnswered?: () => void;
}

/** The open responses of each connection, for the limits of a connection and for the drain at shutdown. */
class Connections {
  readonly #events: ResponseEvents;
  readonly #connections = new Map<Duplex, Connection>();
  #isDraining = false;

  constructor(events: ResponseEvents) {
    this.#events = events;
  }

  /** Closes a connection that has too many open requests. */
  add(response: QueuedResponse): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    const connection = this.#connections.get(socket) ?? { open: [], begun: 0 };
    this.#connections.set(socket, connection);
    if (connection.open.length === mostOpen) {
      socket.resetAndDestroy();
      return;
    }
    connection.open.push(response);
    if (this.#isDraining) endWithLast(connection);
    response.on("close", () => this.#end(connection, response));
    if (connection.open.length === connection.begun + 1) this.#beginNext(connection);
  }

  /** Node closes the response that is being sent, and reports nothing of those behind it. */
  forget(socket: Duplex): void {
    this.#connections.delete(socket);
  }

  get isEmpty(): boolean {
    return [...this.#connections.values()].every(({ open }) => open.length === 0);
  }

  /** Ends each connection with its last open response. */
  drain(): void {
    this.#isDraining = true;
    for (const connection of this.#connections.values()) endWithLast(connection);
  }

  /** Calls once every complete request of the connection has its response. */
  whenAnswered(socket: Duplex, call: () => void): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || isAnswered(connection)) call();
    else connection.onAnswered = call;
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
    connection.open.splice(connection.open.indexOf(response), 1);
    connection.begun -= 1;
    discardBody(response.req);
    if (isAnswered(connection)) connection.onAnswered?.();
    this.#beginNext(connection);
  }
}

/** How long a peer may go on sending a body that nobody reads before its connection is closed. */
const discardMs = 500;

/** The rest of the body must be read before the connection can serve again, but not without end. */
function discardBody(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  incoming.resume();
  const timer = setTimeout(() => incoming.socket.destroySoon(), discardMs);
  timer.unref();
  incoming.once("close", () => clearTimeout(timer));
}

/** `Connection: close` drops what is pipelined behind it (RFC 9112, section 9.6), so only the last response says it. */
function endWithLast({ open }: Connection): void {
  for (const response of open) if (!response.headersSent) response.shouldKeepAlive = response !== open.at(-1);
}

function isAnswered({ open }: Connection): boolean {
  return !open.some(({ req }) => req.complete);
}

/** Of requests, and of responses: new requests wait for no more than these. */
const mostPerTurn = 64;

const requests: QueuedResponse[] = [];
const responses: QueuedResponse[] = [];
let isScheduled = false;

/** Node's response. `writeHead` and `end` only keep what is to be sent until the end of the turn. */
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

  send(): void {
    try {
      this.#writeHead();
      super.end(this.#body);
      this.events?.written(this);
    } catch (error) {
      // HTTP does not allow a header of the response.
      console.error(error);
      const { status, headers, body } = failureAnswer(this.req);
      this.writeHead(status, headers).end(body);
    }
  }

  #writeHead(): void {
    if (!this.headersSent) super.writeHead(this.statusCode, this.#headers);
  }
}

/** Requests begin when all of this turn have been read: a body that came in the same packet is then there as a whole. */
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

/** Serves what a connection has sent in this turn, before the connection is ended. */
function endTurnOf(socket: Socket): void {
  for (const response of taken(requests, socket)) response.events?.begin(response);
  for (const response of taken(responses, socket)) response.send();
}

/** Those of the connection, which the list then has no more. */
function taken(list: QueuedResponse[], socket: Socket): QueuedResponse[] {
  const own = list.filter(({ req }) => req.socket === socket);
  if (own.length > 0) list.splice(0, list.length, ...list.filter((item) => !own.includes(item)));
  return own;
}
