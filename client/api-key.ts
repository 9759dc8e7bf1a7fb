import { secretKeyPrefixes } from "../generated/operations.ts";
import type { ClientOptions } from "./options.ts";
import { isBrowser } from "./platform.ts";
import type { Report } from "./problems.ts";

/** The platform's own error message for an invalid header would contain the key. */
export function checkKey({ apiKey, dangerouslyAllowBrowser }: ClientOptions, report: Report): void {
  const secret = secretKeyPrefixes.find((each) => String(apiKey).startsWith(each));
  if (apiKey === "" || apiKey == null) report("/apiKey", "is empty. Is API_KEY set?");
  else if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey))
    report("/apiKey", "must be a string of visible ASCII characters");
  else if (secret !== undefined && dangerouslyAllowBrowser !== true && isBrowser())
    report(
      "/apiKey",
      `must not be secret (${secret}…) in a browser, where everyone can read it. Use another kind of key, or set dangerouslyAllowBrowser`,
    );
}
