/**
 * A server whose responses the test writes byte by byte. It reads request bodies by their Content-Length only. A body
 * with another framing becomes a part of the next request, where a test sees it.
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface Received {
  /** The number of the connection, from 1. All requests of a connection have the same number. */
  readonly connection: number;
  readonly line: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RawServer extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** Every connection so far, with the bytes of its request that is not complete yet. */
  readonly connections: readonly { readonly socket: Socket; readonly rest: string }[];
}

/** @param respond writes the response. Called for each complete request */
export async function startRawServer(
  respond: (socket: Socket, received: Received) => void,
): Promise<RawServer> {
  const received: Received[] = [];
  const connections: { socket: Socket; rest: string }[] = [];
  const server = createServer((socket) => {
    const connection = { socket, rest: "" };
    const number = connections.push(connection);
    socket.setEncoding("latin1");
    socket.on("error", () => {});
    socket.on("data", (text: string) => {
      connection.rest += text;
      for (let whole = nextRequest(connection.rest); whole; whole = nextRequest(connection.rest)) {
        connection.rest = connection.rest.slice(whole.length);
        const request = { connection: number, ...whole.request };
        received.push(request);
        respond(socket, request);
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    connections,
    async [Symbol.asyncDispose]() {
      for (const { socket } of connections) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function nextRequest(text: string) {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [line = "", ...fields] = text.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(":");
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  );
  const length = end + 4 + Number(headers["content-length"] ?? 0);
  if (text.length < length) return undefined;
  const body = Buffer.from(text.slice(end + 4, length), "latin1").toString("utf8");
  return { length, request: { line, headers, body } };
}

export function http(status: string, contentType: string | undefined, body: string, more = ""): string {
  const type = contentType === undefined ? "" : `Content-Type: ${contentType}\r\n`;
  return `HTTP/1.1 ${status}\r\n${type}${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

export const json = (status: string, value: unknown, more = "") =>
  http(status, "application/json", JSON.stringify(value), more);

export async function closed(socket: Socket | undefined): Promise<void> {
  if (socket !== undefined && !socket.closed) await new Promise((resolve) => socket.on("close", resolve));
}

/** Returns the error of a promise that must reject. */
export function thrownBy(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (result) => Promise.reject(new Error("nothing was thrown", { cause: result })),
    (error: unknown) => error,
  );
}
