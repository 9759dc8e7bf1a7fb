/** Opens a server's listening socket. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

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
