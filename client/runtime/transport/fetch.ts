/** Sends with fetch, in browsers and edge runtimes. It cannot send a body with GET. */
import { ConfigurationError } from "../errors.ts";
import { BodyTooLargeError, type CreateTransport } from "./transport.ts";

/** A page does not load the code that finds the nearest name. */
export const didYouMean = (_word: string, _known: object): string => "";
export const checkHooks = (_hooks: unknown, _report: unknown): void => {};

export const createTransport: CreateTransport = (options) => {
  if (options.tls)
    throw new ConfigurationError([{ in: "options", pointer: "/tls", message: "is not supported by fetch" }]);
  const send = options.fetch ?? ((request) => fetch(request));
  return {
    Request,
    sendsBodyWith: (method) => !/^(?:GET|HEAD)$/.test(method),
    copy: (request, signal) => new Request(request.clone(), { signal }),
    exchange: async (request, maxBytes, receive) => {
      const response = await send(request);
      return receive(response, async () => {
        const body = response.body?.pipeThrough(limitOf(maxBytes), { signal: request.signal });
        return new Uint8Array(await new Response(body).arrayBuffer());
      });
    },
  };
};

/** Fails if the body is larger than the limit. If the reader stops early, the body is cancelled. */
function limitOf(maxBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let length = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      length += chunk.byteLength;
      if (length > maxBytes) throw new BodyTooLargeError(maxBytes);
      controller.enqueue(chunk);
    },
  });
}
