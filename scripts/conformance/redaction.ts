/** Keeps secrets out of reports, and recognises values that a recorder has redacted. */
import type { Contract } from "../../generated/contract.ts";
import { secretsIn } from "../../server/contract/secrets.ts";
import { headerOf } from "./contract-check.ts";
import type { RecordedExchange, RecordedMessage } from "./har.ts";

/** Secret even if the document does not mark them. */
const alwaysSecret = ["Authorization", "Proxy-Authorization"];
/** Shorter texts are part of many words, so hiding them would make a report unreadable. */
const minLength = 4;

/** Replaces every secret in a text. */
export type Hide = (text: string) => string;

export function hiding(secrets: readonly string[]): Hide {
  const known = secrets
    .filter((secret) => secret.length >= minLength)
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])
    .toSorted((left, right) => right.length - left.length);
  return (text) => known.reduce((hidden, secret) => hidden.replaceAll(secret, "[redacted]"), text);
}

/** @param path the raw texts of the path parameters */
export function hideSecretsOf(
  contract: Contract,
  { request, answer, url }: RecordedExchange,
  path: { readonly [name: string]: string } = {},
): Hide {
  const names = [...contract.sensitive, ...alwaysSecret];
  const query = (name: string) => url.searchParams.getAll(name);
  return hiding(
    [request, ...(answer ? [answer] : [])].flatMap(({ headers, content }) => {
      const header = (name: string) => headerOf(headers, name);
      const body = content && jsonIn(content);
      return [...secretsIn({ header, query, path, body }, names), ...cookiesIn(headers)];
    }),
  );
}

function cookiesIn(headers: RecordedMessage["headers"]): string[] {
  return headers.flatMap(([name, value]) =>
    /^(set-)?cookie$/i.test(name) ? value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf("=") + 1)) : [],
  );
}

/** Undefined for anything that is not JSON. */
export function jsonIn(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(content));
  } catch {
    return undefined;
  }
}

/** A text that replaces a secret, such as `[REDACTED]` or `***`. */
export function isRedacted(value: unknown): boolean {
  return (
    typeof value === "string" &&
    (/^\W*(redacted|removed|masked|hidden|filtered|sanitized|scrubbed)\W*$/i.test(value) ||
      /^[*•]{3,}$/.test(value))
  );
}
