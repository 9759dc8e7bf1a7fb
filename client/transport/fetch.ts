/** Sends by fetch, in browsers and wherever there is nothing else. It cannot send content with GET. */
import { type CreateTransport, collect, type Transport } from "./transport.ts";

export const createTransport: CreateTransport = (options) =>
  transportOver(
    (request) => fetch(request),
    (method) => method !== "GET" && method !== "HEAD",
    options,
  );

/**
 * A transport that sends by a function like fetch.
 *
 * @throws TypeError where something is asked for that such a function is not told
 */
export function transportOver(
  send: (request: Request) => Promise<Response>,
  sendsContentWith: Transport["sendsContentWith"],
  { tls }: Parameters<CreateTransport>[0],
): Transport {
  if (tls !== undefined) throw new TypeError("tls must be left out where fetch sends");
  return {
    sendsContentWith,
    // Fetch does not tell how far it came.
    isUnsent: () => false,
    exchange: async (request, maxBytes) => {
      const response = await send(request);
      return { response, bytes: await collect(chunksOf(response, request.signal), maxBytes) };
    },
  };
}

/** Not every browser iterates over a stream. Whatever ends the reading ends the stream, too. */
async function* chunksOf({ body }: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  const cancel = () => reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    signal.removeEventListener("abort", cancel);
    await cancel();
  }
}
