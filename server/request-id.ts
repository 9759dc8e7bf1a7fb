/** The id under which an exchange stands in the log. */
import { randomUUID } from "node:crypto";
import { secretKeyPrefixes } from "../generated/operations.ts";

/** Of the caller's own id; anything else could forge log entries or headers. */
const wellFormed = /^[A-Za-z0-9._-]{1,128}$/;
/** As long as 240 random bits in Base64 or base 62, in which letters of either case come without fail; ids have one. */
const longToken = /[\w-]{40,}/g;

/**
 * The caller's own id where it is well-formed, else a new UUID. It is logged and answered, so what looks like a credential
 * is not adopted, and neither is what the request carries as one.
 */
export function requestIdOf(sent: string | string[] | undefined, authorization: string | undefined): string {
  return typeof sent === "string" && wellFormed.test(sent) && !isCredential(sent, authorization)
    ? sent
    : randomUUID();
}

function isCredential(id: string, authorization = ""): boolean {
  if (id === authorization.split(" ").at(-1)) return true;
  const parts = id.split(/[.-]/);
  if (secretKeyPrefixes.some((prefix) => parts.some((part) => part.startsWith(prefix)))) return true;
  return (id.match(longToken) ?? []).some((token) => /[a-z]/.test(token) && /[A-Z]/.test(token));
}
