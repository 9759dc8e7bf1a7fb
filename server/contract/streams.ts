/** Bodies that a handler produces piece by piece: an async iterable of bytes, such as a `ReadableStream`. */
export function isStream(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/**
 * Starts with the first read. If the caller goes away, the iterator is asked to return.
 *
 * @param failed is called with what the iterable throws. True means that it has ended the connection
 */
export function streamOf(
  body: AsyncIterable<unknown>,
  failed: (error: unknown) => boolean = () => false,
): ReadableStream {
  const iterator = body[Symbol.asyncIterator]();
  let isEnded = false;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next();
          if (isEnded) return;
          if (done) controller.close();
          else controller.enqueue(bytesOf(value));
        } catch (error) {
          if (!isEnded && !failed(error)) controller.error(error);
          returnOf(iterator);
        }
      },
      cancel() {
        isEnded = true;
        returnOf(iterator);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Lets go of what a stream that is not sent holds. */
export function discardStream(body: unknown): void {
  if (!isStream(body)) return;
  if (!(body instanceof ReadableStream)) returnOf(body[Symbol.asyncIterator]());
  else if (!body.locked) body.cancel().catch(() => {});
}

/** Does not wait, because a generator returns only when what it awaits has come. */
function returnOf(iterator: AsyncIterator<unknown>): void {
  Promise.resolve(iterator.return?.()).catch(() => {});
}

function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === "string") return new TextEncoder().encode(value);
  throw new TypeError("a stream must consist of bytes");
}
