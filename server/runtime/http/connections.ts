/** The open connections of a server, and the requests on each. */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { endConnection, isEnding, resetConnection } from "./ending.ts";
import type { QueuedResponse, TurnQueue } from "./turn.ts";

/** The most requests of one connection that run at the same time, so that connections take turns. */
const mostAtOnce = 4;
const mostOpen = 100;
/** If all connections together have this many open requests, each connection may have only `mostAtOnce`. */
const mostOpenInAll = 20_000;

interface ConnectionState {
  readonly socket: Socket;
  /** The responses in the order of their requests (RFC 9112, section 9.3.2). The first `begun` are running. */
  readonly open: QueuedResponse[];
  begun: number;
  onIdle?: () => void;
  /** The time of the last response. */
  respondedAt?: number;
  /** The bytes that had been read when the server stopped to listen. */
  bytesAtStop: number;
}

export class Connections {
  readonly #turn: TurnQueue;
  readonly #connections = new Map<Socket, ConnectionState>();
  /** The sockets below those of TLS. */
  readonly #transports = new Set<Socket>();
  #openInAll = 0;
  #isDraining = false;
  #isHeld = false;

  constructor(turn: TurnQueue) {
    this.#turn = turn;
  }

  accept(socket: Socket): void {
    this.#connections.set(socket, { socket, open: [], begun: 0, bytesAtStop: 0 });
    socket.once("close", () => this.#forget(socket));
  }

  /** Remembers a socket before the handshake of TLS, so that it does not keep a stopping server open. */
  acceptTransport(socket: Socket): void {
    this.#transports.add(socket);
    socket.once("close", () => this.#transports.delete(socket));
  }

  add(response: QueuedResponse): void {
    const { socket } = response.req;
    const connection = this.#connections.get(socket);
    if (connection === undefined || socket.destroyed) return;
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

  drain(): void {
    this.#isDraining = true;
    for (const connection of this.#connections.values()) endWithLast(connection);
  }

  /** Begins no request until `release` is called. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    for (const connection of this.#connections.values()) {
      connection.bytesAtStop = connection.socket.bytesRead;
      for (let count = 0; count < mostAtOnce; count += 1) this.#beginNext(connection);
    }
  }

  /** Begins all requests of a caller that sends no more. Node is about to end the connection. */
  beginAll(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    for (const response of connection.open.slice(connection.begun)) this.#turn.begin(response);
    connection.begun = connection.open.length;
  }

  /** Ends the connections that had a response and then no request for this time. Node's limit begins again with each byte. */
  endIdle(idleMs: number, responseMs: number): void {
    const before = performance.now() - idleMs;
    for (const { socket, open, respondedAt = Infinity } of this.#connections.values())
      if (open.length === 0 && respondedAt < before) endConnection(socket, responseMs);
  }

  /** Ends the connections that have no request, and that have received nothing since `release`. */
  endUnused(responseMs: number): void {
    for (const connection of this.#connections.values())
      if (isUnused(connection)) endConnection(connection.socket, responseMs);
  }

  /** Closes all connections. @returns the number of requests that get no response */
  cutOff(): number {
    let count = 0;
    for (const connection of this.#connections.values()) {
      const { socket, open } = connection;
      // A connection that is used and has no open request has received a part of a header.
      if (!isEnding(socket) && !isUnused(connection)) count += Math.max(open.length, 1);
      socket.destroy();
    }
    for (const socket of this.#transports) socket.destroy();
    return count;
  }

  isOpen(socket: Socket): boolean {
    return this.#connections.has(socket);
  }

  whenIdle(socket: Socket, call: () => void): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || isIdle(connection)) call();
    else connection.onIdle = call;
  }

  /** Returns whether a part of a response has been sent, and no other response may follow it. */
  isResponding(socket: Socket): boolean {
    return this.#connections.get(socket)?.open.some(({ headersSent }) => headersSent) === true;
  }

  /** Removes all responses of a closed connection. Node emits `close` only for the one that is being sent. */
  #forget(socket: Socket): void {
    this.#openInAll -= this.#connections.get(socket)?.open.splice(0).length ?? 0;
    this.#connections.delete(socket);
  }

  #beginNext(connection: ConnectionState): void {
    if (this.#isHeld) return;
    const next = connection.open[connection.begun];
    if (next === undefined || connection.begun === mostAtOnce || next.req.socket.destroyed) return;
    connection.begun += 1;
    this.#turn.begin(next);
  }

  #end(connection: ConnectionState, response: QueuedResponse): void {
    discardBody(response.req);
    const index = connection.open.indexOf(response);
    if (index === -1) return;
    connection.open.splice(index, 1);
    connection.begun -= 1;
    this.#openInAll -= 1;
    connection.respondedAt = performance.now();
    if (isIdle(connection)) connection.onIdle?.();
    this.#beginNext(connection);
  }
}

/** Closes a connection without a response. */
function cutOff(socket: Socket): void {
  stopParser(socket);
  resetConnection(socket);
}

/**
 * Node would continue to parse what it has already read, perhaps thousands of requests. The result 2 means a request
 * for an upgrade, after which the parser stops.
 */
export function stopParser({
  parser,
}: Socket & { readonly parser?: { onIncoming: () => number } | null }): void {
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
function endWithLast({ open }: ConnectionState): void {
  for (const response of open) if (!response.headersSent) response.shouldKeepAlive = response !== open.at(-1);
}

function isUnused({ socket, open, bytesAtStop }: ConnectionState): boolean {
  return open.length === 0 && socket.bytesRead === bytesAtStop;
}

function isIdle({ open }: ConnectionState): boolean {
  return !open.some(({ req }) => req.complete);
}
