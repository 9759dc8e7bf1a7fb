import { webcrypto } from "node:crypto";
import { getEventListeners, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { HeadersOptions } from "openapi-fetch";
import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import {
  type ClientOptions,
  ConnectionError,
  createClient,
  type Hooks,
  ResponseTooLargeError,
  TimeoutError,
} from "../index.ts";
import { closed, http, json, startRawServer, thrownBy } from "./testing/raw-server.ts";

const clientOf = (options: Partial<ClientOptions>) =>
  createClient({ baseUrl: "http://service.test", apiKey: "sk_1", ...options });
const user = { uuid: "u", mobile: "9876543210", dial_code: "91", password: "hush", type: "customer" };
const calls = {
  GET: (client: ReturnType<typeof createClient>, init = {}) =>
    client.getWebhook({ params: { path: { webhook_id: 1 } }, ...init }),
  POST: (client: ReturnType<typeof createClient>, init = {}) => client.loginUser({ body: { user }, ...init }),
};
type Method = keyof typeof calls;
const methods: Method[] = ["GET", "POST"];
const ownId = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const responseOf = (status: number, headers: Record<string, string> = {}) =>
  Response.json({}, { status, headers });

/** Returns a fetch that gives these responses one after another, then repeats the last. Also returns the requests. */
function scripted(...responses: (() => Response | Error)[]) {
  const sent: { id: string | null; authorization: string | null; body: string }[] = [];
  const fetch = async (request: Request) => {
    const response = responses[Math.min(sent.length, responses.length - 1)]?.();
    const { headers } = request;
    sent.push({
      id: headers.get("x-request-id"),
      authorization: headers.get("authorization"),
      body: await request.text(),
    });
    if (response === undefined || response instanceof Error) throw response;
    return response;
  };
  return { fetch, sent };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a failed attempt is retried", () => {
  beforeEach(() => {
    // Makes each wait as short as possible.
    vi.spyOn(Math, "random").mockReturnValue(0);
  });

  it.each<[method: Method, status: number, attempts: number]>([
    ["GET", 501, 1],
    ["GET", 502, 2],
    ["GET", 504, 2],
    ["GET", 505, 1],
    ["POST", 429, 2],
    ["POST", 502, 1],
    ["POST", 503, 1],
    ["POST", 504, 1],
  ])("if a retry is safe: a %s with the response %i is sent %i times", async (method, status, attempts) => {
    const { fetch, sent } = scripted(
      () => responseOf(status, { "Retry-After": "0" }),
      () => responseOf(200),
    );
    const result = await calls[method](clientOf({ fetch }));
    expect([result.response.status, sent.length]).toEqual([attempts === 1 ? status : 200, attempts]);
  });

  it("with the same request id, key and body", async () => {
    const { fetch, sent } = scripted(() => responseOf(429));
    const result = await calls.POST(clientOf({ fetch }));
    const attempt = {
      id: result.requestId,
      authorization: "Bearer sk_1",
      body: JSON.stringify({ user }),
    };
    expect(sent).toEqual([attempt, attempt, attempt]);
    expect(result.requestId).toMatch(ownId);
  });

  it.each([
    ["two times by default", {}, {}, 3],
    ["as often as the option of the client says", { maxRetries: 4 }, {}, 5],
    ["as often as the option of the call says", { maxRetries: 4 }, { maxRetries: 1 }, 2],
    ["never if the option is 0", { maxRetries: 0 }, {}, 1],
  ])("%s. Then the last response is the result", async (_, options, init, attempts) => {
    const { fetch, sent } = scripted(() => responseOf(429));
    const result = await calls.GET(clientOf({ fetch, ...options }), init);
    expect([result.response.status, sent.length]).toEqual([429, attempts]);
  });

  it("if the connection of a GET breaks, until a response arrives", async () => {
    let requests = 0;
    await using server = await startRawServer((socket) => {
      requests += 1;
      if (requests === 1) socket.resetAndDestroy();
      else if (requests === 2) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"');
      else socket.write(http("500 Internal Server Error", undefined, ""));
    });
    const result = await calls.GET(clientOf({ baseUrl: server.url }));
    const bodies = server.received.map(({ body }) => body);
    expect([result.response.status, bodies]).toEqual([500, ["{}", "{}", "{}"]]);
  });

  it("never if the connection of a POST breaks, because the server may have processed the request", async () => {
    await using server = await startRawServer((socket) => socket.resetAndDestroy());
    const error = await thrownBy(calls.POST(clientOf({ baseUrl: server.url })));
    expect([error instanceof ConnectionError, server.received.length]).toEqual([true, 1]);
    expect(error).toMatchObject({
      name: "ConnectionError",
      operationId: "loginUser",
      message: `loginUser: no complete response arrived from ${server.url} (read ECONNRESET)`,
      cause: expect.any(Error),
    });
  });

  it.each(methods)("if no connection can be opened for a %s", async (method) => {
    const server = await startRawServer(() => {});
    await server[Symbol.asyncDispose]();
    const onRetry = vi.fn<NonNullable<Hooks["onRetry"]>>();
    const error = await thrownBy(calls[method](clientOf({ baseUrl: server.url, hooks: [{ onRetry }] })));
    expect([error instanceof ConnectionError, onRetry.mock.calls.length]).toEqual([true, 2]);
    expect((error as ConnectionError).requestId).toBe(onRetry.mock.calls[0]?.[0].requestId);
  });

  it("never if the response is too large", async () => {
    const { fetch, sent } = scripted(() => responseOf(503));
    const error = await thrownBy(calls.GET(clientOf({ fetch, maxResponseBytes: 1 })));
    expect([error instanceof ResponseTooLargeError, sent.length]).toEqual([true, 1]);
    expect(error).toMatchObject({
      name: "ResponseTooLargeError",
      message: "getWebhook: the response body is larger than 1 bytes",
      requestId: sent[0]?.id,
    });
  });
});

describe("between attempts", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    vi.spyOn(Math, "random").mockReturnValue(0);
  });
  const seconds = (count: number) => new Date(Date.now() + count * 1000).toUTCString();

  it.each([
    ["for the seconds in Retry-After", () => ({ "Retry-After": "7" })],
    [
      "until the date in Retry-After, according to the server's clock",
      () => ({ "Retry-After": seconds(107), Date: seconds(100) }),
    ],
  ])("the client waits %s", async (_, headers) => {
    const { fetch, sent } = scripted(
      () => responseOf(429, headers()),
      () => responseOf(200),
    );
    const call = calls.POST(clientOf({ fetch }));
    await vi.advanceTimersByTimeAsync(6_999);
    expect(sent.length).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect([(await call).response.status, sent.length, vi.getTimerCount()]).toEqual([200, 2, 0]);
  });

  it.each(["7 seconds", "7.5", "soon", ""])("the client ignores the invalid Retry-After %j", async (text) => {
    const delays: number[] = [];
    const { fetch } = scripted(
      () => responseOf(429, { "Retry-After": text, Date: seconds(100) }),
      () => responseOf(200),
    );
    const call = calls.POST(
      clientOf({ fetch, hooks: [{ onRetry: ({ delayMs }) => void delays.push(delayMs) }] }),
    );
    await vi.runAllTimersAsync();
    expect([(await call).response.status, delays]).toEqual([200, [0]]);
  });

  it.each([
    ["exceeds the time limit of the call", "30", {}],
    ["is longer than a minute", "61", { timeoutMs: Number.POSITIVE_INFINITY }],
  ])(
    "if Retry-After %s, the client does not wait and returns the response immediately",
    async (_, retryAfter, init) => {
      const { fetch, sent } = scripted(() => responseOf(429, { "Retry-After": retryAfter }));
      const result = await calls.GET(clientOf({ fetch }), init);
      expect([result.response.headers.get("retry-after"), sent.length]).toEqual([retryAfter, 1]);
    },
  );

  it("a page without HTTPS, which has no randomUUID, makes a different request id for each call", async () => {
    vi.restoreAllMocks();
    vi.stubGlobal("crypto", {
      getRandomValues: (values: Uint8Array<ArrayBuffer>) => webcrypto.getRandomValues(values),
    });
    const { fetch, sent } = scripted(() => responseOf(200));
    await calls.GET(clientOf({ fetch }));
    await calls.GET(clientOf({ fetch }));
    vi.unstubAllGlobals();
    const id = expect.stringMatching(/^[\da-f]{32}$/);
    expect(sent.map((each) => each.id)).toEqual([id, id]);
    expect(sent[0]?.id).not.toBe(sent[1]?.id);
  });

  it("the abort of a signal without a reason is an AbortError", async () => {
    const call = calls.GET(clientOf({ fetch: scripted(() => responseOf(200)).fetch }), {
      signal: AbortSignal.abort(null),
    });
    expect(await thrownBy(call)).toMatchObject({ name: "AbortError" });
  });

  it("a signal that is already aborted ends the call before a hook is called", async () => {
    const reported: string[] = [];
    const { fetch, sent } = scripted(() => responseOf(200));
    const client = clientOf({
      fetch,
      hooks: [{ onRequest: ({ operationId }) => void reported.push(operationId) }],
    });
    expect(await thrownBy(calls.GET(client, { signal: AbortSignal.abort("enough") }))).toBe("enough");
    expect([reported, sent]).toEqual([[], []]);
  });

  it("an abort ends the wait, stops the timers and removes the listener from the signal", async () => {
    const { fetch, sent } = scripted(() => responseOf(503, { "Retry-After": "9" }));
    const controller = new AbortController();
    const call = thrownBy(calls.GET(clientOf({ fetch }), { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(getEventListeners(controller.signal, "abort").length).toBe(1);
    const reason = new Error("enough");
    controller.abort(reason);
    expect([await call, sent.length]).toEqual([reason, 1]);
    expect([vi.getTimerCount(), getEventListeners(controller.signal, "abort").length]).toEqual([0, 0]);
  });
});

it.each<[how: string, respond: () => Response | Error]>([
  ["succeeds", () => responseOf(200)],
  ["fails", () => new Error("reset")],
])("a call that %s leaves no listener on a signal that the caller uses again", async (_, respond) => {
  const { signal } = new AbortController();
  const client = clientOf({ fetch: scripted(respond).fetch, maxRetries: 0 });
  await calls.GET(client, { signal }).catch(() => {});
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

describe("a call does not exceed its time limit", () => {
  const timeoutMs = 50;

  it.each<[what: string, respond: (socket: Socket) => void]>([
    ["never ends its headers", (socket) => socket.write("HTTP/1.1 200 OK\r\nX-Slow: ")],
    [
      "sends its body one byte at a time, without end",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        const drip = () => {
          if (!socket.destroyed) socket.write("1\r\n \r\n", () => setImmediate(drip));
        };
        drip();
      },
    ],
  ])("if the server %s", async (_, respond) => {
    await using server = await startRawServer(respond);
    const error = await thrownBy(calls.POST(clientOf({ baseUrl: server.url, timeoutMs })));
    expect(error).toMatchObject({
      name: "TimeoutError",
      message: "loginUser: took longer than 50 ms",
      operationId: "loginUser",
      requestId: expect.stringMatching(ownId),
    });
    await closed(server.connections[0]?.socket);
  });

  it("if the body from a custom fetch never ends; the body is cancelled", async () => {
    const cancel = vi.fn();
    const fetch = async () => new Response(new ReadableStream({ pull: () => new Promise(() => {}), cancel }));
    expect(await thrownBy(calls.POST(clientOf({ fetch, timeoutMs })))).toBeInstanceOf(TimeoutError);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it.each<[what: string, options: Partial<ClientOptions>, init?: object]>([
    ["a custom fetch ignores its signal", { fetch: () => new Promise(() => {}) }],
    ["a hook never ends", { hooks: [{ onRequest: () => new Promise(() => {}) }] }],
    ["the call has set it", { fetch: () => new Promise(() => {}), timeoutMs: 60_000 }, { timeoutMs }],
  ])("if %s", async (_, options, init) => {
    const error = await thrownBy(calls.POST(clientOf({ timeoutMs, ...options }), init));
    expect(error).toEqual(expect.objectContaining({ message: "loginUser: took longer than 50 ms" }));
  });

  it("which is 30 seconds by default, with all retries and waits", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    vi.spyOn(Math, "random").mockReturnValue(0);
    let attempts = 0;
    const fetch = async (request: Request) => {
      await request.text();
      attempts += 1;
      return attempts === 1 ? responseOf(503, { "Retry-After": "29" }) : new Promise<Response>(() => {});
    };
    const call = thrownBy(calls.GET(clientOf({ fetch })));
    await vi.advanceTimersByTimeAsync(29_999);
    expect([attempts, vi.getTimerCount()]).toEqual([2, 1]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await call).toBeInstanceOf(TimeoutError);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("which can be infinite, without a timer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const timers: number[] = [];
    const fetch = async (request: Request) => {
      await request.text();
      timers.push(vi.getTimerCount());
      return responseOf(200);
    };
    await calls.GET(clientOf({ fetch, timeoutMs: Number.POSITIVE_INFINITY }));
    await calls.GET(clientOf({ fetch }));
    expect(timers).toEqual([0, 1]);
  });
});

it("a response body larger than 10 MiB is not read to its end, and is cancelled", async () => {
  const cancel = vi.fn();
  const body = new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1_000_000)), cancel });
  const error = await thrownBy(calls.GET(clientOf({ fetch: async () => new Response(body) })));
  expect(error).toMatchObject({ message: "getWebhook: the response body is larger than 10485760 bytes" });
  expect(cancel).toHaveBeenCalledOnce();
});

describe("a redirect", () => {
  it.each([
    ["node:http", {}],
    ["fetch", { fetch }],
  ])("over %s is returned and not followed, so that no key is sent to another host", async (_, options) => {
    await using other = await startRawServer((socket) => socket.write(json("200 OK", {})));
    await using server = await startRawServer((socket) =>
      socket.write(http("307 Temporary Redirect", undefined, "", `Location: ${other.url}/\r\n`)),
    );
    const { response, status, requestId, error } = await calls.POST(
      clientOf({ baseUrl: server.url, ...options }),
    );
    expect({ status, requestId, error, location: response.headers.get("location") }).toEqual({
      status: "undocumented",
      requestId: server.received[0]?.headers["x-request-id"],
      error: { httpStatus: 307, contentType: undefined, text: "" },
      location: `${other.url}/`,
    });
    expect(other.connections).toEqual([]);
  });
});

describe("the requestId of a result", () => {
  const callWith = async (headers: HeadersOptions, returnedId?: string) => {
    const { fetch, sent } = scripted(() => responseOf(500, returnedId ? { "X-Request-Id": returnedId } : {}));
    const { requestId } = await calls.GET(clientOf({ fetch }), { headers });
    return { requestId, sent: sent[0]?.id };
  };

  it("is new for each call", async () => {
    const [first, second] = [await callWith({}), await callWith({})];
    expect([first.requestId, second.requestId]).toEqual([first.sent, second.sent]);
    expect(first.requestId).not.toBe(second.requestId);
  });

  it.each([
    ["the one that the call sets, in any letter case", { "x-REQUEST-id": "mine" }, undefined, "mine", "mine"],
    ["the one in the response, if it has one", { "X-Request-Id": "mine" }, "theirs", "theirs", "mine"],
    ["set if the call removes it", { "X-Request-Id": null }, undefined, expect.stringMatching(ownId), null],
  ])("is %s", async (_, headers, returnedId, requestId, sent) => {
    expect(await callWith(headers, returnedId)).toEqual({ requestId, sent });
  });
});

describe("hooks", () => {
  it("are called in order, and can set different request headers for each attempt", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    await using server = await startRawServer((socket) =>
      socket.write(json(server.received.length === 1 ? "503 Service Unavailable" : "200 OK", {})),
    );
    const reasons: unknown[] = [];
    const hookOf = (name: string): Hooks => ({
      onRequest: async ({ request, attempt }) => request.headers.append("X-Hooks", `${name}${attempt}`),
      onRetry: ({ response }) => void reasons.push([name, response?.status]),
    });
    await calls.GET(clientOf({ baseUrl: server.url, hooks: [hookOf("a"), hookOf("b")] }));
    expect(server.received.map(({ headers, body }) => [headers["x-hooks"], body])).toEqual([
      ["a1, b1", "{}"],
      ["a2, b2", "{}"],
    ]);
    expect(reasons).toEqual([
      ["a", 503],
      ["b", 503],
    ]);
  });

  it.each(["onRequest", "onResponse", "onRetry"])("that throw reject the call: %s", async (name) => {
    const thrown = new Error("hook");
    const { fetch, sent } = scripted(() => responseOf(429));
    const hook = () => Promise.reject(thrown);
    const error = await thrownBy(calls.GET(clientOf({ fetch, hooks: [{ [name]: hook }] })));
    expect([error, sent.length]).toEqual([thrown, name === "onRequest" ? 0 : 1]);
  });
});

test("https to a server that speaks http: the error has one line", async () => {
  await using server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const error = await thrownBy(calls.GET(clientOf({ baseUrl, maxRetries: 0 })));
  expect(String(error)).toMatch(
    /no complete response arrived from https:.* \(no TLS connection.*wrong version number.*\)$/,
  );
});

test("if all addresses of a host refuse the connection, the error has their code", async () => {
  const refused = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
  const { fetch } = scripted(() => new TypeError("fetch failed", { cause: refused }));
  const error = await thrownBy(calls.POST(clientOf({ fetch })));
  expect(String(error)).toContain("(fetch failed: ECONNREFUSED)");
});
