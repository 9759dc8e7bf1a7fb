import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { Connections, stopParser } from "./connections.ts";
import { endConnection, isEnding } from "./ending.ts";
import type { ContractEnv } from "./hono.ts";
import { type ListenAddress, listenOn, stopServer } from "./listen-on.ts";
import {
  failureReply,
  type HttpError,
  headerTooLarge,
  httpErrorOf,
  invalid,
  type MalformedHandling,
  malformedMessage,
  malformedReply,
  type ParserError,
} from "./malformed.ts";
import { type TlsServerOptions, tlsOptionsOf } from "./tls-options.ts";
import { QueuedResponse, TurnQueue } from "./turn.ts";
import { limitUnread } from "./unread.ts";

export interface ListenOptions extends ListenAddress, MalformedHandling {
  /** Called when a new connection was closed because there are too many. */
  readonly onDropped?: () => void;
  readonly limits?: Limits;
  /** Serves HTTPS. */
  readonly tls?: TlsServerOptions | undefined;
}

export interface Limits {
  /** The limit of the request line and the header together. */
  readonly maxHeaderBytes: number;
  readonly maxConnections: number;
  /** The time in which the header must arrive. It begins with the connection or after the previous request. */
  readonly headerMs: number;
  /** The time in which the whole request must arrive. Must not be less than `headerMs`. */
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** The time in which a caller must read a response. */
  readonly responseMs: number;
}

export interface Listening {
  readonly url: string;
  /** From now on, responses end their connections, so that callers connect to another server. */
  drain(): void;
  /** Stops to listen, and waits for the open requests. @returns the number of requests that the deadline cut off */
  stop(deadlineMs: number): Promise<number>;
}

const timeoutCheckMs = 1000;
const defaultResponseMs = 60_000;

/** @throws Error of the system if it cannot listen on the address, such as EADDRINUSE */
export async function listen(
  app: Pick<Hono<ContractEnv>, "fetch">,
  options: ListenOptions,
): Promise<Listening> {
  const { limits, onDropped, tls } = options;
  const responseMs = limits?.responseMs ?? defaultResponseMs;
  const respond = responderOf(app, options);
  const server = createHttpServer(limits, tls);
  const unread = limitUnread(responseMs);
  const turn = new TurnQueue({
    begin(outgoing) {
      const error = errorOf(outgoing.req);
      if (error === undefined) {
        respond(outgoing.req, outgoing);
      } else {
        const { status, headers, body } = malformedReply(options, outgoing.req, error);
        outgoing.writeHead(status, headers).end(body);
      }
    },
    unread(outgoing) {
      // Does not use Node's `finished`, which is true only when the system has accepted all bytes.
      if (outgoing.destroyed || (outgoing.writableEnded && outgoing.writableLength === 0)) return;
      unread.add(outgoing, outgoing.unreadBytes);
    },
    failed: (outgoing) => failureReply(options, outgoing.req),
  });
  const connections = new Connections(turn);
  if (tls !== undefined) server.on("connection", (socket: Socket) => connections.acceptTransport(socket));
  server.on(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
    // Node ends a connection when the caller ends it. Responses that are not yet written would be lost.
    socket.prependListener("end", () => {
      connections.beginAll(socket);
      turn.flush(socket);
    });
    // Node removes its own error handler from the socket of a CONNECT. An error without a handler ends the process.
    socket.on("error", () => {});
    // Node calls this after a response with `Connection: close`.
    socket.destroySoon = () => endConnection(socket, responseMs);
    connections.accept(socket);
    socket.once("close", () => unread.forget(socket));
  });
  server.on("request", (incoming, outgoing) => {
    // Upgrades are ignored (RFC 9110, section 7.8). Java's clients ask for h2c. After such a request, Node reads no
    // other request. So the response must contain `Connection: close`, or the next request would wait forever.
    if (incoming.headers.upgrade !== undefined) outgoing.shouldKeepAlive = false;
    if (hasFaultyFraming(incoming)) {
      outgoing.shouldKeepAlive = false;
      stopParser(incoming.socket);
    }
    connections.add(outgoing);
  });
  // The code that reads the body sends the 100. Node would send it before the key is checked.
  server.on("checkContinue", (incoming, outgoing) => server.emit("request", incoming, outgoing));
  // Expectations other than 100-continue may be ignored (RFC 9110, section 10.1.1).
  server.on("checkExpectation", (incoming, outgoing) => server.emit("request", incoming, outgoing));
  const endMalformed = (socket: Socket, ...about: [IncomingMessage | undefined, HttpError?]) => {
    if (isEnding(socket)) return;
    const message = malformedMessage(malformedReply(options, ...about));
    endConnection(socket, responseMs, connections.isResponding(socket) ? undefined : message);
  };
  server.on("connect", (incoming, stream) => {
    // If the request has a body, the stream is not the socket, and it has its own errors.
    stream.on("error", () => {});
    connections.whenIdle(incoming.socket, () => endMalformed(incoming.socket, incoming));
  });
  server.on("clientError", (error: ParserError, socket: Socket) => {
    if (isEnding(socket)) return;
    // A caller whose TLS failed cannot read a response.
    const isReset = error.code === "ECONNRESET" || !connections.isOpen(socket);
    if (isReset || !socket.writable) socket.destroy();
    else connections.whenIdle(socket, () => endMalformed(socket, undefined, httpErrorOf(error)));
  });
  server.on("drop", () => onDropped?.());
  // A header that begins at the end of the time of an idle connection has its own time. Node adds a second to the former.
  const idleMs = server.keepAliveTimeout + 1000 + server.headersTimeout;
  const checks = setInterval(() => connections.endIdle(idleMs, responseMs), timeoutCheckMs).unref();
  server.once("close", () => clearInterval(checks));
  const url = await listenOn(server, options);
  return {
    url: tls === undefined ? url : url.replace("http:", "https:"),
    drain: () => connections.drain(),
    stop: (deadlineMs) => stopServer(server, connections, { deadlineMs, responseMs }),
  };
}

function responderOf({ fetch }: Pick<Hono<ContractEnv>, "fetch">, handling: MalformedHandling) {
  return getRequestListener(fetch, {
    autoCleanupIncoming: false,
    // Used for requests without Host, which HTTP/1.0 allows.
    hostname: "localhost",
    errorHandler: () => {
      const { status, headers, body } = malformedReply(handling);
      return new Response(body, { status, headers });
    },
  });
}

function createHttpServer(
  limits: Limits | undefined,
  tls: TlsServerOptions | undefined,
): Server<typeof IncomingMessage, typeof QueuedResponse> {
  const options = {
    connectionsCheckingInterval: timeoutCheckMs,
    // If Node rejected a missing Host itself, the response would not have this service's error body.
    requireHostHeader: false,
    ServerResponse: QueuedResponse,
    ...(limits && {
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headerMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
    }),
  };
  const server =
    tls === undefined
      ? createServer<typeof IncomingMessage, typeof QueuedResponse>(options)
      : createTlsServer<typeof IncomingMessage, typeof QueuedResponse>({
          ...options,
          ...(limits && { handshakeTimeout: limits.headerMs }),
          ...tlsOptionsOf(tls),
        });
  if (limits) server.maxConnections = limits.maxConnections;
  return server;
}

/** The most headers of a request. Proxies add far fewer. Each costs time, and Node silently drops those after 2000. */
const maxHeaders = 100;

function errorOf(incoming: IncomingMessage): HttpError | undefined {
  if (incoming.rawHeaders.length > maxHeaders * 2) return headerTooLarge;
  // A target has no fragment (RFC 9112, section 3.2).
  const isTarget = incoming.url?.includes("#") === false;
  const isValid = isTarget && isHttp1(incoming) && hasOneHost(incoming) && !hasFaultyFraming(incoming);
  return isValid ? undefined : invalid;
}

/** A proxy may find another end of such a body, so what follows it must not be read as a request (RFC 9112, section 6.1). */
function hasFaultyFraming({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === "1.0" && headers["transfer-encoding"] !== undefined;
}

/** Checks the version, because Node's parser also accepts HTTP/0.9 and HTTP/2.0 and reads them as HTTP/1.1. */
function isHttp1({ httpVersion }: IncomingMessage): boolean {
  return httpVersion === "1.1" || httpVersion === "1.0";
}

/** A request must have exactly one Host (RFC 9112, section 3.2), except that HTTP/1.0 may omit it. */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}
