/** Responses to input that is not valid HTTP. The application does not receive such input. */
import { type IncomingMessage, STATUS_CODES } from "node:http";
import { errorResponse } from "../../errors.ts";
import type { SettledExchange } from "../contract/pipeline.ts";
import { requestIdOf } from "../contract/pipeline.ts";
import { writeAsItIs } from "../contract/response.ts";

export interface HttpError {
  readonly status: number;
  readonly code: "malformed_request" | "method_not_allowed";
  readonly message: string;
}

const code = "malformed_request";
export const invalid: HttpError = { status: 400, code, message: "The request is not valid HTTP." };
export const headerTooLarge: HttpError = { status: 431, code, message: "The request header is too large." };
const tooSlow: HttpError = { status: 408, code, message: "The request did not arrive in time." };
const methodUnknown: HttpError = {
  status: 501,
  code: "method_not_allowed",
  message: "No path supports this method.",
};

/** Node's error for a request that its parser rejected. */
export interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

export function httpErrorOf(error: ParserError): HttpError {
  switch (error.code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return tooSlow;
    case "HPE_HEADER_OVERFLOW":
      return headerTooLarge;
    case "HPE_INVALID_METHOD":
      return isRequestLine(error) ? methodUnknown : invalid;
    default:
      return invalid;
  }
}

/** Returns whether only the method is unknown (RFC 9112, section 3). A newer RFC may define it. */
function isRequestLine({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  const text = rawPacket?.toString("latin1") ?? "";
  const line = text.slice(text.lastIndexOf("\n", bytesParsed) + 1).split("\r\n", 1)[0];
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ [!-~]+ HTTP\/1\.[01]$/.test(line ?? "");
}

interface ErrorReply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export type ReportMalformed = (exchange: SettledExchange, code: HttpError["code"]) => void;

/** @param incoming undefined if the request could not be read */
export function malformedReply(
  report: ReportMalformed,
  incoming?: IncomingMessage,
  { status, code, message }: HttpError = invalid,
): ErrorReply {
  const requestId = idOf(incoming);
  const reply = { ...envelope(code, requestId, message), status };
  const exchange = {
    requestId,
    address: undefined,
    operation: "unmatched",
    request: undefined,
    content: undefined,
    rejection: "request_malformed",
    response: reply,
    reply,
    seconds: 0,
  } as const;
  report(exchange, code);
  return reply;
}

/** Returns the reply if the handler set a header that HTTP does not allow. */
export function failureReply(incoming: IncomingMessage): ErrorReply {
  return envelope("internal_error", idOf(incoming));
}

function idOf(incoming: IncomingMessage | undefined): string {
  return requestIdOf({ header: (name) => incoming?.headers[name]?.toString() });
}

function envelope(
  code: HttpError["code"] | "internal_error",
  requestId: string,
  message?: string,
): ErrorReply {
  const { status, headers, body } = writeAsItIs(errorResponse(code, requestId, { message }), requestId);
  const text = String(body);
  return { status, headers: { ...headers, "Content-Length": String(Buffer.byteLength(text)) }, body: text };
}

/** Returns the bytes of a response that ends the connection, because no request can be read after broken framing (RFC 9112, section 2.2). */
export function malformedMessage({ status, headers, body }: ErrorReply): string {
  const lines = Object.entries({ ...headers, Connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`;
}
