/** Sends a call, and retries it if a retry is safe and can succeed. Keeps to the call's time limit. */
import { hasIdempotencyKeys } from "../../generated/operations.ts";
import { ConfigurationError, ConnectionError, ResponseTooLargeError, TimeoutError } from "./errors.ts";
import type { CallOptions, Hooks } from "./options.ts";
import type { Reply } from "./result.ts";
import { delayBeforeRetry, isIdempotent, mayRepeatAfter } from "./retry.ts";
import { BodyTooLargeError, type IsStream, type Transport } from "./transport/transport.ts";

export interface Sending extends Required<CallOptions> {
  readonly operationId: string;
  readonly requestId: string;
  readonly baseUrl: string;
  readonly transport: Transport;
  readonly maxResponseBytes: number;
  readonly isStream?: IsStream | undefined;
  readonly hooks: readonly Hooks[];
  readonly signal: AbortSignal | null | undefined;
  /** Copied for each attempt, because the body of a Request can be sent only once. */
  readonly request: Request;
  readonly content: BodyInit | undefined;
}

/**
 * Returns the last response, whatever its status is.
 *
 * @throws ConnectionError, ResponseTooLargeError, TimeoutError, the reason of the caller's signal, or a hook's error
 */
export async function sendRepeatedly(sending: Sending): Promise<Reply> {
  const { operationId, requestId, transport, maxResponseBytes, hooks, timeoutMs, maxRetries } = sending;
  const deadline = startDeadline(
    timeoutMs,
    sending.signal,
    () => new TimeoutError(operationId, requestId, `took longer than ${timeoutMs} ms`),
  );
  const callHooks = async (call: (hooks: Hooks) => unknown) => {
    for (const each of hooks) await deadline.race(call(each));
  };
  try {
    for (let attempt = 1; ; attempt++) {
      deadline.signal.throwIfAborted();
      const request = transport.copy(sending.request, deadline.signal, sending.content);
      const about = { operationId, requestId, attempt, request };
      await callHooks((each) => each.onRequest?.(about));
      const startedAt = performance.now();
      let reply: Reply | undefined;
      let error: ConnectionError | undefined;
      try {
        reply = await deadline.race(transport.exchange(request, maxResponseBytes, sending.isStream));
      } catch (cause) {
        deadline.signal.throwIfAborted();
        if (cause instanceof ConfigurationError) throw cause;
        if (cause instanceof BodyTooLargeError)
          throw new ResponseTooLargeError(operationId, requestId, cause.message);
        error = new ConnectionError(operationId, requestId, sending.baseUrl, cause);
      }
      const response = reply?.response;
      const durationMs = performance.now() - startedAt;
      if (response) await callHooks((each) => each.onResponse?.({ ...about, response, durationMs }));
      const isRepeatable =
        isIdempotent(request.method) || (hasIdempotencyKeys && request.headers.has("idempotency-key"));
      const mayRepeat = response
        ? mayRepeatAfter(response.status, isRepeatable)
        : isRepeatable || transport.isUnsent?.(error?.cause) === true;
      const isLast = !mayRepeat || attempt > maxRetries;
      const delayMs = isLast ? Infinity : delayBeforeRetry(attempt, response?.headers);
      if (delayMs >= deadline.remainingMs()) {
        if (reply) return reply;
        throw error;
      }
      const reason = response ? { response } : error && { error };
      await callHooks((each) => each.onRetry?.({ ...about, ...reason, delayMs }));
      await deadline.sleep(delayMs);
    }
  } finally {
    deadline.close();
  }
}

/** A JavaScript timer of 2^31 ms or more fires immediately. */
const maxTimerMs = 2 ** 31 - 1;

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
  const timer = timeoutMs <= maxTimerMs ? setTimeout(() => end(expired()), timeoutMs) : undefined;
  if (outer?.aborted) abort();
  outer?.addEventListener("abort", abort);
  return {
    signal,
    remainingMs: () => endsAt - performance.now(),
    race,
    sleep: (ms: number) =>
      race(
        new Promise<void>((resolve) => {
          pause = setTimeout(resolve, ms);
        }),
      ),
    close: () => {
      clearTimeout(pause);
      clearTimeout(timer);
      outer?.removeEventListener("abort", abort);
    },
  };
}
