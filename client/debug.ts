/** A log of every attempt, for the client's option `hooks`. What may be secret never gets there. */
import type { Hooks } from "./options.ts";

/** Headers whose values are no secret. Of all others only the names are told. */
const harmless =
  /^(?:accept|allow|cache-control|connection|content-(?:encoding|length|type)|date|retry-after|server|www-authenticate|x-request-id)$/;

/**
 * Tells of every attempt, answer and repeat, never a key, a path, a query or content, and of headers no value but those
 * known to be harmless.
 *
 * @param log such as `console.debug`
 */
export function debugLog(log: (message: string, details: Readonly<Record<string, unknown>>) => void): Hooks {
  return {
    onRequest: ({ operationId, requestId, attempt, request }) =>
      log(`${operationId}: attempt ${attempt}`, {
        requestId,
        method: request.method,
        headers: shown(request.headers),
      }),
    onResponse: ({ operationId, requestId, attempt, response, durationMs }) =>
      log(`${operationId}: attempt ${attempt} was answered ${response.status}`, {
        requestId,
        durationMs,
        headers: shown(response.headers),
      }),
    onRetry: ({ operationId, requestId, attempt, error, delayMs }) =>
      log(`${operationId}: attempt ${attempt} will be repeated`, {
        requestId,
        delayMs,
        ...(error && { error: error.message }),
      }),
  };
}

function shown(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, harmless.test(name) ? value : "(hidden)"]),
  );
}
