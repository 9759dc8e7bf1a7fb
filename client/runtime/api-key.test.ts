import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { startService, type TestService } from "../../server/testing/service.ts";
import { createClient } from "../index.ts";

let keys: { secret: string; publishable: string };
beforeAll(async () => {
  await using service: TestService = await startService();
  keys = { secret: service.acme.secretKey, publishable: service.acme.publishableKey };
});
afterEach(() => vi.unstubAllGlobals());

const clientWith = (apiKey: string, options = {}) =>
  createClient({ baseUrl: "http://service.test", apiKey, ...options });
const rejection =
  "createClient: options /apiKey must not be secret (sk_…) in a browser, unless dangerouslyAllowBrowser is set";

describe.each(["document", "importScripts"])("in a browser, detected by the global `%s`,", (name) => {
  it("a secret key of the service is rejected, even with a custom fetch", () => {
    vi.stubGlobal(name, {});
    expect(() => clientWith(keys.secret)).toThrow(rejection);
    expect(() => clientWith(keys.secret, { fetch })).toThrow(rejection);
    expect(() => clientWith(keys.secret, { dangerouslyAllowBrowser: false })).toThrow(rejection);
  });

  it("the error of a failed connection mentions CORS, because a page cannot see the cause", async () => {
    vi.stubGlobal(name, {});
    const call = clientWith(keys.publishable, {
      fetch: () => Promise.reject(new Error("down")),
      maxRetries: 0,
    });
    await expect(call.getWebhook({ params: { path: { webhook_id: 1 } } })).rejects.toThrow(
      "getWebhook: no complete response arrived from http://service.test (down). " +
        "Does it allow this page's origin (CORS)?",
    );
  });

  it("a secret key is accepted if the option allows it, and a publishable key is always accepted", () => {
    vi.stubGlobal(name, {});
    clientWith(keys.secret, { dangerouslyAllowBrowser: true });
    clientWith(keys.publishable);
  });
});

it("a secret key is accepted outside browsers", () => {
  clientWith(keys.secret);
});
