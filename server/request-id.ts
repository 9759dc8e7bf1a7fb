/** The id under which an exchange stands in the log. */
import { randomUUID } from "node:crypto";

/** Of the caller's own id; anything else could forge log entries or headers. */
const wellFormed = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id where it is well-formed, else a new UUID. */
export function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === "string" && wellFormed.test(sent) ? sent : randomUUID();
}
