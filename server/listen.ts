/**
 * Serves an application over HTTP/1.1 with Node's own server: framing faults answered in the one envelope, content that
 * nobody read thrown away within bounds, and a stop that drops no accepted request.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { ContractEnv } from "./contract/bind.ts";
import { refusalResponse } from "./refusals.ts";

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
/** A request that takes longer to arrive is cut off (slow senders). */
const requestTimeoutMs = 30_000;

/** @throws the system's error where the address cannot be listened on, such as EADDRINUSE */
export async function listen(app: Hono<ContractEnv>, options: ListenOptions): Promise<Listening> {
  const answer = getRequestListener(app.fetch, {
    autoCleanupIncoming: false,
    errorHandler: () => malformedRequest(options),
  });
  // Node would answer a missing Host by itself; the listener refuses it in the one envelope.
  const serverOptions = { requestTimeout: requestTimeoutMs, requireHostHeader: false };
  const server = createServer(serverOptions, (incoming, outgoing) => {
    outgoing.once("finish", () => discardContent(incoming));
    void answer(incoming, outgoing);
  });
  server.on("clientError", (error, socket) => answerMalformed(error, socket, options));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return { url: urlOf(server), stop: (deadlineMs) => stop(server, deadlineMs) };
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

function malformedRequest(options: ListenOptions): Response {
  const { status, headers, body } = malformedParts(options);
  return new Response(body, { status, headers });
}

/** The request broke HTTP's framing, so nothing more can be read from this connection (RFC 9112, section 2.2). */
function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex, options: ListenOptions): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = malformedParts(options);
  const lines = Object.entries({
    ...headers,
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} Bad Request\r\n${head}\r\n${body}`);
}

function malformedParts({ onMalformed }: ListenOptions) {
  const requestId = randomUUID();
  onMalformed(requestId);
  const { status, body } = refusalResponse({ reason: "request_malformed" }, requestId);
  const headers = {
    "Content-Type": "application/json",
    "X-Request-Id": requestId,
    "Cache-Control": "no-store",
  };
  return { status, headers, body: JSON.stringify(body) };
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
