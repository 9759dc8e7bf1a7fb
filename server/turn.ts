/**
 * Serves the requests of one turn of the event loop together, once all of them have been read, and writes their responses
 * together. Each write wakes the peer, which then competes for the processor with the requests that are still waiting.
 */
import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Of requests, and of responses: new requests wait for no more than these. */
const mostPerTurn = 64;

const requests: { readonly serve: (response: QueuedResponse) => void; readonly response: QueuedResponse }[] =
  [];
const responses: QueuedResponse[] = [];
let isScheduled = false;

/** Calls `serve` when the requests of this turn have been read; what came in one packet is then there as a whole. */
export function serveInTurn(serve: (response: QueuedResponse) => void, response: QueuedResponse): void {
  requests.push({ serve, response });
  schedule();
}

/** To be called before a connection is ended: serves what it has sent in this turn. */
export function endTurnOf(socket: Socket): void {
  for (const { serve, response } of taken(requests, ({ response }) => response.req.socket === socket))
    serve(response);
  for (const response of taken(responses, ({ req }) => req.socket === socket)) response.send();
}

/** Those that match, which the list then has no more. */
function taken<Item>(list: Item[], matches: (item: Item) => boolean): Item[] {
  const own = list.filter(matches);
  if (own.length > 0) list.splice(0, list.length, ...list.filter((item) => !own.includes(item)));
  return own;
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  isScheduled = false;
  for (const { serve, response } of requests.splice(0, mostPerTurn)) serve(response);
  for (const response of responses.splice(0, mostPerTurn)) response.send();
  if (requests.length > 0 || responses.length > 0) schedule();
}

/** Node's response. `writeHead` and `end` only keep what is to be sent until the end of the turn. */
export class QueuedResponse extends ServerResponse<IncomingMessage> {
  #headers: OutgoingHttpHeaders | undefined;
  #body: string | Uint8Array | undefined;
  /** Called once the response is handed to the system. */
  onWritten: (() => void) | undefined = undefined;
  /** Called instead if HTTP does not allow a header of the response. */
  onFault: ((fault: unknown) => void) | undefined = undefined;

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
      this.onWritten?.();
    } catch (error) {
      this.onFault?.(error);
    }
  }

  #writeHead(): void {
    if (!this.headersSent) super.writeHead(this.statusCode, this.#headers);
  }
}
