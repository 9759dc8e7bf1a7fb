/** Keeps the secrets of recorded traffic out of reports, and knows those that somebody has taken out of it before. */
import type { Contract } from "../../generated/contract.ts";
import { secretsIn } from "../../server/contract/secrets.ts";
import { headerOf } from "../conformance/exchange.ts";
import type { RecordedExchange, RecordedMessage } from "./har.ts";

/** Secret whatever the spec says of them. */
const alwaysSecret = ["Authorization", "Proxy-Authorization"];
/** Anything shorter is in many words, and is no secret that a report could give away. */
const minLength = 4;

/** Replaces every secret of an exchange in a text. */
export type Hide = (text: string) => string;

/** @param path the raw texts of the path's parameters */
export function hideSecretsOf(
  contract: Contract,
  { request, answer, url }: RecordedExchange,
  path: { readonly [name: string]: string } = {},
): Hide {
  const names = [...contract.sensitive, ...alwaysSecret];
  const secrets = [request, ...(answer ? [answer] : [])]
    .flatMap(({ headers, content }) => [
      ...secretsIn(
        {
          header: (name) => headerOf(headers, name),
          query: (name) => url.searchParams.getAll(name),
          path,
          body: content && jsonIn(content),
        },
        names,
      ),
      ...cookiesIn(headers),
    ])
    .filter((secret) => secret.length >= minLength)
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])
    .toSorted((left, right) => right.length - left.length);
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, "[redacted]"), text);
}

/** The values of all cookies that were sent or set. */
function cookiesIn(headers: RecordedMessage["headers"]): string[] {
  return headers.flatMap(([name, value]) =>
    /^(set-)?cookie$/i.test(name) ? value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf("=") + 1)) : [],
  );
}

/** Undefined for what is no JSON. */
export function jsonIn(content: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(content));
  } catch {
    return undefined;
  }
}

/** A text that somebody has put where a secret was, such as `[REDACTED]` or `***`. */
export function isRedacted(value: unknown): boolean {
  return (
    typeof value === "string" &&
    (/^\W*(redacted|removed|masked|hidden|filtered|sanitized|scrubbed)\W*$/i.test(value) ||
      /^[*•]{3,}$/.test(value))
  );
}
