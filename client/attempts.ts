/** Sends a call, and retries it if a retry is safe and can succeed. Keeps to the call's time limit. */
import { hasIdempotencyKeys } from "../generated/operations.ts";
import { startDeadline } from "./deadline.ts";
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
