/** Sends a request exactly as written, including the body of a GET, and returns the bytes of the response. */
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { ReceivedResponse, SentRequest } from "./exchange.ts";

export interface ResponseLimits {
  /** The largest size of a body. */
  readonly bytes: number;
  /** The time from the request to the end of the response. A limit of silence would accept a byte per second forever. */
  readonly ms: number;
}

const usualLimits: ResponseLimits = { bytes: 10_000_000, ms: 30_000 };

/** A service may send any number of 1xx responses before the response (RFC 9110, section 15.2). */
const mostInformational = 100;

/** Thrown if a response has begun but exceeds a limit. */
export class EndlessResponseError extends Error {}

/** @throws EndlessResponseError, or an Error if there is no response */
export function sendRequest(
  baseUrl: string,
  { method, target, headers, content }: SentRequest,
  limits: ResponseLimits = usualLimits,
): Promise<ReceivedResponse> {
  const length = content.byteLength === 0 ? [] : [["Content-Length", String(content.byteLength)] as const];
  const request = baseUrl.startsWith("https:") ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const end = (error: Error): void => {
      reject(error);
      outgoing.destroy();
    };
    const lines = Object.fromEntries([...headers, ...length]);
    // Connections are not kept, because a server may close an idle connection when the next request is sent.
    const outgoing = request(`${baseUrl}${target}`, { method, headers: lines, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      incoming.on("data", (chunk: Buffer) => {
        bytes += chunk.byteLength;
        if (bytes <= limits.bytes) chunks.push(chunk);
        else end(new EndlessResponseError(`the response has more than ${limits.bytes / 1_000_000} MB`));
      });
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
    let informational = 0;
    outgoing.on("information", () => {
      informational += 1;
      if (informational > mostInformational)
        end(new EndlessResponseError(`the service sent more than ${mostInformational} responses with 1xx`));
    });
    const timer = setTimeout(() => {
      const seconds = `${limits.ms / 1000} seconds`;
      const hasBegun = (outgoing.socket?.bytesRead ?? 0) > 0;
      end(
        hasBegun
          ? new EndlessResponseError(`the response did not end within ${seconds}`)
          : new Error(`no response within ${seconds}`),
      );
    }, limits.ms);
    outgoing.on("close", () => clearTimeout(timer));
    outgoing.on("error", reject);
    outgoing.end(content);
  });
}
