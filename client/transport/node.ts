/**
 * Sends by fetch in Node, except what fetch refuses: content with GET goes by node:http, framed by Content-Length.
 * Without it Node writes such content unframed, and the next request on the connection is read from it.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { ContentRequest } from "../content-request.ts";
import type { Transport } from "./transport.ts";

/** Agents unref idle connections: they do not keep a process from exiting. */
const httpAgent = new HttpAgent({ keepAlive: true });
const httpsAgent = new HttpsAgent({ keepAlive: true });
/** Fetch standard, "null body status": a Response with one of these must not have a body. */
const nullBodyStatuses = new Set([204, 205, 304]);

export const transport: Transport = {
  sendsContentWith: () => true,
  send: async (request) => {
    const content = request.takeContent();
    return content === undefined ? fetch(request) : sendWithContent(request, content);
  },
};

function sendWithContent(request: ContentRequest, content: string): Promise<Response> {
  const url = new URL(request.url);
  const secure = url.protocol === "https:";
  const bytes = Buffer.from(content, "utf8");
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? httpsRequest : httpRequest)(
      url,
      {
        method: request.method,
        agent: secure ? httpsAgent : httpAgent,
        headers: headersOf(request, bytes.byteLength),
        signal: request.signal,
      },
      (incoming) => {
        try {
          resolve(toResponse(incoming));
        } catch (error) {
          // Such as a status that no Response can have. Thrown from here, it would end the process.
          incoming.destroy();
          reject(error);
        }
      },
    );
    outgoing.on("error", reject);
    // An unasked switch of protocols ends in no response and no error either.
    outgoing.on("close", () => reject(new Error("the connection closed without a response")));
    outgoing.end(bytes);
  });
}

function headersOf(request: ContentRequest, contentLength: number): Record<string, string> {
  const headers = Object.fromEntries(request.headers);
  // Beside Content-Length it would smuggle a request (RFC 9112, section 6.1).
  delete headers["transfer-encoding"];
  headers["content-length"] = String(contentLength);
  // Unlike fetch, nothing here decodes.
  headers["accept-encoding"] = "identity";
  return headers;
}

function toResponse(incoming: IncomingMessage): Response {
  const status = incoming.statusCode ?? 0;
  const headers = new Headers();
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    headers.append(incoming.rawHeaders[index] ?? "", incoming.rawHeaders[index + 1] ?? "");
  }
  const init = { status, statusText: incoming.statusMessage ?? "", headers };
  if (nullBodyStatuses.has(status)) {
    incoming.resume();
    return new Response(null, init);
  }
  const body: NodeReadableStream = Readable.toWeb(incoming);
  // Node's declaration of the stream and the DOM's are two; the object is one.
  return new Response(body as ReadableStream, init);
}
