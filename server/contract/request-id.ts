/** A UUID (RFC 9562), a ULID or the trace id of W3C Trace Context. No key of this service has such a form. */
const wellFormed =
  /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-7][0-9a-hjkmnp-tv-z]{25}|[0-9a-f]{32})$/i;

/** Returns the caller's id if it is well-formed, and otherwise a new UUID. The id is logged and sent back. */
export function requestIdOf(request: { header(name: string): string | undefined }): string {
  const sent = request.header("x-request-id");
  return sent !== undefined && wellFormed.test(sent) ? sent : crypto.randomUUID();
}
