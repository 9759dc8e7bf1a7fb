/** Sending such a request twice has the same effect as sending it once (RFC 9110, section 9.2.2; RFC 10008). */
const idempotent = /^(?:GET|HEAD|PUT|DELETE|OPTIONS|TRACE|QUERY)$/;
const baseMs = 500;
const maxBackoffMs = 8_000;
/** If `Retry-After` is longer, the call returns immediately: an error is more useful than a long wait. */
const maxRetryAfterMs = 60_000;

export function isIdempotent({ method }: Pick<Request, "method">): boolean {
  return idempotent.test(method);
}

/**
 * Returns true if a retry after this status is safe. After a 429 it always is, because the server has not processed the
 * request (RFC 6585, section 4). After a 502, 503 or 504, the service behind a gateway may have processed it.
 */
export function mayRepeatAfter(status: number, isRepeatable: boolean): boolean {
  return status === 429 || (status >= 502 && status <= 504 && isRepeatable);
}

/**
 * Returns the milliseconds until the next attempt: the time of `Retry-After` plus a random part ("full jitter") of a
 * span that doubles with each attempt. So callers that failed at the same time do not retry at the same time. Returns
 * Infinity if `Retry-After` is too long.
 *
 * @param attempt number of the failed attempt. The first is 1
 */
export function delayBeforeRetry(attempt: number, headers?: Headers): number {
  const askedMs = retryAfterMs(headers);
  if (askedMs > maxRetryAfterMs) return Infinity;
  return askedMs + Math.random() * Math.min(maxBackoffMs, baseMs * 2 ** (attempt - 1));
}

/** `Retry-After` has seconds or a date (RFC 9110, section 10.2.3). The date is compared with the server's clock. */
function retryAfterMs(headers: Headers | undefined): number {
  const text = headers?.get("retry-after") ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const now = Date.parse(headers?.get("date") ?? "") || Date.now();
  return Math.max(0, Date.parse(text) - now || 0);
}
