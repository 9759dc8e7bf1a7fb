import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { SharedBytes } from "../contract/bind.ts";
import type { ErrorReply } from "./malformed.ts";

/** The most requests and the most responses per turn, so that new requests do not wait long. */
const mostPerTurn = 64;

export interface ResponseEvents {
  readonly begin: (response: QueuedResponse) => void;
  /** Called after the last byte, and when the caller is slower than a streamed body. */
  readonly unread: (response: QueuedResponse) => void;
  /** Makes the reply if the handler set a header that HTTP does not allow. */
  readonly failed: (response: QueuedResponse) => ErrorReply;
}

/** A response that is not sent when `writeHead` and `end` are called, but at the end of the turn. */
export class QueuedResponse extends ServerResponse<IncomingMessage> {
  /** Set when the request begins. */
  turn: TurnQueue | undefined = undefined;
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
    this.turn?.end(this);
    return this;
  }

  /** Writes each part of a streamed body immediately. */
  override write(chunk: Uint8Array): boolean {
    this.#writeHead();
    const isTaken = super.write(chunk);
    if (!isTaken) this.turn?.events.unread(this);
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
      this.turn?.events.unread(this);
    } catch (error) {
      console.error(error);
      const { status = 500, headers, body } = this.turn?.events.failed(this) ?? {};
      this.writeHead(status, headers).end(body);
    }
  }

  #writeHead(): void {
    if (!this.headersSent) super.writeHead(this.statusCode, this.#headers);
  }
}

/**
 * Writes the responses of one turn of the event loop together. Each write wakes a peer, and then the peer and the
 * waiting requests compete for the processor.
 */
export class TurnQueue {
  readonly events: ResponseEvents;
  readonly #requests: QueuedResponse[] = [];
  readonly #responses: QueuedResponse[] = [];
  #isScheduled = false;

  constructor(events: ResponseEvents) {
    this.events = events;
  }

  /** Begins the request at the end of the turn, when all requests of the turn have been read. So a body in the same packet is complete. */
  begin(response: QueuedResponse): void {
    response.turn = this;
    this.#requests.push(response);
    this.#schedule();
  }

  /** Sends the response at the end of the turn. */
  end(response: QueuedResponse): void {
    this.#responses.push(response);
    this.#schedule();
  }

  /** Serves the requests that a connection sent in this turn, before Node ends the connection. */
  flush(socket: Socket): void {
    for (const response of taken(this.#requests, socket)) this.events.begin(response);
    for (const response of taken(this.#responses, socket)) response.send();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    for (const response of this.#requests.splice(0, mostPerTurn)) this.events.begin(response);
    for (const response of this.#responses.splice(0, mostPerTurn)) response.send();
    if (this.#requests.length > 0 || this.#responses.length > 0) this.#schedule();
  }
}

/** Removes the socket's responses from the list and returns them. */
function taken(list: QueuedResponse[], socket: Socket): QueuedResponse[] {
  const own = list.filter(({ req }) => req.socket === socket);
  if (own.length > 0) list.splice(0, list.length, ...list.filter((item) => !own.includes(item)));
  return own;
}
