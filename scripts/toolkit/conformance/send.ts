/** Sends a request exactly as written, including the body of a GET, and returns the bytes of the response. */
import { type Agent, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { ConnectionOptions } from "node:tls";
import { codeOf } from "../openapi/spec-problems.ts";
import { type HttpRequest, type HttpResponse, headerOf } from "./exchange.ts";

export interface ResponseLimits {
  /** The largest size of a body. */
  readonly bytes: number;
  /** The time from the request to the end of the response. A limit of silence would accept a byte per second forever. */
  readonly ms: number;
}

/** In PEM format: the client's certificate and its key, and the authorities to trust instead of the usual ones. */
export type ClientTls = Pick<ConnectionOptions, "cert" | "key" | "ca">;

const usualLimits: ResponseLimits = { bytes: 10_000_000, ms: 30_000 };

/** A service may send any number of 1xx responses before the response (RFC 9110, section 15.2). */
const mostInformational = 100;

/** Thrown if a response has begun but cannot be read to its end. */
export class EndlessResponseError extends Error {}

/**
 * @param agent by default, connections are not kept, because a server may close an idle one when the next request is sent
 * @throws EndlessResponseError, or an Error if there is no response
 */
export function sendRequest(
  baseUrl: string,
  { method, target, headers, body: sent }: HttpRequest,
  limits: ResponseLimits = usualLimits,
  tls: ClientTls = {},
  agent: Agent | false = false,
): Promise<HttpResponse> {
  const isChunked = headerOf(headers, "transfer-encoding") !== undefined;
  const hasLength = sent.byteLength > 0 && !isChunked;
  const length = hasLength ? [["Content-Length", String(sent.byteLength)] as const] : [];
  const request = baseUrl.startsWith("https:") ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const end = (error: Error): void => {
      reject(error);
      outgoing.destroy();
    };
    const hasBegun = (): boolean => (outgoing.socket?.bytesRead ?? 0) > 0;
    const fail = (error: Error): void => {
      const code = codeOf(error);
      if (/^HPE_\w+_OVERFLOW$/.test(code ?? ""))
        reject(new EndlessResponseError(`the response has too long a header (${code})`));
      else if (code === "ECONNRESET" && hasBegun())
        reject(new EndlessResponseError(`the connection ended in the middle of the response (${code})`));
      else if (code?.startsWith("HPE_"))
        reject(new EndlessResponseError(`the response is not HTTP, or longer than it says (${code})`));
      else reject(error);
    };
    const lines = Object.fromEntries([...headers, ...length]);
    const options = { ...tls, method, headers: lines, agent };
    const outgoing = request(`${baseUrl}${target}`, options, (incoming) => {
      // A list of the chunks would need 100 bytes or more for each, and a chunk may have one byte.
      let collected = Buffer.alloc(0);
      let bytes = 0;
      incoming.on("data", (chunk: Buffer) => {
        const before = bytes;
        bytes += chunk.byteLength;
        if (bytes > limits.bytes) {
          end(new EndlessResponseError(`the response has more than ${limits.bytes / 1_000_000} MB`));
          return;
        }
        if (bytes > collected.byteLength) collected = Buffer.concat([collected], 2 * bytes);
        chunk.copy(collected, before);
      });
      incoming.on("error", fail);
      const settle = (): void =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
            (values ?? []).map((value) => [name, value] as const),
          ),
          body: collected.subarray(0, bytes),
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
      end(
        hasBegun()
          ? new EndlessResponseError(`the response did not end within ${seconds}`)
          : new Error(`no response within ${seconds}`),
      );
    }, limits.ms);
    outgoing.on("close", () => clearTimeout(timer));
    // Without a listener, Node closes the connection, and reports neither a response nor an error.
    outgoing.on("upgrade", (_, socket) => {
      socket.on("error", () => {});
      end(new EndlessResponseError("the service switched to another protocol (status 101)"));
    });
    outgoing.on("error", fail);
    // Each write is a chunk.
    if (isChunked) outgoing.write(sent.subarray(0, 1));
    outgoing.end(isChunked ? sent.subarray(1) : sent);
  });
}
