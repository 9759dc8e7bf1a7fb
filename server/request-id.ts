/** Names an exchange, in its answer and in the log. */
import { randomUUID } from "node:crypto";

/** Of the caller's own request id; anything else could forge log entries or headers. */
const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/;

/** @param sent the request's `X-Request-Id`, which is kept where it is harmless */
export function requestIdOf(sent: string | undefined): string {
  return sent !== undefined && requestIdForm.test(sent) ? sent : randomUUID();
}
