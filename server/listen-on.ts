import type { Server } from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";

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

/** How long a stopping server still serves new and idle connections. A caller may have sent a request on them. */
const idleGraceMs = 200;
const idleCheckMs = 20;

/**
 * @param deadlineMs time after which open requests are cut off
 * @returns false if a request was cut off
 */
export function stopServer(
  server: Server,
  connections: { drain(): void; readonly isEmpty: boolean },
  deadlineMs: number,
): Promise<boolean> {
  connections.drain();
  return new Promise((resolve) => {
    let inTime = true;
    let idleCheck: NodeJS.Timeout | undefined;
    const close = () => {
      clearTimeout(idleGrace);
      // The `close` of node:http would close idle connections immediately, even if the caller has sent a request.
      NetServer.prototype.close.call(server, () => {
        clearInterval(idleCheck);
        clearTimeout(deadline);
        resolve(inTime);
      });
    };
    const idleGrace = setTimeout(() => {
      afterNewConnections(server, () => {
        close();
        idleCheck = setInterval(() => server.closeIdleConnections(), idleCheckMs);
      });
    }, idleGraceMs);
    const deadline = setTimeout(() => {
      inTime = connections.isEmpty;
      if (server.listening) close();
      server.closeAllConnections();
    }, deadlineMs);
  });
}

/**
 * Calls `call` when the event loop has polled twice without a new connection. On a busy machine, a timer may run
 * before the server reads connections and requests that have already arrived.
 */
function afterNewConnections(server: Server, call: () => void): void {
  let polls = 0;
  const onConnection = () => {
    polls = 0;
  };
  const onPolled = () => {
    polls += 1;
    if (polls <= 2) setImmediate(onPolled);
    else {
      server.off("connection", onConnection);
      call();
    }
  };
  server.on("connection", onConnection);
  setImmediate(onPolled);
}
