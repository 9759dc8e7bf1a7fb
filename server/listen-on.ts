/** Opens a server's listening socket, and closes it. */
import type { Server } from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";

export interface ListenAddress {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

/**
 * @returns where it is reached, such as `http://127.0.0.1:3000`
 * @throws the system's error where the address cannot be listened on, such as EADDRINUSE
 */
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

/**
 * How long a stopping server goes on taking connections and leaves idle ones open. A request may be under way on either,
 * also on a connection that the system has established and Node has not seen yet, and is served then. From then on it
 * looks for idle ones that often.
 */
const idleGraceMs = 200;
const idleCheckMs = 20;

/** @returns false if the deadline had to cut an open request off */
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
      // That of node:http would close idle connections at once, requests under way on them and all.
      NetServer.prototype.close.call(server, () => {
        clearInterval(idleCheck);
        clearTimeout(deadline);
        resolve(inTime);
      });
    };
    const idleGrace = setTimeout(() => {
      close();
      idleCheck = setInterval(() => server.closeIdleConnections(), idleCheckMs);
    }, idleGraceMs);
    const deadline = setTimeout(() => {
      inTime = connections.isEmpty;
      if (server.listening) close();
      server.closeAllConnections();
    }, deadlineMs);
  });
}
