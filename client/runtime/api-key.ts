import { hasOtherCredentials, secretKeyPrefixes } from "../../generated/operations.ts";
import type { ClientOptions } from "./options.ts";
import { isBrowser } from "./platform.ts";
import type { Report } from "./problems.ts";

export function checkKey({ apiKey, dangerouslyAllowBrowser }: ClientOptions, report: Report): void {
  if (hasOtherCredentials && (apiKey === undefined || typeof apiKey === "function")) return;
  const problem = problemOfSecret(apiKey);
  const secret = secretKeyPrefixes.find((each) => String(apiKey).startsWith(each));
  if (problem) report("/apiKey", problem);
  else if (secret !== undefined && dangerouslyAllowBrowser !== true && isBrowser())
    report("/apiKey", `must not be secret (${secret}…) in a browser, unless dangerouslyAllowBrowser is set`);
}

/** The platform's own error message for an invalid header would contain the secret. */
export function problemOfSecret(secret: unknown): string | false {
  if (secret === "" || secret == null) return "is empty. Is API_KEY set?";
  return (
    (typeof secret !== "string" || !/^[\x21-\x7e]+$/.test(secret)) &&
    "must be the key alone, in visible ASCII"
  );
}
