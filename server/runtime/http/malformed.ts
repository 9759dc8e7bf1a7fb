/** Responses to input that is not valid HTTP. The application does not receive such input. */
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { SettledExchange } from "../contract/pipeline.ts";
import { requestIdOf } from "../contract/pipeline.ts";
import { type PlainResponse, type Reply, writeAsItIs } from "../contract/response.ts";
import type { RejectionReason } from "../shared/rejection-reasons.ts";

export type HttpError = Extract<RejectionReason, { reason: "request_malformed" }>;

const reason = "request_malformed";
export const invalid: HttpError = { reason, status: 400, message: "The request is not valid HTTP." };
export const headerTooLarge: HttpError = { reason, status: 431, message: "The request header is too large." };
const tooSlow: HttpError = { reason, status: 408, message: "The request did not arrive in time." };
const methodUnknown: HttpError = { reason, status: 501, message: "No path supports this method." };

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

export interface ErrorReply extends Reply {
  readonly body: string;
}

/** What a server does with input that is not HTTP. */
export interface MalformedHandling {
  /** Makes the response, with the status of the detail. */
  readonly reject: (detail: RejectionReason, requestId: string) => PlainResponse;
  readonly onMalformed: (exchange: SettledExchange) => void;
}

/** @param incoming undefined if the request could not be read */
export function malformedReply(
  { reject, onMalformed }: MalformedHandling,
  incoming?: IncomingMessage,
  error: HttpError = invalid,
): ErrorReply {
  const requestId = idOf(incoming);
  const response = reject(error, requestId);
  const reply = written(response, requestId);
  onMalformed({
    requestId,
    address: undefined,
    operation: "unmatched",
    request: undefined,
    bodyBytes: undefined,
    body: undefined,
    rejection: reason,
    response,
    reply,
    seconds: 0,
  });
  return reply;
}

/** Returns the reply if the handler set a header that HTTP does not allow. */
export function failureReply(
  { reject }: Pick<MalformedHandling, "reject">,
  incoming: IncomingMessage,
): ErrorReply {
  const requestId = idOf(incoming);
  return written(reject({ reason: "failed" }, requestId), requestId);
}

function idOf(incoming: IncomingMessage | undefined): string {
  return requestIdOf({ header: (name) => incoming?.headers[name]?.toString() });
}

function written(response: PlainResponse, requestId: string): ErrorReply {
  const { status, headers, body } = writeAsItIs(response, requestId);
  const text = String(body);
  return { status, headers: { ...headers, "Content-Length": String(Buffer.byteLength(text)) }, body: text };
}

/** Returns the bytes of a response that ends the connection, because no request can be read after broken framing (RFC 9112, section 2.2). */
export function malformedMessage({ status, headers, body }: ErrorReply): string {
  const lines = Object.entries({ ...headers, Connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`;
}
