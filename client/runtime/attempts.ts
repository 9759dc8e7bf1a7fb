/** Sends a call, and retries it if a retry is safe and can succeed. Keeps to the call's time limit. */
import { baseOf } from "./check-options.ts";
import { ConfigurationError, ConnectionError, ResponseTooLargeError, TimeoutError } from "./errors.ts";
import type { CallOptions, CommonOptions, Hooks } from "./options.ts";
import type { ReadResponse } from "./result.ts";
import { delayBeforeRetry, mayRepeatAfter } from "./retry.ts";
import { BodyTooLargeError, type Receive, type RequestBody, type Transport } from "./transport/transport.ts";

/**
 * Returns the last response, with any status.
 *
 * @throws ConnectionError, ResponseTooLargeError, TimeoutError, the reason of the caller's signal, or a hook's error
 */
export async function sendRepeatedly(
  transport: Transport,
  options: CommonOptions,
  init: CallOptions & Pick<RequestInit, "signal">,
  operationId: string,
  requestId: string,
  request: Request,
  body: RequestBody | undefined,
  receive: Receive,
  isRepeatable: (request: Request) => boolean,
): Promise<ReadResponse> {
  const hooks = options.hooks ?? [];
  const timeoutMs = init.timeoutMs ?? options.timeoutMs ?? 30_000;
  const [signal, remainingMs, race, sleep, close] = startDeadline(
    timeoutMs,
    init.signal,
    () => new TimeoutError(operationId, requestId, `took longer than ${timeoutMs} ms`),
  );
  const callHooks = async (call: (hooks: Hooks) => unknown) => {
    for (const each of hooks) await race(call(each));
  };
  try {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      const copy = transport.copy(request, signal, body);
      const about = { operationId, requestId, attempt, request: copy };
      await callHooks((each) => each.onRequest?.(about));
      const startedAt = performance.now();
      let readResponse: ReadResponse | undefined;
      let error: ConnectionError | undefined;
      try {
        readResponse = await race(transport.exchange(copy, options.maxResponseBytes ?? 10_485_760, receive));
      } catch (cause) {
        signal.throwIfAborted();
        if (cause instanceof ConfigurationError) throw cause;
        if (cause instanceof BodyTooLargeError)
          throw new ResponseTooLargeError(operationId, requestId, cause.message);
        error = new ConnectionError(operationId, requestId, baseOf(options.baseUrl), cause);
      }
      const response = readResponse?.[0];
      const durationMs = performance.now() - startedAt;
      if (response) await callHooks((each) => each.onResponse?.({ ...about, response, durationMs }));
      const mayBeSentAgain = isRepeatable(copy);
      const mayRepeat = response
        ? mayRepeatAfter(response.status, mayBeSentAgain)
        : mayBeSentAgain || transport.isUnsent?.(error?.cause);
      const isLast = !mayRepeat || attempt > (init.maxRetries ?? options.maxRetries ?? 2);
      const delayMs = isLast ? Infinity : delayBeforeRetry(attempt, response?.headers);
      if (delayMs >= remainingMs()) {
        if (readResponse) return readResponse;
        throw error;
      }
      await callHooks((each) => each.onRetry?.({ ...about, response, error, delayMs }));
      await sleep(delayMs);
    }
  } finally {
    close();
  }
}

/** Returns a signal. It is aborted with the caller's reason, or with the error of `expired` when the time is over. */
function startDeadline(timeoutMs: number, outer: AbortSignal | null | undefined, expired: () => Error) {
  const controller = new AbortController();
  const { signal } = controller;
  const endsAt = performance.now() + timeoutMs;
  let endRace: (reason: unknown) => void = () => {};
  const end = (reason: unknown) => {
    controller.abort(reason);
    endRace(signal.reason);
  };
  // Rejects when the signal is aborted, even if the work ignores the signal. Only one race runs at a time, so the signal
  // needs no listener for it.
  const race = <Value>(work: Value | PromiseLike<Value>) =>
    new Promise<Value>((resolve, reject) => {
      endRace = reject;
      Promise.resolve(work).then(resolve, reject);
      if (signal.aborted) reject(signal.reason);
    });
  // With a falsy reason, such as null, the caller could not see that the call has failed.
  const abort = () => end(outer?.reason || undefined);
  let pause: ReturnType<typeof setTimeout> | undefined;
  // A JavaScript timer of 2^31 ms or more fires immediately.
  const timer = timeoutMs < 2 ** 31 ? setTimeout(() => end(expired()), timeoutMs) : undefined;
  if (outer?.aborted) abort();
  outer?.addEventListener("abort", abort);
  const sleep = (ms: number) =>
    race(
      new Promise<void>((resolve) => {
        pause = setTimeout(resolve, ms);
      }),
    );
  const close = () => {
    clearTimeout(pause);
    clearTimeout(timer);
    outer?.removeEventListener("abort", abort);
  };
  return [signal, () => endsAt - performance.now(), race, sleep, close] as const;
}
