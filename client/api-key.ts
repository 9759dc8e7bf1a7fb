/** The key that a client sends, and where it must not be. */
import { secretKeyPrefixes } from "../generated/operations.ts";
import type { ClientOptions } from "./options.ts";
import type { Report } from "./problems.ts";

/** Reports what is wrong with the key. Found here, for the platform's own complaint about a header quotes it. */
export function checkKey({ apiKey, dangerouslyAllowBrowser }: ClientOptions, report: Report): void {
  const secret = secretKeyPrefixes.find((each) => String(apiKey).startsWith(each));
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey))
    report("/apiKey", "must be a string of visible ASCII characters");
  else if (secret !== undefined && dangerouslyAllowBrowser !== true && isBrowser())
    report(
      "/apiKey",
      `must not be secret (${secret}…) in a browser, where everyone can read it: use another kind of key, or set dangerouslyAllowBrowser`,
    );
}

/** Pages and their workers. Runtimes of servers have neither documents nor scripts to import. */
function isBrowser(): boolean {
  return "document" in globalThis || "importScripts" in globalThis;
}
