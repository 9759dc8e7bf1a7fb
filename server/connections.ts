/**
 * Keeps account of what is being answered on which connection, so that one connection takes its turn with the others and
 * a stop knows what is open. What an answer is, and when its caller takes too long, is left to listen.ts.
 */
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** Of one connection: the others wait for these, so that a connection takes its turn with all the others. */
const mostAtOnce = 4;
/** Of one connection, waiting ones too: each takes memory, and no caller has a use for more. */
const mostOpen = 100;

export interface ConnectionEvents<Answer extends ServerResponse> {
  /** Its turn has come. It is put behind those of other connections that have begun. */
  readonly begin: (answer: Answer) => void;
  /** It has been sent, or its connection is gone. */
  readonly ended: (answer: Answer) => void;
}

interface Connection<Answer extends ServerResponse> {
  /** In the order of their requests. */
  readonly open: Answer[];
  /** Those of them that have not begun. */
  readonly waiting: Answer[];
  begun: number;
}

/** What is being answered on which connection; answers keep the order of requests (RFC 9112, section 9.3.2). */
export class Connections<Answer extends ServerResponse> {
  readonly #events: ConnectionEvents<Answer>;
  readonly #connections = new Map<Duplex, Connection<Answer>>();
  readonly #whenIdle = new WeakMap<Duplex, () => void>();
  #isDraining = false;

  constructor(events: ConnectionEvents<Answer>) {
    this.#events = events;
  }

  /** Begins with the answer when its turn comes. A connection that has too many open is cut off. */
  add(answer: Answer): void {
    const { socket } = answer.req;
    if (socket.destroyed) return;
    const connection = this.#connectionOf(socket);
    const { open, waiting } = connection;
    if (open.length === mostOpen) {
      socket.resetAndDestroy();
      return;
    }
    open.push(answer);
    if (this.#isDraining) this.#endWithLast(socket);
    answer.on("close", () => this.#end(connection, answer));
    if (connection.begun === mostAtOnce) waiting.push(answer);
    else {
      connection.begun += 1;
      this.#events.begin(answer);
    }
  }

  /** Node closes the answer that is being sent, and tells nothing of those behind it. */
  forget(socket: Duplex): void {
    this.#connections.delete(socket);
  }

  get isEmpty(): boolean {
    return [...this.#connections.values()].every(({ open }) => open.length === 0);
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

  #connectionOf(socket: Duplex): Connection<Answer> {
    let connection = this.#connections.get(socket);
    if (connection === undefined) {
      connection = { open: [], waiting: [], begun: 0 };
      this.#connections.set(socket, connection);
    }
    return connection;
  }

  #end(connection: Connection<Answer>, answer: Answer): void {
    const { open, waiting } = connection;
    const { socket } = answer.req;
    open.splice(open.indexOf(answer), 1);
    this.#events.ended(answer);
    if (!this.#isBusy(socket)) this.#whenIdle.get(socket)?.();
    if (waiting.length > 0) this.#beginNext(connection);
    else connection.begun -= 1;
  }

  #beginNext(connection: Connection<Answer>): void {
    const next = connection.waiting.shift();
    if (next === undefined) connection.begun -= 1;
    else if (!next.req.socket.destroyed) this.#events.begin(next);
  }

  /** `Connection: close` drops what is pipelined behind it (RFC 9112, section 9.6), so only the last answer says it. */
  #endWithLast(socket: Duplex): void {
    const [last, ...before] = this.#connections.get(socket)?.open.toReversed() ?? [];
    for (const answer of before) if (!answer.headersSent) answer.shouldKeepAlive = true;
    if (last !== undefined) last.shouldKeepAlive = false;
  }

  #isBusy(socket: Duplex): boolean {
    return this.#connections.get(socket)?.open.some(({ req }) => req.complete) ?? false;
  }
}
