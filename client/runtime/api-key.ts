import type { CredentialPart } from "./parts.ts";
import { isBrowser } from "./platform.ts";

/** @param secretPrefixes keys with these prefixes must not be used in a page */
export const bearerKey = (secretPrefixes: readonly string[]): CredentialPart => [
  { apiKey: "any" },
  keyCheck(secretPrefixes),
  (_id, _operation, params, { apiKey }) => [{ authorization: `Bearer ${apiKey}` }, params],
];

export const keyCheck =
  (secretPrefixes: readonly string[]): CredentialPart[1] =>
  ({ apiKey, dangerouslyAllowBrowser }, report) => {
    const problem = problemOfSecret(apiKey);
    const secret = secretPrefixes.find((each) => String(apiKey).startsWith(each));
    if (problem) report("/apiKey", problem);
    else if (secret !== undefined && dangerouslyAllowBrowser !== true && isBrowser())
      report(
        "/apiKey",
        `must not be secret (${secret}…) in a browser, unless dangerouslyAllowBrowser is set`,
      );
  };

/** The platform's own error message for an invalid header would contain the secret. */
export function problemOfSecret(secret: unknown): string | false {
  if (!secret) return "is empty. Is API_KEY set?";
  return (
    (typeof secret !== "string" || !/^[\x21-\x7e]+$/.test(secret)) &&
    "must be the key alone, in visible ASCII"
  );
}
