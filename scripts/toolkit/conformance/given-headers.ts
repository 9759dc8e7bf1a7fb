/** The headers that a user gives: the credentials in them, and the variables of a shell that replace them in reports. */
import querystring from "node:querystring";
import type { SecurityRequirement } from "#specbind/contract";
import { shellQuoted } from "../generate/samples/http-samples.ts";
import { expired, halves, invalidForms, otherCase } from "./checks/credentials.ts";
import { type Headers, headerOf } from "./exchange.ts";
import type { OperationModel } from "./operation-model.ts";
import type { ServiceUnderTest } from "./service-under-test.ts";

/** A text that reports must not contain, and the expression with which a shell makes it. */
interface Secret {
  readonly text: string;
  readonly expression: string;
}

export interface GivenHeaders {
  readonly credentials: ServiceUnderTest["credentials"];
  /** Headers that are not credentials. They are sent with every request. */
  readonly others: Headers;
  /** For each variable of the commands, what it must contain. */
  readonly variables: ReadonlyMap<string, string>;
  /** Replaces every secret in a text. */
  hide(text: string): string;
  /** Quotes a text for a shell. The text is the value of a header, if its name is given. */
  quote(text: string, header?: string): string;
}

/** @param hasCertificate true if every request is sent with a client's certificate */
export function givenHeaders(
  operations: readonly OperationModel[],
  headers: Headers,
  hasCertificate: boolean,
): GivenHeaders {
  const requirements = operations.flatMap(({ security }) => security.flat());
  const schemes = new Map(requirements.map(({ scheme, credential }) => [scheme, credential]));
  const found = [...schemes].map(([scheme, credential]) => {
    const isCertificate = credential === "certificate";
    const text = credentialIn(credential, headers);
    const roles = requirements.flatMap((each) => (each.scheme === scheme ? each.roles : []));
    const valid = text || (isCertificate && hasCertificate) ? [{ text: text ?? "", roles }] : [];
    const invalid = isCertificate ? {} : invalidForms(credential, text ?? "unknown:unknown");
    return { scheme, credential, valid, invalid };
  });
  const given = found.filter(({ credential, valid }) => credential !== "certificate" && valid.length > 0);
  const taken = given.map(({ credential }) => headerFor(credential));
  const others = headers.filter(([name]) => !taken.includes(name.toLowerCase()));
  const secrets = [
    ...given.flatMap(({ scheme, credential, valid: [{ text = "" } = {}] }) => {
      if (credential !== "basic") return [{ name: scheme, text, meaning: `the credential for ${scheme}` }];
      const [user = "", password = ""] = text.split(/:(.*)/s, 2);
      return [
        { name: `${scheme}_USER`, text: user, meaning: `the user name for ${scheme}` },
        { name: `${scheme}_PASSWORD`, text: password, meaning: `the password for ${scheme}` },
      ];
    }),
    ...others.map(([name, text]) => ({ name, text, meaning: `the value of the header ${name}` })),
  ].map(({ name, ...each }) => ({ ...each, variable: variableOf(name) }));
  const all = secrets
    .flatMap(({ variable, text }) => secretsOf(variable, text))
    .toSorted((left, right) => right.text.length - left.text.length);
  const hidden = [
    ...headers.map(([, value]) => value.replace(/^basic +/i, "")),
    ...all.map(({ text }) => text),
  ]
    .filter(isLong)
    .toSorted((left, right) => right.length - left.length);
  const secretsOfHeader = (header = "") => {
    const isSecret = taken.includes(header.toLowerCase()) || headerOf(others, header) !== undefined;
    return all.filter(({ text }) => isSecret || isLong(text));
  };
  return {
    credentials: Object.fromEntries(found.map(({ scheme, ...each }) => [scheme, each])),
    others,
    variables: new Map(
      secrets.flatMap(({ variable, meaning }) => [
        [variable, meaning],
        [`${variable}_ENCODED`, `${variable}, percent-encoded`],
        [`${variable}_EXPIRED`, `${variable} with \`exp\` 1`],
      ]),
    ),
    hide: (text) => hidden.reduce((shown, secret) => shown.replaceAll(secret, "[redacted]"), text),
    quote: (text, header) => quoted(text, secretsOfHeader(header)),
  };
}

/** Shorter strings occur in many words, so a report without them would be unreadable. */
function isLong(secret: string): boolean {
  return secret.length >= 4;
}

/** A name that the shell does not use. */
function variableOf(name: string): string {
  const words = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_").replaceAll(/\W+/g, "_");
  return `API_${words.toUpperCase().replace(/^API_/, "")}`;
}

/** The text and the parts of it that invalid credentials contain. */
function secretsOf(variable: string, text: string): Secret[] {
  const [first, second] = halves(text);
  const { expired: past } = expired(text);
  const encoded = encodeURIComponent(text.toWellFormed());
  const parts = [
    { text: first, expression: `\${${variable}:0:${first.length}}` },
    { text: second, expression: `\${${variable}:${first.length}}` },
    { text: otherCase(text), expression: `$(printf %s "$${variable}" | tr a-zA-Z A-Za-z)` },
    { text: encoded, expression: `$${variable}_ENCODED` },
    ...(past === undefined ? [] : [{ text: past, expression: `$${variable}_EXPIRED` }]),
  ];
  return [
    ...(text === "" ? [] : [{ text, expression: `$${variable}` }]),
    ...parts.filter((part) => part.text !== text && isLong(part.text)),
  ];
}

/** Quotes a text for a shell, with expressions in place of the secrets. */
function quoted(text: string, secrets: readonly Secret[]): string {
  const contains = (other: string) => secrets.some((secret) => other.includes(secret.text));
  if (contains(text)) return `"${withExpressions(text, secrets)}"`;
  const [, scheme = "", encoded = ""] = /^(.* )?([\w+/]+=*)$/.exec(text) ?? [];
  const decoded = Buffer.from(encoded, "base64").toString();
  const isEncoded = contains(decoded) && Buffer.from(decoded).toString("base64") === encoded;
  return isEncoded
    ? `"${scheme}$(printf %s ${quoted(decoded, secrets)} | base64 | tr -d '\\n')"`
    : shellQuoted(text);
}

/** @param secrets the longest one is first, because it may contain others */
function withExpressions(text: string, secrets: readonly Secret[]): string {
  const found = secrets.find((secret) => text.includes(secret.text));
  if (found === undefined) return text.replaceAll(/[\\"$`]/g, "\\$&");
  const pieces = text.split(found.text).map((piece) => withExpressions(piece, secrets));
  // A name ends at the first character that is not a letter, a digit or an underscore.
  const before = (next: string) =>
    /^\w/.test(next)
      ? found.expression.replace(/^\$(\w+)$/, (_, name: string) => `\${${name}}`)
      : found.expression;
  return pieces.reduce((whole, piece) => whole + before(piece) + piece);
}

/** The header of a credential, in lower case. */
function headerFor(credential: SecurityRequirement["credential"]): string {
  if (typeof credential !== "object") return "authorization";
  return credential.in === "cookie" ? "cookie" : credential.name.toLowerCase();
}

function credentialIn(credential: SecurityRequirement["credential"], headers: Headers): string | undefined {
  if (credential === "unknown" || credential === "certificate") return undefined;
  // Each scheme has its own header `Authorization`.
  const given = headers.filter(([name]) => name.toLowerCase() === headerFor(credential));
  const found = (form: RegExp) => given.flatMap(([, value]) => form.exec(value)?.[1] ?? [])[0];
  if (credential === undefined) return found(/^bearer +(.+)$/i);
  if (credential === "basic") {
    const encoded = found(/^basic +(.+)$/i);
    return encoded && Buffer.from(encoded, "base64").toString("utf8");
  }
  if (credential.in !== "cookie") return credential.in === "header" ? given[0]?.[1] : undefined;
  const pairs = given.flatMap(([, value]) => value.split(/;\s*/));
  const pair = pairs.find((each) => each.startsWith(`${credential.name}=`));
  return pair && querystring.unescape(pair.slice(credential.name.length + 1));
}
