/** Serves `/metrics` on a separate port, so that the operator can keep it private. */
import { createServer } from "node:http";
import { type ListenAddress, listenOn } from "./listen-on.ts";
import type { Metrics } from "./metrics.ts";

export interface MetricsServer {
  readonly url: string;
  close(): void;
}

/** @throws Error of the system if it cannot listen, such as EADDRINUSE */
export async function serveMetrics(
  metrics: Pick<Metrics, "text" | "contentType">,
  address: ListenAddress,
): Promise<MetricsServer> {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url?.split("?")[0] !== "/metrics") {
      outgoing.writeHead(404).end();
    } else if (incoming.method !== "GET" && incoming.method !== "HEAD") {
      outgoing.writeHead(405, { Allow: "GET, HEAD" }).end();
    } else {
      void metrics.text().then((text) => {
        outgoing
          .writeHead(200, { "Content-Type": metrics.contentType, "Cache-Control": "no-store" })
          .end(text);
      });
    }
  });
  const url = await listenOn(server, address);
  return {
    url: `${url}/metrics`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
