import { describe, expect, it } from "vitest";
import { createClient, InvalidCallError } from "../index.ts";

/** Passes a value that TypeScript would reject, as a program in JavaScript can. */
const untyped = (value: unknown) => value as never;
const options = { baseUrl: "http://service.test", apiKey: "sk_1" };
const ofClient =
  "baseUrl, apiKey, headers, timeoutMs, maxRetries, maxResponseBytes, hooks, validate, tls, dangerouslyAllowBrowser, fetch";
const ofCall = "params, body, headers, timeoutMs, maxRetries, signal, middleware";
const badKey = "/apiKey must be the key alone, in visible ASCII";
const noKey = "/apiKey is empty. Is API_KEY set?";
const badUrl = "/baseUrl must begin with http:// or https://, without user, query or fragment";

describe("createClient", () => {
  it.each<[given: string, options: unknown, problems: string[]]>([
    ["nothing", undefined, [` must be an object with ${ofClient}`]],
    ["only a URL", "http://service.test", [` must be an object with ${ofClient}`]],
    ["an empty object", {}, ["/baseUrl is missing", noKey]],
    ["a key that is not a string", { ...options, apiKey: 5 }, [badKey]],
    ["a baseUrl that is not a string", { ...options, baseUrl: 5 }, [badUrl]],
    ["a baseUrl that is only a path", { ...options, baseUrl: "/api" }, [badUrl]],
    ["a baseUrl with a query", { ...options, baseUrl: "http://a.test/?b" }, [badUrl]],
    ["a baseUrl with a fragment", { ...options, baseUrl: "http://a.test/#b" }, [badUrl]],
    ["a misspelled option", { ...options, timeOutMS: 5 }, ["/timeOutMS is unknown. Did you mean timeoutMs?"]],
    [
      "a part of one option's name",
      { ...options, timeout: 5, retries: 3 },
      ["/timeout is unknown. Did you mean timeoutMs?", "/retries is unknown. Did you mean maxRetries?"],
    ],
    ["a part of several options' names", { ...options, max: 5 }, [`/max is unknown. Use one of ${ofClient}`]],
    [
      "an option with the name of an inherited property",
      { ...options, constructor: 5 },
      [`/constructor is unknown. Use one of ${ofClient}`],
    ],
    ["a string as time limit", { ...options, timeoutMs: "5" }, ["/timeoutMs must be a number above 0"]],
    [
      "a number of retries that is not a number",
      { ...options, maxRetries: Number.NaN },
      ["/maxRetries must be a number, 0 or above"],
    ],
    ["hooks outside a list", { ...options, hooks: { onRequest: () => {} } }, ["/hooks must be a list"]],
    [
      "misspelled hooks",
      {
        ...options,
        hooks: [
          { onRequest() {}, log: [] },
          { onRequests() {}, onDone() {} },
        ],
      },
      [
        "/hooks/1/onRequests is unknown. Did you mean onRequest?",
        "/hooks/1/onDone is unknown. Use one of onRequest, onResponse, onRetry",
      ],
    ],
    ["an invalid fetch", { ...options, fetch: "fetch" }, ["/fetch must be a function"]],
    ["an invalid validator", { ...options, validate: true }, ["/validate must be a function"]],
    [
      "several invalid options",
      { ...options, maxRetries: null, maxResponseBytes: 0, tls: 5, verbose: true },
      [
        "/maxResponseBytes must be a number above 0",
        "/tls must be an object",
        `/verbose is unknown. Use one of ${ofClient}`,
      ],
    ],
    ["several invalid values", { baseUrl: "localhost", apiKey: "" }, [badUrl, noKey]],
    [
      "a misspelled option that is required",
      { ...options, baseUrl: undefined, baseURL: "" },
      ["/baseURL is unknown. Did you mean baseUrl?"],
    ],
  ])("with %s reports each option and its valid values", (_, given, problems) => {
    const listed = problems.map((problem) => `options${problem.startsWith("/") ? " " : ""}${problem}`);
    expect(() => createClient(untyped(given))).toThrow(
      expect.objectContaining({ name: "ConfigurationError", message: `createClient: ${listed.join("; ")}` }),
    );
  });

  it("does not repeat invalid values in its error", () => {
    const secret = { baseUrl: "http://user:hush@a.test", apiKey: "hush\n", headers: { "X-A": "hush\n" } };
    expect(() => createClient(secret)).toThrow(
      `createClient: options ${badUrl}; options ${badKey}; options /headers/x-a must be one line of Latin-1 characters`,
    );
  });
});

describe("a call", () => {
  const client = createClient({
    ...options,
    fetch: () => Promise.reject(new Error("this must not be sent")),
    maxRetries: 0,
  });
  const path = { webhook_id: 1 };

  it.each<[given: string, init: unknown, problems: string]>([
    ["nothing", undefined, "path /webhook_id is missing"],
    ["null", null, `options must be an object with ${ofCall}`],
    ["a value that is not an object", 1, `options must be an object with ${ofCall}`],
    [
      "parameters outside params",
      { webhook_id: 1 },
      `options /webhook_id is unknown. Use one of ${ofCall}. Does webhook_id belong into body or params?`,
    ],
    [
      "parameters outside path, query, header and cookie",
      { params: path },
      "options /params/webhook_id is unknown. Use one of path, query, header, cookie",
    ],
    [
      "path parameters that are not an object",
      { params: { path: 1 } },
      "options /params/path must be an object",
    ],
    [
      "a part of an option's name",
      { params: { path }, timeOut: 1 },
      "options /timeOut is unknown. Did you mean timeoutMs?",
    ],
    [
      "an AbortController instead of its signal",
      { params: { path }, signal: new AbortController() },
      "options /signal must be an AbortSignal",
    ],
    ["middleware outside a list", { params: { path }, middleware: {} }, "options /middleware must be a list"],
    [
      "a negative number of retries",
      { params: { path }, maxRetries: -1 },
      "options /maxRetries must be a number, 0 or above",
    ],
  ])(
    "with %s is rejected before it is sent, and the error has the place of the problem",
    async (_, init, problems) => {
      const error = await client.getWebhook(untyped(init)).then(untyped, (thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InvalidCallError);
      expect(error).toMatchObject({ operationId: "getWebhook", message: `getWebhook: ${problems}` });
    },
  );

  it("without a required body is rejected before it is sent", async () => {
    await expect(client.submitCommission(untyped(undefined))).rejects.toThrow(
      new InvalidCallError("submitCommission", [{ in: "body", pointer: "", message: "is missing" }]),
    );
  });

  it("treats null like a missing option", async () => {
    const client = createClient({
      ...options,
      fetch: async (request) => Response.json(await request.text()),
    });
    const init = { params: { path }, headers: null, signal: null, middleware: null, timeoutMs: null };
    expect((await client.getWebhook(untyped(init))).status).toBe(200);
  });
});
