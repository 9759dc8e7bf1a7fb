/** Responses that are streams of items. */
import { type OperationDescription, responseFor } from "#specbind/contract";
import { matchType } from "../../../server/runtime/shared/media-type.ts";
import type { ResponsePart } from "../parts.ts";
import { receiveWhole } from "../transport/transport.ts";
import { readBody } from "./bodies.ts";

/** Also reads all other bodies. */
export const streamedResponses: ResponsePart = (operation, signal) => [
  async (response, collect, open = () => response.body) => {
    if (!response.ok || !isDocumentedAsStream(operation, response)) return receiveWhole(response, collect);
    return [new Response(null, response), new Uint8Array(), endedBy(signal, open())];
  },
  (readResponse, mediaTypes, contentType) =>
    isDocumentedAsStream(operation, readResponse[0])
      ? (readResponse[2] ?? new Blob([readResponse[1]]).stream())
      : readBody(readResponse, mediaTypes, contentType),
];

/** Returns true if the response is documented as a stream of items. */
function isDocumentedAsStream(
  { streams = [], responses }: OperationDescription,
  { status, headers }: Response,
): boolean {
  const documented = streams.filter((each) => responseFor(responses, status)?.includes(each));
  return matchType(headers.get("content-type") ?? "", documented) !== undefined;
}

/** Lets the caller's signal end a stream, because the call's time limit applies only until the headers arrive. */
function endedBy(
  signal: AbortSignal | null | undefined,
  stream: ReadableStream | null,
): ReadableStream | null {
  return signal && stream ? stream.pipeThrough(new TransformStream(), { signal }) : stream;
}
