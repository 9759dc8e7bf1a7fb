import type { Hooks } from "./options.ts";

/** Headers whose values are not secret. Only the names of all others are logged. */
const harmless =
  /^(?:accept|allow|cache-control|connection|content-(?:encoding|length|type)|date|retry-after|server|www-authenticate|x-content-type-options|x-request-id)$/;

/**
 * Returns hooks that log every attempt, response and retry. The log contains no key, path, query or body. It contains
 * the values of headers only if these are never secret.
 *
 * @param log the function to log with, such as `console.debug`
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
      log(`${operationId}: attempt ${attempt} got ${response.status}`, {
        requestId,
        durationMs,
        headers: shown(response.headers),
      }),
    onRetry: ({ operationId, requestId, attempt, error, delayMs }) =>
      log(`${operationId}: attempt ${attempt} will be retried`, {
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
