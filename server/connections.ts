/**
 * Keeps account of what is being answered on which connection, so that one connection takes its turn with the others and
 * a stop knows what is open. What an answer is, and when its caller takes too long, is left to listen.ts.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Of one connection: the others wait for these, so that a connection takes its turn with all the others. */
const mostAtOnce = 4;
/** Of one connection, waiting ones too: each takes memory, and no caller has a use for more. */
const mostOpen = 100;

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

type Begin = (exchange: Exchange) => void;

interface Connection {
  /** In the order of their requests. */
  readonly open: Exchange[];
  /** Those of them that have not begun. */
  readonly waiting: Exchange[];
  begun: number;
}

/** What is being answered on which connection; answers keep the order of requests (RFC 9112, section 9.3.2). */
export class Connections {
  readonly #connections = new Map<Duplex, Connection>();
  readonly #whenIdle = new WeakMap<Duplex, () => void>();
  #isDraining = false;

  /** Begins with the exchange when its turn comes. A connection that has too many open is cut off. */
  add(exchange: Exchange, begin: Begin): void {
    const { socket } = exchange.incoming;
    const connection = this.#connections.get(socket) ?? { open: [], waiting: [], begun: 0 };
    const { open, waiting } = connection;
    if (open.length === mostOpen) {
      socket.resetAndDestroy();
      return;
    }
    open.push(exchange);
    this.#connections.set(socket, connection);
    if (this.#isDraining) this.#endWithLast(socket);
    exchange.outgoing.once("close", () => {
      open.splice(open.indexOf(exchange), 1);
      if (open.length === 0) this.#connections.delete(socket);
      if (!this.#isBusy(socket)) this.#whenIdle.get(socket)?.();
      // Not at once: a connection whose answers are ready would be heard to its last request before any other is.
      if (waiting.length > 0) setImmediate(beginNext);
      else beginNext();
    });
    const beginNext = () => {
      const next = waiting.shift();
      if (next === undefined) connection.begun -= 1;
      else if (!socket.destroyed) begin(next);
    };
    waiting.push(exchange);
    if (connection.begun === mostAtOnce) return;
    connection.begun += 1;
    beginNext();
  }

  /** Node closes the answer that is being sent, and tells nothing of those behind it. */
  forget(socket: Duplex): void {
    this.#connections.delete(socket);
  }

  get isEmpty(): boolean {
    return this.#connections.size === 0;
  }

  drain(): void {
    this.#isDraining = true;
    for (const socket of this.#connections.keys()) this.#endWithLast(socket);
  }

  /** Calls at once where nothing is being answered; a request whose content is still to come does not count. */
  whenAnswered(socket: Duplex, call: () => void): void {
    if (this.#isBusy(socket)) this.#whenIdle.set(socket, call);
    else call();
  }

  /** `Connection: close` drops what is pipelined behind it (RFC 9112, section 9.6), so only the last answer says it. */
  #endWithLast(socket: Duplex): void {
    const [last, ...before] = this.#connections.get(socket)?.open.toReversed() ?? [];
    for (const { outgoing } of before) if (!outgoing.headersSent) outgoing.shouldKeepAlive = true;
    if (last !== undefined) last.outgoing.shouldKeepAlive = false;
  }

  #isBusy(socket: Duplex): boolean {
    return this.#connections.get(socket)?.open.some(({ incoming }) => incoming.complete) ?? false;
  }
}
