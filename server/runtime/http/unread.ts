/** Limits how long responses wait for callers that do not read them, and how many bytes they keep in memory. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { resetConnection } from "./ending.ts";

/** The most bytes that wait in this process for all callers together. */
const mostBytes = 32 * 1024 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly end: () => void;
}

export interface UnreadResponses {
  /** @param bytes the memory that the response needs until it is read */
  add(response: ServerResponse<IncomingMessage>, bytes: number): void;
  /** Node emits `close` only for the response that is being sent, so the others of the connection end here. */
  forget(socket: Socket): void;
}

/** Resets the connection of a caller that does not read. A reset also frees the system's buffers. */
export function limitUnread(responseMs: number): UnreadResponses {
  const bySocket = new Map<Socket, Set<Waiting>>();
  let bytesInAll = 0;

  function forget(socket: Socket): void {
    for (const { end } of bySocket.get(socket) ?? []) end();
  }

  /** Like the queue of logins, it drops the work of the caller that has the most. A single caller is not limited. */
  function dropLargest(): void {
    while (bytesInAll > mostBytes && bySocket.size > 1) {
      const bytesOf = (own: Set<Waiting>) => [...own].reduce((sum, { bytes }) => sum + bytes, 0);
      const sizes = [...bySocket].map(([socket, own]) => ({ socket, bytes: bytesOf(own) }));
      const { socket } = sizes.reduce((largest, each) => (each.bytes > largest.bytes ? each : largest));
      resetConnection(socket);
      forget(socket);
    }
  }

  return {
    add(response, bytes) {
      const { socket } = response.req;
      if (socket.destroyed) return;
      const timer = setTimeout(() => resetConnection(socket), responseMs).unref();
      const own = bySocket.get(socket) ?? new Set();
      const end = () => {
        clearTimeout(timer);
        response.off("close", end).off("drain", end);
        own.delete(waiting);
        if (own.size === 0) bySocket.delete(socket);
        bytesInAll -= bytes;
      };
      const waiting = { bytes, end };
      bySocket.set(socket, own.add(waiting));
      bytesInAll += bytes;
      response.on("close", end).on("drain", end);
      dropLargest();
    },
    forget,
  };
}
