/** How the server ends a connection, so that the caller can read the last response. */
import type { Socket } from "node:net";

/** How long the server still reads, and discards, what a caller sends after the system has the last response. */
const discardMs = 500;

const ending = new WeakSet<Socket>();

export function isEnding(socket: Socket): boolean {
  return ending.has(socket);
}

/**
 * Sends FIN after the last response, discards what still arrives, and closes the connection 500 ms after the system has
 * the last byte. If a connection is closed while data arrives, the system resets it, and the caller may lose the response
 * (RFC 9112, section 9.6).
 * @param responseMs time until the system must have the last byte. Then the connection is reset
 * @param last sent before FIN
 */
export function endConnection(socket: Socket, responseMs: number, last?: string): void {
  if (ending.has(socket) || socket.destroyed) return;
  ending.add(socket);
  discardInput(socket);
  if (last !== undefined && socket.writable) socket.write(last);
  socket.end();
  let timer = setTimeout(() => resetConnection(socket), responseMs).unref();
  const closeSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => socket.destroy(), discardMs).unref();
  };
  if (socket.writableFinished) closeSoon();
  else socket.once("finish", closeSoon);
  socket.once("close", () => clearTimeout(timer));
}

/** Closes the connection with RST. This also frees what the system has not sent yet. */
export function resetConnection(socket: Socket): void {
  // While libuv sends FIN, a reset fails, and then the socket is never closed.
  const isSendingFin = socket.writableEnded && !socket.writableFinished && socket.writableLength === 0;
  // The socket of TLS has no reset.
  if (isSendingFin || "encrypted" in socket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Takes the socket from Node's parser, which would read another request or report another error. */
function discardInput(socket: Socket): void {
  socket.removeAllListeners("data");
  socket.on("data", () => {});
  socket.resume();
}
