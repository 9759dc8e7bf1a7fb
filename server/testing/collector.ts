/** An OpenTelemetry collector for tests. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

interface Span {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly status: { readonly code: number };
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly events?: readonly { readonly name: string }[];
}

interface Collected {
  readonly resource: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly spans: readonly Span[];
}

/** Receives spans as OTLP/HTTP with JSON. */
export async function startCollector(status = 200) {
  const received: { readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string }[] =
    [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { url = "", headers } = incoming;
      received.push({ url, headers, body: Buffer.concat(chunks).toString("utf8") });
      outgoing.writeHead(status, { "Content-Type": "application/json" }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    received,
    collected: (): Collected => {
      const batches = received.flatMap(({ body }) => JSON.parse(body).resourceSpans);
      return {
        resource: batches[0]?.resource.attributes ?? [],
        spans: batches.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }: Collected) => spans)),
      };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
