/** Sends a request exactly as written, including the body of a GET, and returns the bytes of the response. */
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { ReceivedResponse, SentRequest } from "./exchange.ts";

const silenceMs = 30_000;

export function sendRequest(
  baseUrl: string,
  { method, target, headers, content }: SentRequest,
): Promise<ReceivedResponse> {
  const length = content.byteLength === 0 ? [] : [["Content-Length", String(content.byteLength)] as const];
  const request = baseUrl.startsWith("https:") ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const lines = Object.fromEntries([...headers, ...length]);
    // Connections are not kept, because a server may close an idle connection when the next request is sent.
    const outgoing = request(`${baseUrl}${target}`, { method, headers: lines, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      const settle = (): void =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
            (values ?? []).map((value) => [name, value] as const),
          ),
          content: Buffer.concat(chunks),
        });
      incoming.on("end", settle);
      // An event stream need not end, so it is not read.
      if (!/^text\/event-stream\b/i.test(incoming.headers["content-type"] ?? "")) return;
      settle();
      incoming.destroy();
    });
    outgoing.on("error", reject);
    outgoing.setTimeout(silenceMs, () => outgoing.destroy(new Error("no response within 30 seconds")));
    outgoing.end(content);
  });
}
