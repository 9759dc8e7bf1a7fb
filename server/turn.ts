/**
 * Writes the responses of one turn of the event loop together. Each write wakes the peer, which then competes for the
 * processor with the requests that are still waiting.
 */
import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";

/** Bounds how long new requests wait for the writes. */
const mostPerFlush = 64;

const queue: QueuedResponse[] = [];

/** Node's response. `writeHead` and `end` only keep what is to be sent until the next flush. */
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
    if (queue.push(this) === 1) setImmediate(flush);
    return this;
  }

  /** A stream is not queued. */
  override write(chunk: Uint8Array): boolean {
    this.#writeHead();
    return super.write(chunk);
  }

  /** @throws TypeError for a header that HTTP does not allow */
  send(): void {
    this.#writeHead();
    super.end(this.#body);
  }

  #writeHead(): void {
    if (!this.headersSent) super.writeHead(this.statusCode, this.#headers);
  }
}

function flush(): void {
  const batch = queue.splice(0, mostPerFlush);
  if (queue.length > 0) setImmediate(flush);
  for (const response of batch) {
    try {
      response.send();
      response.onWritten?.();
    } catch (error) {
      response.onFault?.(error);
    }
  }
}
