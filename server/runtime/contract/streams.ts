/** Bodies that a handler produces piece by piece: an async iterable of bytes or strings, such as a `ReadableStream`. */
export function isAsyncIterable(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/**
 * The iterable starts at the first read. If the caller disconnects, the iterator's `return` is called.
 *
 * @param failed a callback that gets the error of the iterable. It returns true if it has ended the connection
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

/** Calls `return` of a stream that is not sent, so that it releases its resources. */
export function discardStream(body: unknown): void {
  if (!isAsyncIterable(body)) return;
  if (!(body instanceof ReadableStream)) returnOf(body[Symbol.asyncIterator]());
  else if (!body.locked) body.cancel().catch(() => {});
}

/** Does not wait, because a generator returns only when the promise that it awaits is settled. */
function returnOf(iterator: AsyncIterator<unknown>): void {
  (async () => iterator.return?.())().catch(() => {});
}

function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === "string") return new TextEncoder().encode(value);
  throw new TypeError("a stream must consist of bytes or strings");
}
