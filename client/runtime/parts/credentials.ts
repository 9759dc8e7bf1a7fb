/** Puts credentials where the spec's security schemes require them (OpenAPI 3.1, section 4.8.27). */
import type { CredentialDescription, OperationDescription } from "#specbind/contract";
import { keyCheck, problemOfSecret } from "../api-key.ts";
import { check, type Kinds } from "../check-options.ts";
import { InvalidCallError } from "../errors.ts";
import type { AnyOptions, BasicCredential, Credential } from "../options.ts";
import type { CredentialPart } from "../parts.ts";

type Descriptions = Readonly<Record<string, CredentialDescription>>;

export const schemeCredentials = (
  secretPrefixes: readonly string[],
  descriptions: Descriptions,
): CredentialPart => [
  { apiKey: "any", credentials: "an object" },
  (options, report) => {
    if (options.apiKey !== undefined && typeof options.apiKey !== "function")
      keyCheck(secretPrefixes)(options, report);
    const schemes = Object.keys(descriptions).filter((scheme) => descriptions[scheme] !== "certificate");
    const known: Kinds = Object.fromEntries(schemes.map((scheme) => [scheme, "any"]));
    for (const { pointer, message } of check(options.credentials ?? {}, known, "/credentials"))
      report(pointer, message);
  },
  async (operationId, operation, params, options) => {
    const [headers, query] = await credentialsFor(descriptions, operationId, operation, options);
    return [headers, { ...params, query: { ...params.query, ...query } }];
  },
];

/** Uses the first alternative of the operation for which all credentials are given. @throws InvalidCallError */
async function credentialsFor(
  descriptions: Descriptions,
  operationId: string,
  { security = [] }: OperationDescription,
  { apiKey, credentials, tls }: AnyOptions,
): Promise<[headers: Record<string, string>, query: Record<string, string>]> {
  const credentialOf = (scheme: string) =>
    credentials?.[scheme] ?? { bearer: apiKey, certificate: tls?.cert }[String(descriptions[scheme])];
  const alternative = security.find(
    (schemes) => schemes.length > 0 && schemes.every((scheme) => credentialOf(scheme) !== undefined),
  );
  const headers: Record<string, string> = {};
  const query: Record<string, string> = {};
  for (const scheme of alternative ?? []) {
    const credential = credentialOf(scheme);
    if (descriptions[scheme] === "certificate") continue;
    if (typeof credential === "object") {
      headers.authorization = basic(credential);
      continue;
    }
    const secret = await secretOf(operationId, credential, `/credentials/${scheme}`);
    const how = descriptions[scheme];
    if (typeof how !== "object") headers.authorization = `Bearer ${secret}`;
    else if (how.in === "query") query[how.name] = secret;
    else if (how.in === "header") headers[how.name.toLowerCase()] = secret;
    else {
      const others = headers.cookie === undefined ? "" : `${headers.cookie}; `;
      headers.cookie = `${others}${how.name}=${encodeURIComponent(secret)}`;
    }
  }
  return [headers, query];
}

/** @throws InvalidCallError if a header cannot contain the secret */
async function secretOf(
  operationId: string,
  credential: Credential | undefined,
  pointer: string,
): Promise<string> {
  const secret = typeof credential === "function" ? await credential() : credential;
  const message = problemOfSecret(secret);
  if (message) throw new InvalidCallError(operationId, [{ in: "options", pointer, message }]);
  return String(secret);
}

/** Encodes a user name and password as RFC 7617, section 2, defines, in UTF-8. */
function basic({ user, password }: BasicCredential): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))}`;
}
