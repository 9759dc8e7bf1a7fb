/**
 * Serves an application over HTTP/1.1 with Node's own server: framing faults answered in the one envelope, content that
 * nobody read thrown away within bounds, and a stop that drops no accepted request.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { ContractEnv } from "./contract/bind.ts";
import { errorResponse } from "./errors.ts";
import { requestIdOf } from "./request-id.ts";

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Called for a request that breaks HTTP's syntax, with the id that its answer carries. */
  readonly onMalformed: (requestId: string) => void;
}

export interface Listening {
  /** Where it is reached, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /**
   * Takes no further connection and waits for the open requests.
   *
   * @param deadlineMs after which they are cut off
   * @returns false where the deadline had to cut one off
   */
  stop(deadlineMs: number): Promise<boolean>;
}

/** How long a peer may go on sending content that nobody reads before its connection is closed. */
const discardMs = 500;
/** How often a stopping server looks for connections that have become idle. */
const idleCheckMs = 20;
/** A request that takes longer to arrive is cut off (slow senders), at the next of the looks that Node takes. */
const requestTimeoutMs = 30_000;
const timeoutCheckMs = 1000;

/** @throws the system's error where the address cannot be listened on, such as EADDRINUSE */
export async function listen(app: Hono<ContractEnv>, options: ListenOptions): Promise<Listening> {
  const answer = getRequestListener(app.fetch, {
    autoCleanupIncoming: false,
    // A request of HTTP/1.0 may come without Host.
    hostname: "localhost",
    errorHandler: () => {
      const { status, headers, body } = malformed(options);
      return new Response(body, { status, headers });
    },
  });
  const connections = new Connections();
  const server = createServer({
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: timeoutCheckMs,
    // Node would answer a missing Host by itself; it is refused here, in the one envelope.
    requireHostHeader: false,
  });
  server.on("request", (incoming, outgoing) => {
    connections.add(incoming, outgoing);
    outgoing.once("finish", () => discardContent(incoming));
    if (hasOneHost(incoming)) {
      void answer(incoming, outgoing);
    } else {
      const { status, headers, body } = malformed(options, incoming);
      outgoing.writeHead(status, headers).end(body);
    }
  });
  // An expectation other than 100-continue may be passed over (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (incoming, outgoing) => server.emit("request", incoming, outgoing));
  server.on("connect", (incoming, socket) => endMalformed(socket, malformed(options, incoming)));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else {
      const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
      const message = isLate ? "The request did not arrive in time." : undefined;
      connections.whenAnswered(socket, () => endMalformed(socket, malformed(options, undefined, message)));
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return { url: urlOf(server), stop: (deadlineMs) => stop(server, deadlineMs) };
}

/** RFC 9112, section 3.2: exactly one Host, except in HTTP/1.0, which may do without. */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}

/** Which whole requests of a connection are being answered, for answers keep the order of requests (RFC 9112, section 9.3.2). */
class Connections {
  readonly #unanswered = new WeakMap<Duplex, Set<IncomingMessage>>();
  readonly #waiting = new WeakMap<Duplex, () => void>();

  add(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    const unanswered = this.#unanswered.get(socket) ?? new Set();
    this.#unanswered.set(socket, unanswered.add(incoming));
    outgoing.once("close", () => {
      unanswered.delete(incoming);
      if (!this.#isBusy(socket)) this.#waiting.get(socket)?.();
    });
  }

  /** Calls at once where nothing is being answered; a request whose content is still to come does not count. */
  whenAnswered(socket: Duplex, call: () => void): void {
    if (this.#isBusy(socket)) this.#waiting.set(socket, call);
    else call();
  }

  #isBusy(socket: Duplex): boolean {
    return [...(this.#unanswered.get(socket) ?? [])].some(({ complete }) => complete);
  }
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  const host = address === "0.0.0.0" || address === "::" ? "127.0.0.1" : address;
  return `http://${family === "IPv6" && host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** What is left of the content must be read before the connection can serve again, but not without end. */
function discardContent(incoming: IncomingMessage): void {
  if (incoming.complete) return;
  incoming.resume();
  const timer = setTimeout(() => incoming.socket.destroySoon(), discardMs);
  timer.unref();
  incoming.once("close", () => clearTimeout(timer));
}

interface Malformed {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The one envelope, for a request that the application never gets to see. */
function malformed({ onMalformed }: ListenOptions, incoming?: IncomingMessage, message?: string): Malformed {
  const requestId = requestIdOf(incoming?.headers["x-request-id"]);
  onMalformed(requestId);
  const { status, body } = errorResponse(
    "malformed_request",
    requestId,
    message === undefined ? {} : { message },
  );
  const text = JSON.stringify(body);
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(text)),
    "X-Request-Id": requestId,
    "Cache-Control": "no-store",
  };
  return { status, headers, body: text };
}

/** Where HTTP's framing is broken, nothing more can be read from the connection (RFC 9112, section 2.2). */
function endMalformed(socket: Duplex, { status, headers, body }: Malformed): void {
  const lines = Object.entries({ ...headers, Connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} Bad Request\r\n${head}\r\n${body}`);
}

function stop(server: Server, deadlineMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    let inTime = true;
    const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    const deadline = setTimeout(() => {
      inTime = false;
      server.closeAllConnections();
    }, deadlineMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(deadline);
      resolve(inTime);
    });
  });
}
