/** The key that a client sends, and where it must not be. */
import { secretKeyPrefixes } from "../generated/operations.ts";

/**
 * The value of the header `Authorization`. Checked here, for the platform's own complaint about a header quotes it.
 *
 * @throws TypeError where the key cannot be sent, or is secret and this is a browser
 */
export function authorizationOf(apiKey: string, allowBrowser = false): string {
  if (!apiKey) throw new TypeError("apiKey must be given: it is missing or empty");
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError("apiKey must be visible ASCII characters, without a space or a line end");
  const secret = secretKeyPrefixes.find((each) => apiKey.startsWith(each));
  if (secret !== undefined && !allowBrowser && isBrowser())
    throw new TypeError(
      `apiKey must not be secret (${secret}…) in a browser, where everyone can read it. Call from a server, use another ` +
        "kind of key, or set dangerouslyAllowBrowser",
    );
  return `Bearer ${apiKey}`;
}

/** Pages and their workers. Runtimes of servers have neither documents nor scripts to import. */
function isBrowser(): boolean {
  return "document" in globalThis || "importScripts" in globalThis;
}
