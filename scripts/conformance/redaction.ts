/** Keeps secrets out of reports, and recognises values that a recorder has redacted. */
import { isObject, type Json } from "../openapi/document.ts";
import { headerOf, jsonIn } from "./exchange.ts";
import type { RecordedExchange, RecordedMessage } from "./har.ts";
import type { OperationModel, ServiceModel } from "./operation-model.ts";
import { matchPath, pathOf } from "./routes.ts";

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

/** Values under a sensitive name count in any place, because a secret in a wrong place is still secret. */
export function hideSecretsOf(
  { sensitive }: ServiceModel,
  { request, response, url, target }: RecordedExchange & { readonly target: string },
  operation: OperationModel | undefined,
): Hide {
  const names = [...sensitive, ...alwaysSecret];
  const path = operation && matchPath(operation.path, pathOf(target));
  const named = names.flatMap((name) => [...url.searchParams.getAll(name), path?.get(name) ?? ""]);
  const ofMessages = [request, ...(response ? [response] : [])].flatMap(({ headers, content }) => [
    ...names.flatMap((name) => {
      const value = headerOf(headers, name) ?? "";
      // The credential of a scheme: `Bearer …`, `Basic …`.
      return [value, value.split(" ").at(-1) ?? ""];
    }),
    ...cookiesIn(headers),
    ...textsIn(content === undefined ? undefined : jsonIn(content), names, names.includes("")),
  ]);
  return hiding([...named, ...ofMessages]);
}

/** All texts and numbers under a sensitive name. */
function textsIn(value: Json | undefined, names: readonly string[], isSecret: boolean): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, names, isSecret));
  if (isObject(value)) {
    const isNamed = (key: string) => names.some((name) => name.toLowerCase() === key.toLowerCase());
    return Object.entries(value).flatMap(([key, item]) => textsIn(item, names, isSecret || isNamed(key)));
  }
  return isSecret && (typeof value === "string" || typeof value === "number") ? [String(value)] : [];
}

function cookiesIn(headers: RecordedMessage["headers"]): string[] {
  return headers.flatMap(([name, value]) =>
    /^(set-)?cookie$/i.test(name) ? value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf("=") + 1)) : [],
  );
}

/** A text that replaces a secret, such as `[REDACTED]` or `***`. */
export function isRedacted(value: unknown): boolean {
  return (
    typeof value === "string" &&
    (/^\W*(redacted|removed|masked|hidden|filtered|sanitized|scrubbed)\W*$/i.test(value) ||
      /^[*•]{3,}$/.test(value))
  );
}
