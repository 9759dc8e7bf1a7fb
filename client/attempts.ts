/** Sends a call as often as that is safe and useful, within its time. */
import type { ContentRequest } from "./content-request.ts";
import { startDeadline } from "./deadline.ts";
import { ConnectionError, ResponseTooLargeError, TimeoutError } from "./errors.ts";
import type { CallOptions, Hooks } from "./options.ts";
import type { Answer } from "./result.ts";
import { delayBeforeRetry, isIdempotent, mayRepeatAfter } from "./retry.ts";
import { BodyTooLargeError, type Transport } from "./transport/transport.ts";

export interface Sending extends Required<CallOptions> {
  readonly operationId: string;
  readonly requestId: string;
  readonly transport: Transport;
  readonly maxResponseBytes: number;
  readonly hooks: readonly Hooks[];
  readonly signal: AbortSignal | null | undefined;
  /** Makes the request anew for each attempt, for content can be sent but once. */
  readonly buildRequest: (signal: AbortSignal) => ContentRequest;
}

/**
 * The last answer, whatever its status.
 *
 * @throws ConnectionError, ResponseTooLargeError, TimeoutError; the reason of the caller's signal; what a hook throws
 */
export async function sendRepeatedly(sending: Sending): Promise<Answer> {
  const { operationId, requestId, transport, maxResponseBytes, hooks, timeoutMs, maxRetries } = sending;
  const deadline = startDeadline(
    timeoutMs,
    sending.signal,
    () => new TimeoutError(operationId, requestId, `${operationId}: took longer than ${timeoutMs} ms`),
  );
  const tell = async (call: (hooks: Hooks) => unknown) => {
    for (const each of hooks) await deadline.race(call(each));
  };
  try {
    for (let attempt = 1; ; attempt++) {
      deadline.signal.throwIfAborted();
      const request = sending.buildRequest(deadline.signal);
      const about = { operationId, requestId, attempt, request };
      await tell((each) => each.onRequest?.(about));
      const startedAt = performance.now();
      const outcome = await deadline
        .race(transport.exchange(request, maxResponseBytes))
        .catch((cause: unknown) => {
          deadline.signal.throwIfAborted();
          if (cause instanceof BodyTooLargeError)
            throw new ResponseTooLargeError(operationId, requestId, `${operationId}: ${cause.message}`);
          return new ConnectionError(operationId, requestId, cause);
        });
      const failed = outcome instanceof ConnectionError;
      if (!failed) {
        const { response } = outcome;
        await tell((each) =>
          each.onResponse?.({ ...about, response, durationMs: performance.now() - startedAt }),
        );
        if (request.contentLeftBehind) {
          throw new TypeError(
            `the given fetch did not send the content of ${operationId}, which is not in request.body: read it by request.text()`,
          );
        }
      }
      const mayRepeat = failed
        ? isIdempotent(request.method) || transport.isUnsent(outcome.cause)
        : mayRepeatAfter(outcome.response.status, request.method);
      const delayMs = delayBeforeRetry(attempt, failed ? undefined : outcome.response.headers);
      if (!mayRepeat || attempt > maxRetries || delayMs >= deadline.remainingMs()) {
        if (failed) throw outcome;
        return outcome;
      }
      const reason = failed ? { error: outcome } : { response: outcome.response };
      await tell((each) => each.onRetry?.({ ...about, ...reason, delayMs }));
      await deadline.sleep(delayMs);
    }
  } finally {
    deadline.close();
  }
}
