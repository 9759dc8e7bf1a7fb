import type { Server } from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";
import type { Connections } from "./connections.ts";

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Returns the URL. @throws Error of the system if it cannot listen, such as EADDRINUSE */
export async function listenOn(server: Server, { host, port }: ListenAddress): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return urlOf(server);
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  const host = address === "0.0.0.0" || address === "::" ? "127.0.0.1" : address;
  return `http://${family === "IPv6" && host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** How long a stopping server accepts connections that the system has already established. */
const acceptMs = 500;
/**
 * How long a stopping server waits for requests on open connections. A caller may have sent a request on them. A response
 * that began before the stop leaves its connection open, so the server looks again each time.
 */
const unusedMs = 500;

interface StopTimes {
  /** The time after which open requests are cut off. */
  readonly deadlineMs: number;
  readonly responseMs: number;
}

/** @returns the number of requests that were cut off */
export async function stopServer(
  server: Server,
  connections: Connections,
  { deadlineMs, responseMs }: StopTimes,
): Promise<number> {
  let cutOff = 0;
  connections.drain();
  // A caller that gets a response connects again. So new connections end only if no request begins meanwhile.
  connections.hold();
  await acceptWaiting(server);
  // The `close` of node:http would close idle connections immediately, even if the caller has sent a request.
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  connections.release();
  const unused = setInterval(() => connections.endUnused(responseMs), unusedMs);
  const deadline = setTimeout(() => {
    cutOff = connections.cutOff();
  }, deadlineMs);
  await closed;
  clearInterval(unused);
  clearTimeout(deadline);
  return cutOff;
}

/**
 * Resolves when the event loop has polled twice without a new connection. On a busy machine, a timer may run before the
 * server reads connections that have already arrived.
 */
function acceptWaiting(server: Server): Promise<void> {
  const until = performance.now() + acceptMs;
  let polls = 0;
  const onConnection = () => {
    polls = 0;
  };
  return new Promise((resolve) => {
    const onPolled = () => {
      polls += 1;
      if (polls <= 2 && performance.now() < until) setImmediate(onPolled);
      else {
        server.off("connection", onConnection);
        resolve();
      }
    };
    server.on("connection", onConnection);
    setImmediate(onPolled);
  });
}
