/** When a failed attempt is repeated, and how long after. */

/** RFC 9110, section 9.2.2: however often such a request arrives, it is as if it had arrived once. */
const idempotentMethods = /^(?:GET|HEAD|PUT|DELETE|OPTIONS|TRACE)$/;
const baseMs = 500;
const maxBackoffMs = 8_000;
/** Whoever is asked for more is better told than kept waiting. */
const maxRetryAfterMs = 60_000;

export function isIdempotent(method: string): boolean {
  return idempotentMethods.test(method);
}

/**
 * Whether an answer of this status invites a repeat that does nothing twice. 429 says that the request was turned away
 * (RFC 6585, section 4). 502, 503 and 504 do not: what stands behind a gateway may have acted, and a service may find
 * itself unavailable half-way.
 */
export function mayRepeatAfter(status: number, method: string): boolean {
  return status === 429 || (status >= 502 && status <= 504 && isIdempotent(method));
}

/**
 * Milliseconds until the next attempt: what `Retry-After` asks for, and on top a random part ("full jitter") of a span
 * that doubles with each attempt, so that callers who failed together do not return together. Infinite where more is
 * asked for than is worth waiting.
 *
 * @param attempt the one that failed, counted from 1
 */
export function delayBeforeRetry(attempt: number, headers?: Headers): number {
  const askedMs = retryAfterMs(headers);
  if (askedMs > maxRetryAfterMs) return Number.POSITIVE_INFINITY;
  return askedMs + Math.random() * Math.min(maxBackoffMs, baseMs * 2 ** (attempt - 1));
}

/** RFC 9110, section 10.2.3: seconds or a date, which is read by the server's own clock where it tells the time. */
function retryAfterMs(headers: Headers | undefined): number {
  const text = headers?.get("retry-after") ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const now = Date.parse(headers?.get("date") ?? "") || Date.now();
  return Math.max(0, Date.parse(text) - now || 0);
}
