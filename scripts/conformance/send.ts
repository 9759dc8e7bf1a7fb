/** Sends a request as it is written, content of a GET too, and answers the bytes that came back. */
import { request } from "node:http";
import type { ReceivedAnswer, SentRequest } from "./exchange.ts";

/** @param baseUrl of http, without a slash at its end */
export function sendRequest(
  baseUrl: string,
  { method, target, headers, content }: SentRequest,
): Promise<ReceivedAnswer> {
  const length = content.byteLength === 0 ? [] : [["Content-Length", String(content.byteLength)] as const];
  return new Promise((resolve, reject) => {
    const lines = Object.fromEntries([...headers, ...length]);
    // A connection of its own: one that was kept may be closed by the server just as it is used again.
    const outgoing = request(`${baseUrl}${target}`, { method, headers: lines, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
            (values ?? []).map((value) => [name, value] as const),
          ),
          content: Buffer.concat(chunks),
        }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(content);
  });
}
