/** Keeps the open responses of each connection, for the limits of a connection and for the drain at shutdown. */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Requests of one connection that are handled at a time, so that it takes turns with the others. */
const mostAtOnce = 4;
/** Requests of one connection that may be open. Each takes memory. */
const mostOpen = 100;
/** Open requests of all connections. Beyond it, a connection may have only as many open as are handled at a time. */
const mostOpenInAll = 20_000;

export interface ConnectionEvents<Outgoing extends ServerResponse> {
  /** The request may be handled, after those of other connections that have begun. */
  readonly begin: (response: Outgoing) => void;
  /** The response has been sent, or its connection is gone. */
  readonly ended: (response: Outgoing) => void;
}

interface Connection<Outgoing> {
  /** In the order of their requests (RFC 9112, section 9.3.2). The first `begun` of them are being handled. */
  readonly open: Outgoing[];
  begun: number;
  onAnswered?: () => void;
}

export class Connections<Outgoing extends ServerResponse> {
  readonly #events: ConnectionEvents<Outgoing>;
  readonly #connections = new Map<Duplex, Connection<Outgoing>>();
  #openInAll = 0;
  #isDraining = false;

  constructor(events: ConnectionEvents<Outgoing>) {
    this.#events = events;
  }

  /** Closes a connection that has too many open requests. */
  add(response: Outgoing): void {
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

  /** Node closes the response that is being sent, and reports nothing of those behind it. */
  forget(socket: Duplex): void {
    const open = this.#connections.get(socket)?.open.splice(0) ?? [];
    this.#openInAll -= open.length;
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

  #end(connection: Connection<Outgoing>, response: Outgoing): void {
    this.#events.ended(response);
    const index = connection.open.indexOf(response);
    if (index === -1) return;
    connection.open.splice(index, 1);
    connection.begun -= 1;
    this.#openInAll -= 1;
    if (isAnswered(connection)) connection.onAnswered?.();
    this.#beginNext(connection);
  }

  #beginNext(connection: Connection<Outgoing>): void {
    const next = connection.open[connection.begun];
    if (next === undefined || connection.begun === mostAtOnce || next.req.socket.destroyed) return;
    connection.begun += 1;
    this.#events.begin(next);
  }
}

/**
 * Node goes on parsing what it has read of a closed connection. That may be thousands of requests, which it keeps until the
 * end of the turn. Its parser stops behind a request that it takes for an upgrade, which is what 2 stands for.
 */
function cutOff(socket: Socket & { readonly parser?: { onIncoming: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => 2;
  socket.resetAndDestroy();
}

/** `Connection: close` drops what is pipelined behind it (RFC 9112, section 9.6), so only the last response says it. */
function endWithLast({ open }: Connection<ServerResponse>): void {
  for (const response of open) if (!response.headersSent) response.shouldKeepAlive = response !== open.at(-1);
}

function isAnswered({ open }: Connection<ServerResponse>): boolean {
  return !open.some(({ req }) => req.complete);
}
