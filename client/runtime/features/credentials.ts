/** Puts credentials where the spec's security schemes require them (OpenAPI 3.1, section 4.8.27). */
import type { CredentialDescription, OperationDescription } from "#specbind/contract";
import { credentials } from "../../../generated/operations.ts";
import { problemOfSecret } from "../api-key.ts";
import { InvalidCallError } from "../errors.ts";
import type { BasicCredential, ClientOptions, Credential } from "../options.ts";

export interface SentCredentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

const descriptions: Readonly<Record<string, CredentialDescription>> = credentials;

/** Uses the first alternative of the operation for which all credentials are given. @throws InvalidCallError */
export async function credentialsFor(
  operationId: string,
  { security = [] }: OperationDescription,
  { apiKey, credentials }: Pick<ClientOptions, "apiKey" | "credentials">,
): Promise<SentCredentials> {
  const given: Readonly<Record<string, Credential | BasicCredential | undefined>> = credentials ?? {};
  const credentialOf = (scheme: string) =>
    given[scheme] ?? (descriptions[scheme] === "bearer" ? apiKey : undefined);
  const alternative = security.find(
    (schemes) => schemes.length > 0 && schemes.every((scheme) => credentialOf(scheme) !== undefined),
  );
  const headers: Record<string, string> = {};
  const query: Record<string, string> = {};
  for (const scheme of alternative ?? []) {
    const credential = credentialOf(scheme);
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
  return { headers, query };
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
