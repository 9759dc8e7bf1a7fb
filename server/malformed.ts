/** Responses to input that is not valid HTTP. The application never sees it. */
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { SettledExchange } from "./contract/pipeline.ts";
import { errorResponse } from "./errors.ts";
import { requestIdOf } from "./log.ts";

export interface HttpError {
  readonly status: number;
  readonly message: string;
}

export const invalid: HttpError = { status: 400, message: "The request is not valid HTTP." };
export const headerTooLarge: HttpError = { status: 431, message: "The request header is too large." };

export const httpErrorsByCode: { readonly [code: string]: HttpError } = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request did not arrive in time." },
  HPE_HEADER_OVERFLOW: headerTooLarge,
};

interface ErrorReply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** @param incoming undefined if the request could not be read */
export function malformedReply(
  report: (exchange: SettledExchange) => void,
  incoming?: IncomingMessage,
  { status, message }: HttpError = invalid,
): ErrorReply {
  const requestId = idOf(incoming);
  const reply = { ...envelope("malformed_request", requestId, message), status };
  report({
    requestId,
    address: undefined,
    operation: "unmatched",
    request: undefined,
    content: undefined,
    rejection: "request_malformed",
    response: reply,
    reply,
    seconds: 0,
  });
  return reply;
}

/** For a response with a header that HTTP does not allow. */
export function failureReply(incoming: IncomingMessage): ErrorReply {
  return envelope("internal_error", idOf(incoming));
}

function idOf(incoming: IncomingMessage | undefined): string {
  return requestIdOf({ header: (name) => incoming?.headers[name]?.toString() });
}

function envelope(
  code: "malformed_request" | "internal_error",
  requestId: string,
  message?: string,
): ErrorReply {
  const { status, headers, body } = errorResponse(code, requestId, message === undefined ? {} : { message });
  const text = JSON.stringify(body);
  return {
    status,
    headers: {
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(text)),
      "X-Request-Id": requestId,
      "Cache-Control": "no-store",
      ...headers,
    },
    body: text,
  };
}

/** After broken framing nothing more can be read from the connection (RFC 9112, section 2.2). */
export function endMalformed(socket: Duplex, { status, headers, body }: ErrorReply): void {
  const lines = Object.entries({ ...headers, Connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
}
